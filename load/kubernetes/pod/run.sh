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
# Exit codes: 0 every cell finished; 2 usage; 3 a cell could not be run, with the reason; 130 and 143 stopped by a
# signal, after the cell that was running was deleted.
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
# Pods of a cell: name, phase, waiting reason, ending, exit code, why it is not scheduled.
pods() {
  $kubectl get pods -l "k6_cr=$1" -o 'jsonpath={range .items[*]}{.metadata.name}|{.metadata.labels.runner}|{.status.phase}|{.status.containerStatuses[0].state.waiting.reason}|{.status.containerStatuses[0].state.terminated.reason}|{.status.containerStatuses[0].state.terminated.exitCode}|{.status.conditions[?(@.type=="PodScheduled")].message}{"\n"}{end}'
}
failed() { awk -F'|' '$3=="Failed" || ($6!="" && $6!="0") {print $1 " ended with exit code " $6 " (" $5 ")"; exit}'; }
stuck() {
  awk -F'|' '$4 ~ /Error|BackOff|Invalid/ {print $1 " does not start: " $4; exit} $3=="Pending" && $7!="" {print $1 " is not scheduled: " $7; exit}'
}

# Waits for the end of a cell: name, planned seconds, runners. Prints the reason where it does not finish.
await() {
  began=$(now) since='' was=''
  while :; do
    stage=$($kubectl get testrun "$1" -o 'jsonpath={.status.stage}' 2>/dev/null) || { echo "the TestRun is gone"; return 3; }
    list=$(pods "$1")
    runners=$(printf '%s\n' "$list" | awk -F'|' '$2=="true"' | grep -c .)
    reason=$(printf '%s\n' "$list" | failed)
    [ -z "$reason" ] || { echo "$reason"; return 3; }
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

# Takes a cell away and waits until its pods are gone: as long as one of them runs, it loads the target.
remove() {
  $kubectl delete testrun "$1" --ignore-not-found --wait=true --timeout=120s >&2 || return 3
  removed=$(now)
  while :; do
    left=$($kubectl get pods -l "k6_cr=$1" -o name) || return 3
    [ -n "$left" ] || return 0
    [ $(($(now) - removed)) -lt "$patience" ] || return 3
    sleep 1
  done
}

status=0
name=
why=
# Says why the cells are not whole. The first reason is said again at the end, after what kubectl says.
because() {
  status=3
  [ -n "$why" ] || why=$1
  echo "$1" >&2
}
stop() {
  trap '' INT TERM
  echo "run.sh: stopping" >&2
  [ -z "$name" ] || remove "$name" || echo "run.sh: $name may still be running: kubectl get pods -l k6_cr=$name" >&2
  $kubectl delete pod ers-harness-reader --ignore-not-found --wait=false >&2
  exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM
$kubectl apply --server-side -k . >&2 || { echo "run.sh: the cluster did not take the scenarios and the volume" >&2; exit 3; }
while read -r name seconds runners <&3; do
  if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac; fi
  # A finished TestRun that is applied again stays finished, and nothing runs: remove it first.
  remove "$name" || { because "$name: what an earlier run left cannot be removed; is the k6-operator installed?"; break; }
  sed "s/by-hand/$run/" "$name.yaml" | $kubectl apply -f - >&2 || { because "$name: the manifest was refused"; break; }
  reason=$(await "$name" "$seconds" "$runners") || because "$name: $reason"
  $kubectl get pods -l "k6_cr=$name" -o json >"$run/$name.pods.json" || because "$name: the pods cannot be read"
  if [ "$status" -ne 0 ]; then
    # Runners that are left would go on, or wait for ever. What they said goes with them, so it is kept.
    $kubectl logs -l "k6_cr=$name" --prefix --tail=200 >"$run/$name.log" 2>&1
    remove "$name" || because "$name may still be running: kubectl get pods -l k6_cr=$name"
    break
  fi
  echo "$name: finished" >&2
done 3<cells.txt

if $kubectl apply -f reader.yaml >&2 && $kubectl wait --for=condition=Ready pod/ers-harness-reader --timeout=120s >&2; then
  $kubectl exec ers-harness-reader -- tar -C /samples -cf - "$run" | tar -xf - || because "the samples could not be copied"
  $kubectl delete pod ers-harness-reader --wait=false >&2
else
  because "the volume could not be read"
fi
if [ "$status" -eq 0 ]; then echo "$run"; else echo "run.sh: $why" >&2; fi
exit "$status"
