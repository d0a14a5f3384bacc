// The script that prints what a node is.
#pragma once

#include <string_view>

namespace slurm {

inline constexpr std::string_view metadata_script = R"bash(#!/bin/bash
# Prints what this node is, as TOML. Runs once on each node of a job, in the job's container where it has one. What
# cannot be found out is "null".

# entry KEY VALUE
entry() {
  local value=${2:-null}
  value=${value//\\/\\\\}
  value=${value//\"/\\\"}
  printf '%s = "%s"\n' "$1" "${value//[[:cntrl:]]/ }"
}

# os_release NAME: a value of /etc/os-release.
os_release() (
  # shellcheck source=/dev/null
  [[ -r /etc/os-release ]] && source /etc/os-release
  printf '%s' "${!1}"
)

# gpu FIELD: of the first GPU.
gpu() {
  nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1
}

# between TEXT BEFORE AFTER: what stands between the first BEFORE and the next AFTER; nothing if BEFORE is not there.
between() {
  [[ $1 == *"$2"* ]] || return
  local rest=${1#*"$2"}
  printf '%s' "${rest%%"$3"*}"
}

mpi=$(mpirun --version 2>/dev/null | head -n 1)
mpi_version=
[[ $mpi =~ ([0-9]+(\.[0-9A-Za-z]+)+) ]] && mpi_version=${BASH_REMATCH[1]}
hpcx=${HPCX_DIR:+${HPCX_DIR##*/}}
libfabric=$(fi_info --version 2>/dev/null | head -n 1)

entry user "${USER:-$(id -un 2>/dev/null)}"

printf '\n[system]\n'
entry os_type "$(os_release ID)"
entry os_version "$(os_release VERSION_ID)"
entry linux_kernel_version "$(uname -r)"
entry gpu_arch_type "$(gpu name)"
entry cpu_model_name "$(LC_ALL=C lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -n 1)"
entry cpu_arch_type "$(uname -m)"

printf '\n[mpi]\n'
entry mpi_type "$(between "$mpi" '(' ')')"
entry mpi_version "$mpi_version"
entry hpcx_version "$hpcx"

printf '\n[cuda]\n'
entry cuda_build_version "$CUDA_BUILD_VERSION"
entry cuda_runtime_version "$(nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' | head -n 1)"
entry cuda_driver_version "$(gpu driver_version)"

printf '\n[network]\n'
entry nics "$(lspci 2>/dev/null | sed -n 's/^[^ ]* .*: \(.*Mellanox.*\)/\1/p' | sort -u | paste -sd ';')"
entry switch_type "$SWITCH"
entry network_name "$NETWORK"
entry mofed_version "$(ofed_info -s 2>/dev/null | head -n 1)"
entry libfabric_version "${libfabric##* }"

printf '\n[nccl]\n'
entry version "$NCCL_VERSION"
entry commit_sha "$NCCL_COMMIT_SHA"

printf '\n[slurm]\n'
entry cluster_name "$SLURM_CLUSTER_NAME"
entry node_list "$SLURM_JOB_NODELIST"
entry num_nodes "$SLURM_JOB_NUM_NODES"
entry ntasks_per_node "$SLURM_NTASKS_PER_NODE"
entry ntasks "$SLURM_NTASKS"
entry job_id "$SLURM_JOB_ID"
)bash";

}  // namespace slurm
