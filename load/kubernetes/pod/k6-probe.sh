#!/bin/sh
# Stands before k6 on the PATH of a runner pod. Starts the real k6, forwards signals, ends with its exit code, and
# records once a second what k6 and the pod used. Written for the shell of the stock image (busybox).
#
#   ERS_REAL_K6     path of the real k6; /usr/bin/k6 unless set
#   ERS_PROBE_FILE  where to record; nothing is recorded where it is not set
#
# Lines: `start key=value ...` once, `s key=value ...` each second, `end exit=N up=N` once. Times are hundredths of a
# second since boot, processor times are clock ticks (hundredths of a second), memory is kB.
set -u
real=${ERS_REAL_K6:-/usr/bin/k6}
out=${ERS_PROBE_FILE:-}
proc=${ERS_PROC:-/proc}
group=${ERS_CGROUP:-/sys/fs/cgroup}
[ "${1:-}" = run ] && [ -n "$out" ] || exec "$real" "$@"

if ! mkdir -p "${out%/*}" || ! : >"$out"; then
  echo "k6-probe: cannot write $out: check fsGroup and the access mode of the volume" >&2
  exit 107
fi

# Hundredths of a second since boot.
uptime_now() {
  read -r up _ <"$proc/uptime"
  up=${up%.*}${up#*.}
}

# Thousandths of a core that the pod may use: its CPU limit, else the cores of the node.
cores_now() {
  cores=
  if [ -r "$group/cpu.max" ]; then
    read -r quota period <"$group/cpu.max"
    [ "$quota" = max ] || cores=$((quota * 1000 / period))
  elif [ -r "$group/cpu/cpu.cfs_quota_us" ]; then
    read -r quota <"$group/cpu/cpu.cfs_quota_us"
    read -r period <"$group/cpu/cpu.cfs_period_us"
    [ "$quota" -le 0 ] || cores=$((quota * 1000 / period))
  fi
  [ -n "$cores" ] || cores=$(($(grep -c ^processor "$proc/cpuinfo") * 1000))
}

# Throttled microseconds of the pod since it began; empty where the system does not show them.
throttled_now() {
  throttled=
  stat="$group/cpu.stat"
  [ -r "$stat" ] || stat="$group/cpu/cpu.stat"
  [ -r "$stat" ] || return 0
  while read -r key value; do
    case $key in
      throttled_usec) throttled=$value ;;
      throttled_time) throttled=$((value / 1000)) ;;
    esac
  done <"$stat"
}

sample() {
  read -r line <"$proc/$1/stat" || return 1
  # The name may hold spaces and brackets; the fields count from its last bracket.
  # shellcheck disable=SC2086
  set -- "$1" ${line##*) }
  pid=$1 ticks=$((${13} + ${14})) swap=''
  while read -r key value _; do
    [ "$key" != VmSwap: ] || swap=$value
  done <"$proc/$pid/status"
  uptime_now
  throttled_now
  echo "s up=$up ticks=$ticks swap=$swap throttled=$throttled" >>"$out"
}

script=
for argument in "$@"; do
  case $argument in *.js | *.tar) [ -r "$argument" ] && script=$argument ;; esac
done
digest() { [ -n "$1" ] && sha256sum "$1" | cut -d ' ' -f 1; }
cores_now
uptime_now
echo "start up=$up cores=$cores k6=$(digest "$real") script=$(digest "$script") pod=${POD_NAME:-}" >>"$out"

# Set before k6 begins: a signal in between would end this script alone, and leave k6 behind it. A shell starts
# background processes with SIGINT ignored; k6 takes SIGTERM for the same.
forwarded= k6=
trap 'forwarded=1; [ -z "$k6" ] || kill -TERM "$k6" 2>/dev/null' TERM INT HUP
"$real" "$@" &
k6=$!
[ -z "$forwarded" ] || kill -TERM "$k6" 2>/dev/null
(
  trap - TERM INT HUP
  while sample "$k6" 2>/dev/null; do sleep 1; done
) >/dev/null 2>&1 &
sampler=$!

wait "$k6"
code=$?
# A signal ends the wait before k6 ends: wait on until its own exit code is there.
while [ -n "$forwarded" ] && kill -0 "$k6" 2>/dev/null; do
  wait "$k6"
  code=$?
done
if [ -n "$forwarded" ]; then
  wait "$k6" 2>/dev/null
  again=$?
  [ "$again" -eq 127 ] || code=$again
fi
kill "$sampler" 2>/dev/null
wait "$sampler" 2>/dev/null
uptime_now
echo "end exit=$code up=$up" >>"$out"
exit "$code"
