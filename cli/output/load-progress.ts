import { reconciliationWords } from '../../lib/judge/cell/rules/reconcile.ts';
import { counted, duration } from '../../lib/numbers.ts';
import { rampUpSeconds } from '../../load/plan/describe.ts';
import type { LoadProgress } from '../../load/run/progress.ts';
import type { Output } from './output.ts';
import { startProgress } from './progress.ts';

/** Shows a load as it goes: a bar of seconds for each cell, and its verdict. Steps of a search have a number and no end. */
export function progressView(output: Output): (event: LoadProgress) => void {
  let bar: ReturnType<typeof startProgress> | undefined;
  const name = (event: Extract<LoadProgress, { kind: 'cell-start' | 'cell-end' }>) => {
    const { profile, operation, targetPerSecond, connections, step, iteration } = event.cell;
    return step === undefined
      ? `load ${event.index + 1}/${event.of} ${profile} ${operation}${iteration === undefined ? '' : ` iteration ${iteration}`}`
      : `step ${step.number} ${profile} ${operation} ${targetPerSecond}/s on ${counted(connections, 'connection')}`;
  };
  return (event) => {
    if (event.kind === 'cell-start') {
      const { warmupSeconds, durationSeconds } = event.cell;
      const again = event.attempt === 2 ? ', once more' : '';
      const { of, leftSeconds } = event;
      if (leftSeconds !== undefined && of > 1) output.say(`about ${duration(leftSeconds * 1000)} left in all`);
      const total = rampUpSeconds(event.cell) + warmupSeconds + durationSeconds;
      bar = startProgress(`${name(event)}${again}`, total, output);
    } else if (event.kind === 'second') {
      const { second, startedPerSecond, dropped, p99Ms } = event.progress;
      bar?.update(
        second,
        `${startedPerSecond}/s, ${dropped} dropped, p99 ${p99Ms === null ? '-' : p99Ms.toFixed(1)} ms`,
      );
    } else if (event.kind === 'cell-end') {
      const { verdict, achievedPerSecond, dropped, failed, serviceTime } = event.report;
      const figures = `${achievedPerSecond.toFixed(1)}/s, ${dropped} dropped, ${failed} failed, service p99 ${serviceTime.p99Ms?.toFixed(1) ?? '-'} ms`;
      bar?.stop(`${name(event)}: ${verdict}, ${figures}`);
      const { reconciliation } = event.report.facts.readBack;
      if (reconciliation !== undefined) output.say(`  list: ${reconciliationWords(reconciliation)}`);
    } else if (event.kind === 'told') {
      output.say(event.text);
    } else if (event.kind === 'cleaning') {
      output.say(`clearing ${counted(event.endpoints, 'endpoint')}`);
    }
  };
}
