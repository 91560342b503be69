import { loadCellName, touchedWords } from '../../../lib/judge/cell/judge-load.ts';
import { reconciliationWords } from '../../../lib/judge/cell/rules/reconcile.ts';
import { sizingWords } from '../../../lib/judge/cell/sizing.ts';
import { settledWords } from '../../../lib/judge/cell/window.ts';
import { present } from '../../../lib/present.ts';
import type { CellReport } from '../../../lib/records/load/load.ts';
import type { Report } from '../../../lib/records/report.ts';
import { cellWord, count, millis, rate } from '../../../lib/text.ts';
import { Spectrum } from '../../charts/spectrum.tsx';
import { SeriesStrips, Timeline } from '../../charts/timeline.tsx';
import { BareTable, Lines, Mark } from '../page/parts.tsx';

export function cellAnchor({ id, attempt }: Pick<CellReport, 'id' | 'attempt'>): string {
  return `cell-${id.replace(/[^\w-]/g, '-')}-try-${attempt}`;
}

function Rules({ cell }: { cell: CellReport }) {
  return (
    <BareTable
      caption="Rules behind the verdict"
      rows={cell.rules.toSorted((a, b) => Number(a.holds !== false) - Number(b.holds !== false))}
      tone={({ holds, effect }) => (holds !== false ? '' : effect === 'violated' ? 'bad' : 'open')}
      columns={[
        ['Holds', ({ holds }) => (holds === null ? 'not measured' : holds ? 'yes' : <b>NO</b>)],
        ['Rule', ({ text, id }) => [`${text} `, <span class="soft small">{id}</span>], 'row'],
        ['Measured', ({ measured }) => measured],
        ['Limit', ({ limit }) => limit],
        ['If not', ({ effect }) => effect],
      ]}
    />
  );
}

function Failures({ cell }: { cell: CellReport }) {
  if (cell.failures.length === 0) return <p class="small soft">No transaction failed.</p>;
  return (
    <BareTable
      caption="Failed transactions by kind and by what the target said"
      rows={cell.failures}
      columns={[
        ['Kind', ({ kind }) => kind, 'row'],
        ['Status', ({ status }) => (status === 0 ? 'no answer' : status)],
        ['Number', (failure) => count(failure.count), 'figures'],
        ['What the target said first', ({ example }) => example ?? ''],
      ]}
    />
  );
}

/** What no rule above tells: the figures of the generator stand there. */
function factLines(
  { facts, lag, inFlightMean, settledSeconds }: CellReport,
  { embedded }: Report['run']['target'],
): string[] {
  const { plan, generator, readBack, counts } = facts;
  const proven = `${count(readBack.proven)} of ${count(readBack.sampled)} sampled endpoints were in the promised state`;
  const totals = `endpoints with a policy ${readBack.totalBefore ?? 'not counted'} before, ${readBack.totalAfter ?? 'not counted'} after`;
  const [sized, settled] = [sizingWords(facts), settledWords(settledSeconds, plan.warmupSeconds)];
  return present(
    `Plan: ${rate(plan.targetPerSecond)}/s for ${plan.durationSeconds - plan.warmupSeconds} s after ${facts.ramp === undefined ? '' : `a ramp-up of ${facts.ramp.seconds} s and `}${plan.warmupSeconds} s of warm-up, ${plan.connections} connections, time-out ${count(plan.timeoutMs)} ms, pool of ${count(plan.poolSize)} endpoints, an endpoint again after ${count(plan.reuseSeconds)} s; ${count(plan.sessions)} sessions${embedded ? '' : ' declared, not verified'}; depth ${facts.depth}, try ${facts.attempt}.`,
    sized && `Connections: ${sized}.`,
    settled && `Steady state: ${settled}.`,
    `Stream, warm-up included: ${count(counts.scheduled)} scheduled, ${count(counts.started)} started, ${count(counts.dropped)} dropped, ${count(counts.recorded)} recorded, ${count(counts.exceptions)} exceptions.`,
    `Read-back: ${readBack.skipped ?? `${proven}; ${totals}`}.`,
    readBack.reconciliation && `The list compared with the successes: ${reconciliationWords(readBack.reconciliation)}.`,
    readBack.inFlight &&
      `Read back during the load: ${count(readBack.inFlight.proven)} of ${count(readBack.inFlight.sampled)} endpoints were in the promised state${readBack.inFlight.skipped === undefined ? '' : `; given up: ${readBack.inFlight.skipped}`}.`,
    `Generator: k6 ${generator.k6Version}, binary ${generator.k6Sha256.slice(0, 12)}, bundle ${generator.bundleSha256.slice(0, 12)}, ${generator.cores} processors, exit code ${generator.exitCode ?? generator.signal ?? 'none'}.`,
    `Lag of the generator: p50 ${millis(lag.p50Ms)}, p99 ${millis(lag.p99Ms)}, max ${millis(lag.maxMs)}. Mean number in flight: ${inFlightMean.toFixed(2)}.`,
    readBack.mismatches.length > 0 && `Not as promised: ${readBack.mismatches.slice(0, 10).join('; ')}.`,
    generator.warnings.length > 0 && `k6 warned: ${generator.warnings.slice(0, 5).join('; ')}.`,
    facts.fault !== undefined && `The cell could not be run: ${facts.fault}.`,
  );
}

export function CellDetails(props: {
  readonly cell: CellReport;
  readonly target: Report['run']['target'];
  readonly open?: boolean;
  readonly printed?: boolean;
}) {
  const { cell, target, open = false, printed = false } = props;
  return (
    <details class={printed ? 'card cell shown' : 'card cell'} id={cellAnchor(cell)} open={open}>
      <summary>
        <Mark verdict={cell.verdict} word={cellWord(cell.verdict, cell.facts.step)} /> <b>{loadCellName(cell)}</b> (
        {touchedWords(cell.facts, target)}){' '}
        <span class="soft">
          {rate(cell.achievedPerSecond)}/s achieved, response p99 {millis(cell.responseTime.p99Ms)}
          {cell.attempt > 1 ? ', second try' : ''}
          {cell.reasons.length === 0 ? '' : ` · ${cell.reasons[0]}`}
        </span>
      </summary>
      <Lines lines={cell.reasons} />
      <div class="charts">
        <Spectrum cell={cell} />
        <Timeline cell={cell} />
        <SeriesStrips cell={cell} />
      </div>
      <div class="wide no-print" tabindex={0}>
        <Rules cell={cell} />
      </div>
      <div class="wide" tabindex={0}>
        <Failures cell={cell} />
      </div>
      <Lines class="small" lines={factLines(cell, target)} />
    </details>
  );
}
