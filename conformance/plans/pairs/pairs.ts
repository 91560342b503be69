import { hasOp } from '../../../lib/contract/types.ts';
import type { PairCoverage } from '../../../lib/records/conformance.ts';
import { releaseEndpoints } from '../../driver/clear-endpoints.ts';
import { openSession } from '../../driver/open-session.ts';
import { runSteps } from '../../driver/run.ts';
import type { CheckContext, SharedScope } from '../../kit/check.ts';
import { differenceKey } from '../../model/difference.ts';
import { ancModelOf, extraRows, mayApply } from './anc.ts';
import { coveringArray, eachLevel } from './array.ts';
import { countPairs } from './coverage.ts';
import { modelOf, type Row } from './factors.ts';
import { type Finding, findingOf } from './finding.ts';
import type { Setting } from './row-values.ts';
import { scriptOf } from './script.ts';
import { sweep, sweepRows } from './sweeps.ts';
import {
  befriend,
  FEW,
  isFound,
  letters,
  MANY,
  populate,
  release,
  runRow,
  undone,
  type Work,
  withinTarget,
} from './work.ts';

/** What the pairs of a family came to. */
export interface PairsRun {
  readonly findings: readonly Finding[];
  readonly comparisons: number;
  readonly coverage: PairCoverage;
}

/** Asks every operator on every field in one state after the other. */
async function trySweeps(work: Work): Promise<void> {
  const { context } = work.session;
  for (const [turn, row] of sweepRows(work.model, context.run.depth).entries()) {
    if (row['population'] === 'many') await populate(work, MANY);
    const planned = scriptOf(work.settingOf(), row);
    const ran = await runSteps(
      work.session,
      [...planned.map(({ step }) => step), ...sweep(context.family, row, turn)],
      work.foreign,
    );
    if (!isFound(ran)) continue;
    work.found.add(differenceKey(ran.difference));
    const { difference, grounds, exchanges } = ran;
    const plain = new Map(work.model.factors.map(({ name, levels }) => [name, levels[0]]));
    const conditions = Object.fromEntries(
      Object.entries(row).filter(([name, level]) => plain.has(name) && plain.get(name) !== level),
    );
    work.findings.push({ difference, grounds, conditions, exchanges, isFlaky: false });
  }
}

async function tryRow(work: Work, row: Row): Promise<void> {
  // What cannot be undone would be taken for the doing of every row after it.
  if (work.session.anc.isStuck) return;
  if (row['population'] === 'many') await populate(work, MANY);
  const { ran, planned } = await runRow(work, row);
  // A row that ended early brought about less than it says.
  if (ran.difference === undefined) work.count.add(row, undone(ran, planned));
  if (isFound(ran)) {
    const finding = await findingOf(work, row, ran);
    work.found.add(differenceKey(ran.difference));
    work.findings.push(finding);
  }
  work.last.push(row);
}

const isFew = (row: Row): boolean => row['population'] !== 'many';

/** Tries every pair of conditions on one family, and says which differences they showed. */
export async function runPairs(context: CheckContext, scope: SharedScope): Promise<PairsRun> {
  const { family, table, run } = context;
  const found = new Set<string>();
  const { session, foreign } = await openSession({ ...context, ...scope }, { isKnown: (key) => found.has(key) });
  const isWritten = run.mayCreate() && hasOp(family, 'create');
  const whole = modelOf(
    table,
    isWritten ? family : { ...family, ops: family.ops.filter((op) => op !== 'create') },
    run.endpoints !== undefined,
  );
  const isAnc = mayApply(session, foreign);
  const model = isAnc ? ancModelOf(session) : withinTarget(whole, run, family);
  let serial = 0;
  const settingOf = (): Setting => {
    serial += 1;
    return { table, family, samples: (turn) => run.values.samples(turn), word: `w${letters(serial)}`, turn: serial };
  };
  const work: Work = {
    session,
    model,
    foreign,
    isAnc,
    settingOf,
    count: countPairs(model),
    findings: [],
    found,
    last: [],
  };
  scope.onRelease(() => (isAnc ? releaseEndpoints(session) : release(session)));
  if (isWritten) await befriend(work);
  if (isWritten || isAnc) await populate(work, FEW);
  if (model.factors.some(({ name }) => name === 'operator')) await trySweeps(work);
  const rows =
    run.depth === 'quick' ? await eachLevel(model, run.seed) : await coveringArray(model, { seed: run.seed });
  for (const row of [...rows.filter(isFew), ...rows.filter((each) => !isFew(each))]) await tryRow(work, row);
  if (isAnc) for (const row of extraRows(model)) await tryRow(work, row);
  return { findings: work.findings, comparisons: session.count.comparisons, coverage: work.count.coverage() };
}
