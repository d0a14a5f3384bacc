# Sourced by `start`: writes a cluster's configuration files.
# shellcheck shell=bash
#
# Reads directory, port, nodes, prefix, accounting, memory_limits, plugins, settings and database_password of `start`.
# shellcheck disable=SC2154

write_configuration() {
  write_slurm_conf >"$directory/slurm.conf"
  echo "NodeName=${prefix}[1-$nodes] Name=gpu File=$directory/devices/gpu[0-7]" >"$directory/gres.conf"
  # A GPU must have a file, and any will do.
  local gpu
  for gpu in 0 1 2 3 4 5 6 7; do ln -sfn /dev/null "$directory/devices/gpu$gpu"; done
  # With the default, which uses one kind of fence for data and another for barriers, a rank may leave its last fence of
  # MPI_Init while another is still in its first, and kill that one with a message it has no handler for yet.
  echo "PMIxCollFence=tree" >"$directory/mpi.conf"
  write_hosts >"$directory/hosts"
  : >"$directory/plugstack.conf"
  local plugin
  for plugin in "${plugins[@]}"; do echo "required $plugin" >>"$directory/plugstack.conf"; done
  if [ "$accounting" = yes ]; then
    : >"$directory/slurmdbd.conf"
    chmod 600 "$directory/slurmdbd.conf"
    write_slurmdbd_conf >"$directory/slurmdbd.conf"
  fi
  if [ "$memory_limits" = yes ]; then
    seq --format "$prefix%.0f" "$nodes" >"$directory/limited_nodes"
    printf '%s\n' CgroupPlugin=cgroup/v1 CgroupMountpoint=/sys/fs/cgroup CgroupAutomount=no ConstrainRAMSpace=yes \
      MinRAMSpace=8 >"$directory/cgroup.conf"
  fi
}

# Every name is the loopback address: a Slurm that listens there alone must not be looked for elsewhere.
write_hosts() {
  echo "127.0.0.1 localhost $(hostname)"
  local node
  for node in $(seq "$nodes"); do echo "127.0.0.1 $prefix$node"; done
}

# Sets what is in `settings`, or else the default that is given here.
write_slurm_conf() {
  local host setting
  host=$(hostname -s)
  # shellcheck disable=SC2054
  declare -A conf=(
    [ClusterName]=virtual
    [SlurmctldHost]="$host(127.0.0.1)" [SlurmctldPort]=$port
    [CommunicationParameters]=NoCtldInAddrAny,NoInAddrAny
    [SlurmUser]=root [SlurmdUser]=root
    [AuthType]=auth/munge [CredType]=cred/munge
    # How long a credential lives is also how long a requeued job waits.
    [AuthInfo]=socket=$directory/munge/socket,cred_expire=5
    [StateSaveLocation]=$directory/state [SlurmdSpoolDir]=$directory/spool/%n
    # Nodes that share it trip over each other's directories of PMIx.
    [TmpFS]=$directory/tmp/%n
    [SlurmctldPidFile]=$directory/run/slurmctld.pid [SlurmdPidFile]=$directory/run/slurmd.%n.pid
    [SlurmctldLogFile]=$directory/log/slurmctld.log [SlurmdLogFile]=$directory/log/slurmd.%n.log
    [PlugStackConfig]=$directory/plugstack.conf
    [MailProg]=/bin/true
    [ProctrackType]=proctrack/linuxproc [TaskPlugin]=task/none [JobAcctGatherType]=jobacct_gather/linux
    [MpiDefault]=none [SwitchType]=switch/none
    [SelectType]=select/cons_tres [SelectTypeParameters]=CR_Core_Memory [DefMemPerCPU]=100 [GresTypes]=gpu
    # The nodes are larger than the machine they are on.
    [SlurmdParameters]=config_overrides
    [SchedulerType]=sched/backfill
    [SchedulerParameters]=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1,default_queue_depth=1000
    [PreemptType]=preempt/partition_prio [PreemptMode]=REQUEUE
    [CompleteWait]=0 [KillWait]=2 [EpilogMsgTime]=0
    # A node that went dark and came back is used again.
    [ReturnToService]=2
    [SlurmdTimeout]=10 [MessageTimeout]=10
    [AccountingStorageType]=accounting_storage/none [JobCompType]=jobcomp/none
  )
  if [ "$memory_limits" = yes ]; then
    conf[ProctrackType]=proctrack/cgroup conf[TaskPlugin]=task/cgroup
  fi
  if [ "$accounting" = yes ]; then
    conf[AccountingStorageType]=accounting_storage/slurmdbd
    conf[AccountingStorageHost]=127.0.0.1
    conf[AccountingStoragePort]=$((port + 1))
    # How to reach munge, which AuthInfo says for all but this.
    conf[AccountingStoragePass]=$directory/munge/socket
    conf[AccountingStorageTRES]=gres/gpu
  fi
  for setting in "${settings[@]}"; do conf[${setting%%=*}]=${setting#*=}; done
  for setting in "${!conf[@]}"; do echo "$setting=${conf[$setting]}"; done

  local each="CPUs=16 Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:8 State=UNKNOWN"
  echo "NodeName=${prefix}[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 11))-$((port + 10 + nodes))] $each"
  # Jobs of `main` push those of the other two aside.
  echo "PartitionName=main Nodes=${prefix}[1-$nodes] Default=YES DefaultTime=10 PriorityTier=10 PreemptMode=OFF"
  echo "PartitionName=requeue Nodes=${prefix}[1-$nodes] DefaultTime=10 PriorityTier=1 PreemptMode=REQUEUE"
  echo "PartitionName=cancel Nodes=${prefix}[1-$nodes] DefaultTime=10 PriorityTier=1 PreemptMode=CANCEL"
}

write_slurmdbd_conf() {
  cat <<END
AuthType=auth/munge
AuthInfo=socket=$directory/munge/socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$((port + 1))
SlurmUser=root
PidFile=$directory/run/slurmdbd.pid
LogFile=$directory/log/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$((port + 2))
StorageUser=slurm
StoragePass=$database_password
StorageLoc=slurm_acct_db
CommunicationParameters=NoInAddrAny
END
}
