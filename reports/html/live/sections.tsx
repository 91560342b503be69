import type { Child } from 'hono/jsx';
import { groupBy } from '../../../lib/group-by.ts';
import { count, counted, millis, percent, rate } from '../../../lib/numbers.ts';
import type { Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/verdict-words.ts';
import { Strip } from '../../charts/series.tsx';
import type { EndedCell, LiveCell, LiveChecks } from '../../model/live.ts';
import { CAUSE_COLUMNS } from '../conformance/causes.tsx';
import { Mark } from '../page/mark.tsx';
import { BareTable, Lines } from '../page/parts.tsx';

function Figure({ value, words }: { value: string; words: Child }) {
  return (
    <li>
      <span class="n">
        <b>{value}</b>
        {typeof words === 'string' ? <small>{words}</small> : words}
      </span>
    </li>
  );
}

function Bar({ done, of, words }: { done: number; of: number; words: string }) {
  return (
    <p class="bar">
      <progress value={Math.min(done, of)} max={of} aria-label={words} /> {words}
    </p>
  );
}

const time = (value: number | null) => (value === null ? '–' : millis(value));

export function RunningCell({ cell }: { cell: LiveCell }) {
  const { name, targetPerSecond, connections, seconds, course } = cell;
  const now = course.at(-1);
  const end = Math.max(seconds, now?.second ?? 0);
  const points = (pick: (one: LiveCell['course'][number]) => number | null) =>
    course.flatMap((one): [number, number][] => {
      const value = pick(one);
      return value === null ? [] : [[one.second, value]];
    });
  return (
    <>
      <h2>{name}</h2>
      <Bar done={now?.second ?? 0} of={seconds} words={`${now?.second ?? 0} of ${Math.round(seconds)} s`} />
      <ul class="strip">
        <Figure value={`${rate(now?.startedPerSecond ?? 0)}/s`} words={`rate, of ${rate(targetPerSecond)}/s`} />
        <Figure value={time(now?.p50Ms ?? null)} words="p50 of the last second" />
        <Figure value={time(now?.p99Ms ?? null)} words="p99 of the last second" />
        <Figure value={count(now?.dropped ?? 0)} words="arrivals dropped" />
        <Figure value={count(now?.failed ?? 0)} words="failed" />
        <Figure
          value={now === undefined || now.inFlight === null ? '–' : count(now.inFlight)}
          words={`in flight, on ${count(connections)} connections`}
        />
      </ul>
      <div class="charts">
        <figure>
          <Strip
            series={{ name: 'rate', limit: targetPerSecond, points: points((one) => one.startedPerSecond) }}
            words={`arrivals started per second, ${rate(targetPerSecond)} asked for`}
            end={end}
          />
        </figure>
        <figure>
          <Strip series={{ name: 'p99, ms', points: points((one) => one.p99Ms) }} end={end} />
        </figure>
      </div>
      <p class="small soft">Service times of each second; the report counts from the intended start of each arrival.</p>
    </>
  );
}

/** Rows that stay on the page; the report has all. */
const MOST_ROWS = 50;

export function EndedCells({ cells }: { cells: readonly EndedCell[] }) {
  if (cells.length === 0) return null;
  return (
    <BareTable
      caption={`Ended, the newest first${cells.length > MOST_ROWS ? `; the last ${MOST_ROWS} of ${cells.length}` : ''}`}
      rows={cells.slice(-MOST_ROWS).reverse()}
      columns={[
        ['Cell', ({ name }) => name, 'row'],
        ['Verdict', ({ verdict }) => <Mark verdict={verdict} />],
        ['Rate', ({ achievedPerSecond }) => `${rate(achievedPerSecond)}/s`, 'figures'],
        ['p50', ({ p50Ms }) => time(p50Ms), 'figures'],
        ['p99', ({ p99Ms }) => time(p99Ms), 'figures'],
        ['Dropped', ({ dropped }) => count(dropped), 'figures'],
        ['Failed', ({ failed }) => count(failed), 'figures'],
        ['Reason', ({ reason }) => reason],
      ]}
    />
  );
}

export function Checks({ checks }: { checks: LiveChecks }) {
  const { done, planned, share, counts, inWork } = checks;
  const verdicts = Object.entries(counts) as [Verdict, number][];
  return (
    <>
      <h2>Conformance</h2>
      <Bar
        done={share}
        of={1}
        words={`${count(done)} of ${counted(planned, 'result')}, ${percent(share)} of the work`}
      />
      <ul class="strip">
        {[...groupBy(verdicts, ([verdict]) => verdictWord(verdict)).values()].map((group) => (
          <Figure
            value={count(group.reduce((sum, [, number]) => sum + number, 0))}
            words={<Mark verdict={group[0]?.[0] ?? 'not-tested'} />}
          />
        ))}
      </ul>
      {inWork.length > 0 && <h3>In work</h3>}
      <Lines
        class="why"
        lines={inWork.map(({ family, check, sequences }) => [
          `${family}: `,
          <code>{check}</code>,
          sequences && `, ${sequences}`,
        ])}
      />
    </>
  );
}

/** Causes that stay on the page; the report has all. */
const MOST_CAUSES = 20;

export function CausesSoFar({ causes }: { causes: LiveChecks['causes'] }) {
  if (causes.length === 0) return null;
  return (
    <BareTable
      class="causes"
      caption={`Causes so far: ${count(causes.length)}. A baseline and second tries are taken into account in the report`}
      rows={causes.slice(0, MOST_CAUSES)}
      tone={() => 'bad'}
      columns={[CAUSE_COLUMNS.cause, CAUSE_COLUMNS.families, CAUSE_COLUMNS.results]}
    />
  );
}
