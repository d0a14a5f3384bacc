// The bash text that every job's script has in common.
#pragma once

#include <string_view>

namespace slurm {

// What comes before the gate's functions.
inline constexpr std::string_view step_functions = R"bash(
# keep_attempt DIRECTORY...: moves what an earlier start of this script left to attempt-1, attempt-2, … Files of which
# this start has opened the output are copied and emptied.
keep_attempt() {
  [[ -e status/id ]] || return 0
  local attempt=1 file
  while [[ -e attempt-$attempt ]]; do ((++attempt)); done
  mkdir -- "attempt-$attempt" || exit
  find "$@" -path './attempt-*' -prune -o -path ./status -prune -o -type f -newer status/id -print0 |
    while IFS= read -r -d '' file; do
      mkdir -p -- "attempt-$attempt/${file%/*}"
      case $file in
        ./stdout.txt | ./stderr.txt | ./common.out | ./common.err)
          cp -p -- "$file" "attempt-$attempt/$file" && : >"$file"
          ;;
        *) mv -- "$file" "attempt-$attempt/$file" ;;
      esac
    done
  mv -- status "attempt-$attempt/" || exit
  # What the job was asked for holds for each of its starts.
  [[ $(<"attempt-$attempt/status/end_main") != "$SLURM_JOB_ID" ]] 2>/dev/null ||
    { mkdir status && cp -- "attempt-$attempt/status/end_main" status/; }
}

# save_environment NAME...: writes the variables, as they are now, to env_vars.sh for the tasks of a step to read.
save_environment() {
  local cloudai_name
  rm -f -- env_vars.sh
  (
    umask 077
    {
      for cloudai_name; do printf 'export %s=%q\n' "$cloudai_name" "${!cloudai_name}"; done
      printf 'export CLOUDAI_NODE_RANK=$SLURM_NODEID\n'
    } >env_vars.sh
  )
}

# step COMMAND...: becomes the command, with what is left of the stage's time as its limit. srun needs KillWait of
# slurm.conf to end its tasks, 30 s where nothing else is said.
step() {
  [[ -n $cloudai_stage_limit ]] || exec -- "$@"
  local left=$((cloudai_stage_limit * 1000000 - (${EPOCHREALTIME/[!0-9]/} - cloudai_stage_started)))
  ((left > 0)) || exit 124
  printf -v left '%d.%06d' $((left / 1000000)) $((left % 1000000))
  exec timeout --kill-after=60 "$left" "$@"
}

# steps_of NUMBER: the ids of a stage's steps that are there, those that its programs have started among them.
steps_of() {
  local id name
  squeue --noheader --steps --jobs="$SLURM_JOB_ID" --format='%i %j' 2>/dev/null |
    while read -r id name; do
      [[ ${id##*.} == *[!0-9]* || ($name == cloudai.* && $name != "cloudai.$1."*) ]] || printf '%s\n' "$id"
    done
}

# kill_steps NUMBER: ends what is left of a stage's steps: an srun that was killed can no longer do that. One that has
# just ended is none to complain about.
kill_steps() {
  local id
  for id in $(steps_of "$1"); do scancel --signal=KILL "$id" 2>/dev/null; done
}

# end_steps NUMBER: ends the steps of a stage, those that come while it looks as well, until it is ended itself. Who does
# not heed the first signal in 30 s is killed.
end_steps() {
  local -A asked=()
  local id
  while :; do
    for id in $(steps_of "$1"); do
      if [[ -z ${asked[$id]:-} ]]; then
        asked[$id]=$SECONDS
        scancel --signal=TERM "$id" 2>/dev/null
      elif ((SECONDS - ${asked[$id]} >= 30)); then
        scancel --signal=KILL "$id" 2>/dev/null
      fi
    done
    sleep 2
  done
}

# heed_request: what the signal does that asks for the end of the main stage: if it runs, its steps are ended.
heed_request() {
  requests=$((requests + 1))
  [[ -n $main_stage && -z $ending ]] || return
  end_steps "$main_stage" &
  ending=$!
  disown "$ending"
}

# end_is_asked: whether the main stage is not to start: by the signal, or by a file that was there before this script.
end_is_asked() {
  ((requests > 0)) || [[ $(<status/end_main) == "$SLURM_JOB_ID" ]] 2>/dev/null
}

# record_stage NUMBER: runs a stage and leaves its exit status in a file. `wait` may lose it when the signal comes.
record_stage() {
  "stage_$1"
  printf '%s\n' $? >"status/$1.exit"
}

# await NUMBER PID: waits for a stage, also while the signal comes. Its exit status.
await() {
  local status=137
  while kill -0 "$2" 2>/dev/null; do wait "$2"; done
  [[ ! -e status/$1.exit ]] || read -r status <"status/$1.exit"
  rm -f -- "status/$1.exit"
  return "$status"
}
)bash";

// What comes after them.
inline constexpr std::string_view stage_function = R"bash(
# await_controller: srun gives up at once where the controller does not answer, and afterwards waits, in the stage's own
# time, for steps whose end the controller has not heard of. So a stage waits for both before its time begins.
await_controller() {
  local end=$((SECONDS + 240)) was_away=
  until timeout 30 scontrol ping 2>/dev/null | grep -q ' is UP'; do
    was_away=yes
    ((SECONDS < end)) || return
    sleep 2
  done
  [[ -n $was_away ]] || return
  while ((SECONDS < end)) && squeue --noheader --steps --jobs="$SLURM_JOB_ID" --format=%i 2>/dev/null | grep -q '\.[0-9]'; do
    sleep 2
  done
}

leave_main_stage() {
  main_stage=
  [[ -z $ending ]] || kill "$ending" 2>/dev/null
  ending=
}

# run_stage NUMBER KIND NAME DIRECTORY LIMIT: runs a stage, unless a prologue has failed, and records it in status/NUMBER.
# A stage in the job's own directory writes to the job's own output files.
run_stage() {
  if [[ -n $cloudai_stopped_by ]]; then
    printf 'skipped=%s\n' "$cloudai_stopped_by" >"status/$1"
    return
  fi
  local directory=$4 timed_out=no gate=closed ended
  # From here on a request ends what runs; one that came before is seen now.
  [[ $2 != main ]] || main_stage=$1
  if [[ $2 == main ]] && end_is_asked; then
    leave_main_stage
    cloudai_stopped_by='the main stage had to end before it started'
    printf 'skipped=%s\n' "$cloudai_stopped_by" >"status/$1"
    return
  fi
  await_controller
  cloudai_stage_limit=$5
  mkdir -p -- "$directory"
  cloudai_stage_started=${EPOCHREALTIME/[!0-9]/}
  printf 'started=%s\n' "$cloudai_stage_started" >"status/$1"
  if [[ $directory == . ]]; then
    record_stage "$1" </dev/null &
  else
    record_stage "$1" >"$directory/stdout.txt" 2>"$directory/stderr.txt" </dev/null &
  fi
  await "$1" $!
  exit_status=$?
  # One that ended before it was asked to has ended by itself.
  [[ -z $ending ]] || printf 'asked_to_end=yes\n' >>"status/$1"
  leave_main_stage
  ended=${EPOCHREALTIME/[!0-9]/}
  why=
  if [[ -n $cloudai_stage_limit && $exit_status == @(124|137) ]] && ((ended - cloudai_stage_started >= cloudai_stage_limit * 1000000)); then
    timed_out=yes
    why="its time limit of $cloudai_stage_limit s has passed"
    kill_steps "$1"
  elif grep -qs '^srun: error: Node failure on ' "$directory/stderr.txt"; then
    # srun ends with 0 all the same.
    why='a node failed'
  elif "gate_$1"; then
    gate=open
  fi
  printf 'ended=%s\nexit_status=%s\ntimed_out=%s\ngate=%s\nwhy=%s\ncomplete\n' \
    "$ended" "$exit_status" "$timed_out" "$gate" "${why//$'\n'/ }" >>"status/$1"
  [[ $gate == open ]] && return
  cloudai_all_open=no
  [[ $2 != prologue ]] || cloudai_stopped_by="prologue $3 failed"
}
)bash";

// Of a job whose runs have directories of their own.
inline constexpr std::string_view run_functions = R"bash(
# begin_run ID DIRECTORY NODES [RUN...]: the stages that follow are those of run ID, on the first NODES of the job's
# nodes. None of them starts if one of RUN... did not pass.
begin_run() {
  run=$1 cloudai_all_open=yes cloudai_stopped_by=
  CLOUDAI_RUN_DIR=$PWD/${2#./} CLOUDAI_NUM_NODES=$3
  CLOUDAI_NODE_LIST=$(cut -d , -f "1-$3" <<<"$job_nodes")
  local other
  for other in "${@:4}"; do
    [[ -z ${bad_runs[$other]:-} ]] || cloudai_stopped_by="run $other did not pass"
  done
}

end_run() {
  [[ $cloudai_all_open == yes && -z $cloudai_stopped_by ]] || bad_runs[$run]=yes
}
)bash";

}  // namespace slurm
