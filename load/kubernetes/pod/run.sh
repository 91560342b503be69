#!/bin/sh
# Runs the cells of this folder one after the other and copies what their runners wrote into ./<run>/.
#
#   ./run.sh [CELL...]     all cells of cells.txt, or those that are named
#
#   ERS_RUN       name of the run, and of its folder; the time of its start unless set
#   KUBECTL       kubectl with its options; kubectl unless set
#   ERS_POLL      seconds between two looks; 5 unless set
#   ERS_PATIENCE  seconds that a pod may be stuck, or take to end; 90 unless set
#
# Exit codes: 0 every cell finished; 2 usage; 3 a cell could not be run, with the reason; 4 it could not, and cannot
# until something is changed; 5 runners are left that may load the target; 130 and 143 stopped by a signal, with nothing left.
set -u
cd "$(dirname "$0")" || exit 2
kubectl=${KUBECTL:-kubectl}
run=${ERS_RUN:-$(date -u +%Y%m%dt%H%M%Sz)}
poll=${ERS_POLL:-5}
patience=${ERS_PATIENCE:-90}
# A cell may take this many seconds longer than planned: pods start, volumes are mounted.
slack=${ERS_SLACK:-300}
case $run in *[!A-Za-z0-9._-]* | .* | '') echo "run.sh: ERS_RUN has to be letters, digits, dots and dashes" >&2; exit 2 ;; esac
for cell in "$@"; do
  grep -q "^$cell " cells.txt || { echo "run.sh: cells.txt has no cell $cell" >&2; exit 2; }
done
mkdir -p "$run" || exit 2

now() { date +%s; }
# Pods of a cell: name, runner, phase, waiting reason, ending, exit code, why it is not scheduled, when it ended.
pods() {
  $kubectl get pods -l "k6_cr=$1" -o 'jsonpath={range .items[*]}{.metadata.name}|{.metadata.labels.runner}|{.status.phase}|{.status.containerStatuses[0].state.waiting.reason}|{.status.containerStatuses[0].state.terminated.reason}|{.status.containerStatuses[0].state.terminated.exitCode}|{.status.conditions[?(@.type=="PodScheduled")].message}|{.status.containerStatuses[0].state.terminated.finishedAt}{"\n"}{end}'
}
# The first pod that ended badly.
failed() { awk -F'|' '$3=="Failed" || ($6!="" && $6!="0")' | sort -t'|' -k8,8 | head -n 1; }
# How it ended, and what its program said last; a program that was killed says nothing about that.
ending() {
  words=$(printf '%s\n' "$1" | awk -F'|' '{print $1 " ended with exit code " $6 " (" $5 ")"}')
  said=$(printf '%s\n' "$1" | awk -F'|' '$6+0<128 {print $1}')
  [ -z "$said" ] || said=$($kubectl logs "$said" --tail=20 2>/dev/null | grep . | tail -n 1 | cut -c 1-400)
  echo "$words${said:+: $said}"
}
stuck() {
  awk -F'|' '$4 ~ /Error|BackOff|Invalid/ {print $1 " does not start: " $4; exit} $3=="Pending" && $7!="" {print $1 " is not scheduled: " $7; exit}'
}

# Waits for the end of a cell: name, planned seconds, runners. Prints the reason where it does not finish; 4 where another try
# would end in the same way: the initializer reads what the manifest says and asks nobody.
await() {
  began=$(now) since='' was=''
  while :; do
    stage=$($kubectl get testrun "$1" -o 'jsonpath={.status.stage}' 2>"$run/words") || { echo "the TestRun cannot be read: $(tail -n 1 "$run/words")"; return 3; }
    list=$(pods "$1" 2>"$run/words") || { echo "the pods cannot be read: $(tail -n 1 "$run/words")"; return 3; }
    runners=$(printf '%s\n' "$list" | awk -F'|' '$2=="true"' | grep -c .)
    bad=$(printf '%s\n' "$list" | failed)
    if [ -n "$bad" ]; then
      ending "$bad"
      printf '%s\n' "$bad" | awk -F'|' -v of="$1-initializer" 'index($1, of)==1 && $6+0<128 {exit 4} {exit 3}'
      return
    fi
    case $stage in
      error) echo "the operator reports an error"; return 3 ;;
      finished | stopped)
        [ "$runners" -eq "$3" ] || { echo "$runners of $3 runners are left"; return 3; }
        running=$(printf '%s\n' "$list" | awk -F'|' '$2=="true" && $3!="Succeeded"' | grep -c .)
        [ "$running" -gt 0 ] || return 0 ;;
      started) [ "$runners" -ge "$3" ] || { echo "a runner is lost: $runners of $3 are left"; return 3; } ;;
    esac
    reason=$(printf '%s\n' "$list" | stuck)
    if [ -z "$reason" ]; then since=''; elif [ -z "$since" ]; then since=$(now); fi
    if [ -n "$since" ] && [ $(($(now) - since)) -ge "$patience" ]; then echo "$reason"; return 3; fi
    if [ $(($(now) - began)) -gt $(($2 + slack)) ]; then
      echo "not finished after $(($2 + slack)) s: the operator says ${stage:-nothing}, $runners of $3 runners are there"
      return 3
    fi
    [ "$stage" = "$was" ] || { echo "$1: ${stage:-waiting for the operator}" >&2; was=$stage; }
    sleep "$poll"
  done
}

# Takes a cell away and waits until nothing of it is left: as long as a runner runs, it loads the target. Otherwise says
# in $left what is there: 5 where pods or jobs are, 3 where kubectl fails or a service is, which the operator would trip over.
remove() {
  end_pods "$1" || return 3
  left=$($kubectl delete testrun "$1" --ignore-not-found --wait=true --timeout=120s 2>&1) || return 3
  removed=$(now)
  while :; do
    # The cluster removes them by itself, but may take half a minute to begin.
    end_pods "$1" || return 3
    $kubectl delete jobs,services -l "k6_cr=$1" --ignore-not-found --wait=false >/dev/null 2>&1
    left=$($kubectl get jobs,pods,services -l "k6_cr=$1" -o name 2>&1) || return 3
    [ -n "$left" ] || return 0
    left=$(echo $left)
    if [ $(($(now) - removed)) -ge "$patience" ]; then case " $left" in *" pod/"* | *" job"*) return 5 ;; esac; return 3; fi
    sleep 1
  done
}
# With a time to end: operators before 1.5 give runners none, and the cluster would forget them at once, while they may run on.
end_pods() {
  left=$($kubectl delete pods -l "k6_cr=$1" --grace-period=30 --ignore-not-found --wait=false 2>&1)
}

status=0
name=
why=
# Says why the cells are not whole: exit code and reason. The first reason is said again at the end, after what kubectl says.
because() {
  [ "$status" -ge "$1" ] || status=$1
  [ -n "$why" ] || why=$2
  echo "$2" >&2
}
# After the cell was begun: whatever keeps it from being removed, its runners may go on.
clear_away() {
  remove "$name" && return
  case "$left" in service/*) because 3 "$name is still there: $left" ;; *) because 5 "$name may still load the target: $left" ;; esac
}
stop() {
  trap '' INT TERM
  echo "run.sh: stopping" >&2
  $kubectl delete pod ers-harness-reader --ignore-not-found --wait=false >&2
  [ -z "$name" ] || clear_away
  [ "$status" -ne 5 ] || exit 5
  exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM
$kubectl apply --server-side -k . >&2 || { echo "run.sh: the cluster did not take the scenarios and the volume" >&2; exit 4; }
while read -r next seconds runners <&3; do
  if [ $# -gt 0 ]; then case " $* " in *" $next "*) ;; *) continue ;; esac; fi
  # A finished TestRun that is applied again stays finished, and nothing runs: remove it first.
  remove "$next" || { because $? "$next: what an earlier run left is still there: $left"; break; }
  name=$next
  sed "/name: ERS_RUN\$/{n;s/by-hand/$run/;}" "$name.yaml" | $kubectl apply -f - >&2 || because 4 "$name: the manifest was refused"
  if [ "$status" -eq 0 ]; then
    reason=$(await "$name" "$seconds" "$runners") || because $? "$name: $reason"
    $kubectl get pods -l "k6_cr=$name" -o json >"$run/$name.pods.json" || because 3 "$name: the pods cannot be read"
  fi
  if [ "$status" -ne 0 ]; then
    # Runners that are left would go on, or wait for ever. What they said goes with them, so it is kept.
    $kubectl logs -l "k6_cr=$name" --prefix --tail=200 >"$run/$name.log" 2>&1
    clear_away
    break
  fi
  echo "$name: finished" >&2
done 3<cells.txt
rm -f "$run/words"

if $kubectl apply -f reader.yaml >&2 && $kubectl wait --for=condition=Ready pod/ers-harness-reader --timeout=120s >&2; then
  $kubectl exec ers-harness-reader -- tar -C /samples -cf - "$run" | tar -xf - || because 3 "the samples could not be copied"
  $kubectl delete pod ers-harness-reader --wait=false >&2
else
  because 3 "the volume could not be read"
fi
if [ "$status" -eq 0 ]; then echo "$run"; else echo "run.sh: $why" >&2; fi
exit "$status"
