# Sourced by the scripts beside it: what a running cluster consists of, and how to reach it.
# shellcheck shell=bash
#
# All processes of a cluster live in a PID namespace of its own. Its first process, the keeper, dies when the cluster's
# owner does, and the kernel then ends all the others. So nothing is ever left behind, and the pids that the
# daemons write down (of that namespace) cannot be mistaken for those of somebody else's processes.
#
# The scripts set `directory` and use `here`.
# shellcheck disable=SC2154,SC2034

set -euo pipefail
PATH=/usr/sbin:/sbin:$PATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

script=$(basename "$0")

fail() {
  printf '%s: %s\n' "$script" "$*" >&2
  exit 1
}

# The comment block at the top of a script is its help.
show_help() { sed -n '2,/^$/{s/^# \{0,1\}//p}' "$0"; }

# until_true WHAT COMMAND...: repeats the command until it succeeds. A loaded machine is slow: there is a minute of patience.
until_true() {
  local what=$1 end=$((SECONDS + 60))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "$what did not happen within a minute; the logs are in $directory/log."
    sleep 0.05
  done
}

# started_at PID: the time the process started, in the kernel's ticks; nothing if it is gone or a zombie.
started_at() {
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  # The name, in parentheses, may hold anything; the state is the first field after it.
  read -r -a stat <<<"${stat##*) }"
  [ "${stat[0]}" = Z ] || echo "${stat[19]}"
}

# The keeper's pid, if this cluster's keeper lives. The command line tells it from a process that got its pid later.
keeper() {
  local pid
  pid=$(cat "$directory/run/keeper.pid" 2>/dev/null) || return 1
  [ -n "$(started_at "$pid")" ] && tr '\0' '\n' <"/proc/$pid/cmdline" | grep -qxF -- "$directory" && echo "$pid"
}

# inside COMMAND...: runs it in the cluster's PID namespace, with an environment that holds nothing of the caller's.
inside() {
  local pid
  pid=$(keeper) || fail "no cluster runs in $directory."
  nsenter --target "$pid" --pid env -i PATH="$PATH" LANG=C.UTF-8 HOME=/root SLURM_CONF="$directory/slurm.conf" "$@" \
    </dev/null >>"$directory/log/start.log" 2>&1
}
