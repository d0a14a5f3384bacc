# Sourced by the scripts beside it: where the tree is, how they speak, how they stop.
# shellcheck shell=bash

set -euo pipefail
# A module that others may write to is refused.
umask 022

# Used by the scripts that source this file.
# shellcheck disable=SC2034
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034
script=$(basename "$0")

say() { printf '==> %s\n' "$*"; }

# Wrong use: one sentence on stderr, exit status 2.
refuse() {
  printf '%s: %s\n' "$script" "$*" >&2
  exit 2
}

# The comment block at the top of a script is its help.
show_help() { sed -n '2,/^$/{s/^# \{0,1\}//p}' "$0"; }

# Handles --help, for scripts that take nothing else.
takes_only_help() {
  [ $# -eq 0 ] && return
  [ "$1" = --help ] || [ "$1" = -h ] || refuse "unknown option '$1'; see scripts/$script --help."
  show_help
  exit 0
}
