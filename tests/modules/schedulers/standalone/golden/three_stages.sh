#!/usr/bin/env bash
# Job scenario.Tests.1, written by cloudai. Runs the stages below one after the other and records in status/ how they
# ended. To start it again by hand, from anywhere: bash cloudai_run.sh
# shellcheck disable=SC2016,SC2317 # A dollar in single quotes is literal; stages and gates are called by number.

[[ $0 != */* ]] || CDPATH='' cd -- "${0%/*}" || exit
[[ -n ${1-} ]] || export CLOUDAI_RUN_DIR=$PWD CLOUDAI_JOB_ID=$$ CLOUDAI_NODE_RANK=0 CLOUDAI_NUM_NODES=1
export CLOUDAI_MASTER_NODE=node001 CLOUDAI_NODE_LIST=node001
tag=k3x9a0b1c2d3e

# step COMMAND...: becomes the command, with what is left of the stage's time as its limit.
step() {
  [[ -n $cloudai_stage_limit ]] || exec -- "$@"
  local left=$((cloudai_stage_limit * 1000000 - (${EPOCHREALTIME/[!0-9]/} - cloudai_stage_started)))
  ((left > 0)) || exit 124
  printf -v left '%d.%06d' $((left / 1000000)) $((left % 1000000))
  exec timeout --kill-after=3 "$left" "$@"
}

# needs PROGRAM...: ends the stage as a shell does where there is no such program; mpirun would end as if by a signal.
needs() {
  local program
  for program; do
    type -P -- "$program" >/dev/null || {
      printf '%s: command not found\n' "$program" >&2
      exit 127
    }
  done
}

# What a gate is made of. Each leaves in `why` what does not hold.
exit_status_is() {
  [[ $exit_status == "$1" ]] && return
  why="exit status $exit_status, expected $1"
  return 1
}
holds() {
  if [[ $2 == *$'\n'* ]]; then
    [[ $(<"$directory/$1") == *"$2"* ]] 2>/dev/null
  else
    LC_ALL=C grep -qsF -e "$2" -- "$directory/$1"
  fi
}
contains() {
  holds "$@" && return
  why="$1 does not contain '$2'"
  return 1
}
lacks() {
  holds "$@" || return 0
  why="$1 contains '$2'"
  return 1
}

# end_strays NUMBER: kills what a stage has left behind, in whatever session.
end_strays() {
  local environment own=CLOUDAI_PROCESS_MARK=$tag/$1
  while read -r environment; do
    kill -KILL "${environment//[!0-9]/}" 2>/dev/null
  done < <(CLOUDAI_PROCESS_MARK='' grep -lszxF -e "$own" -- /proc/[0-9]*/environ)
}

# run_stage NUMBER KIND NAME DIRECTORY LIMIT [WHOLE]: runs a stage, unless one before it rules that out, and records it in
# status/NUMBER. WHOLE: the limit is one of the stage's whole text, since its environment runs commands.
run_stage() {
  if [[ -n $cloudai_stopped_by ]]; then
    printf 'skipped=%s\n' "$cloudai_stopped_by" >"status/$1"
    return
  fi
  local directory=$4 timed_out=no gate=closed ended
  cloudai_stage_limit=$5
  [[ -d $directory ]] || mkdir -p -- "$directory"
  cloudai_stage_started=${EPOCHREALTIME/[!0-9]/}
  printf 'started=%s\n' "$cloudai_stage_started" >"status/$1"
  if [[ $2 == main && -e status/end_main ]]; then
    cloudai_stopped_by='the main stage had to end before it started'
    printf 'skipped=%s\n' "$cloudai_stopped_by" >"status/$1"
    return
  fi
  export CLOUDAI_PROCESS_MARK=$tag/$1
  if [[ -n $cloudai_stage_limit && -n ${6-} ]]; then
    timeout --kill-after=3 "$cloudai_stage_limit" bash "./${0##*/}" "$1"
  else
    "stage_$1"
  fi >"$directory/stdout.txt" 2>"$directory/stderr.txt" </dev/null
  exit_status=$?
  # One that ended before it was asked to has ended by itself.
  [[ $2 != main || ! -e status/end_main ]] || printf 'asked_to_end=yes\n' >>"status/$1"
  # What is started from here on is not of the stage, which may be asked to end at any moment.
  export CLOUDAI_PROCESS_MARK=$tag
  ended=${EPOCHREALTIME/[!0-9]/}
  why=
  if [[ -n $cloudai_stage_limit && $exit_status == @(124|137) ]] && ((ended - cloudai_stage_started >= cloudai_stage_limit * 1000000)); then
    timed_out=yes
    why="its time limit of $cloudai_stage_limit s has passed"
    end_strays "$1"
  elif "gate_$1"; then
    gate=open
  fi
  printf 'ended=%s\nexit_status=%s\ntimed_out=%s\ngate=%s\nwhy=%s\ncomplete\n' \
    "$ended" "$exit_status" "$timed_out" "$gate" "${why//$'\n'/ }" >>"status/$1"
  [[ $gate == open ]] && return
  cloudai_all_open=no
  [[ $2 != prologue ]] || cloudai_stopped_by="prologue $3 failed"
}

# Stage 1: prologue nccl_test
stage_1() (
  cd ./prologue/nccl_test || exit
  export NCCL_DEBUG="INFO"
  HOSTS="$(hostname -s),$HOME" || exit
  export HOSTS
  needs mpirun all_reduce_perf_mpi
  step mpirun --oversubscribe -np 2 all_reduce_perf_mpi --minbytes 8
)
gate_1() {
  exit_status_is 0 &&
    contains stdout.txt '# Avg bus bandwidth' &&
    lacks stderr.txt 'Test NCCL failure'
}

# Stage 2: main a test
stage_2() (
  (
    export ONLY_HERE="1"
    step prepare 'two words' 'it'\''s' ''
  ) || exit
  step bash -c 'echo "$CLOUDAI_RUN_DIR" && true'
)
gate_2() {
  exit_status_is 0
}

# Stage 3: epilogue clean up
stage_3() (
  cd './epilogue/clean up' || exit
  step rm -rf -- '*.tmp'
)
gate_3() {
  exit_status_is 0
}

if [[ -n ${1-} ]]; then
  cloudai_stage_limit=
  "stage_$1"
  exit
fi
cloudai_all_open=yes
cloudai_stopped_by=
[[ -d status ]] || mkdir status
[[ ! -e status/id ]] || rm -f -- status/id status/finished status/end_main status/[0-9]*
read -r cloudai_boot_id </proc/sys/kernel/random/boot_id
read -r -a process <"/proc/$$/stat"
printf '%s\n' "tag=$tag" 'stage.1=prologue nccl_test' 'stage.2=main a test' 'stage.3=epilogue clean up' "id=$$:${process[21]}-${cloudai_boot_id:0:8}" >status/id
run_stage 1 prologue nccl_test ./prologue/nccl_test 1200 whole
run_stage 2 main 'a test' . ''
run_stage 3 epilogue 'clean up' './epilogue/clean up' 60
: >status/finished
[[ $cloudai_all_open == yes ]]
