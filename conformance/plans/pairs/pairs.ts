import { type Family, hasOp, type Op } from '../../../lib/contract/types.ts';
import { inParallel } from '../../../lib/parallel.ts';
import type { PairCoverage } from '../../../lib/records/conformance.ts';
import { releaseEndpoints } from '../../driver/clear-endpoints.ts';
import { isOfAnother } from '../../driver/elsewhere.ts';
import { letters, openSession, SESSIONS } from '../../driver/open-session.ts';
import { type Found, isFound, runSteps } from '../../driver/run.ts';
import { noLessons } from '../../driver/session.ts';
import type { Tally, Topic } from '../../driver/tally.ts';
import type { CheckContext, SharedScope } from '../../kit/check.ts';
import { sideBySide } from '../../kit/delay.ts';
import { type Difference, differenceKey } from '../../model/difference.ts';
import type { Steps } from '../../steps/step.ts';
import { ancModelOf, ancScriptOf, extraRows, lacking } from './anc.ts';
import { countPairs, coveringArray, eachLevel } from './coverage.ts';
import { modelOf, type Row } from './factors.ts';
import { type Finding, findingOf, isOfKept, MOST_BEFORE } from './finding.ts';
import type { Setting } from './row-values.ts';
import { scriptOf } from './script.ts';
import { rowsAsked, sweep, sweepRows } from './sweeps.ts';
import { isTogether } from './values.ts';
import { befriend, FEW, MANY, populate, release, takesSign, undone, type Work } from './work.ts';

export type { Topic };

export interface PairsRun {
  readonly findings: readonly Finding[];
  readonly tally: Tally;
  readonly coverage: PairCoverage;
  /** What the family lacks, so that less was tried; undefined if nothing. */
  readonly lacks: string | undefined;
}

/** Sweeps of one state: what is known already hides what else is wrong with it no longer. */
const MOST_SWEEPS = 3;

async function trySweep(work: Work, row: Row, turn: number): Promise<void> {
  const { session, model } = work;
  const { family } = session.context;
  if (row['population'] === 'many') await populate(work, MANY);
  const looks = sweep(family, row, turn);
  for (let sweeps = 0; sweeps < MOST_SWEEPS; sweeps += 1) {
    const planned = scriptOf(work.settingOf(), row);
    const state = planned.map(({ step }) => step);
    const ran = await runSteps(session, [...state, ...looks]);
    if (!isFound(ran)) {
      work.forget(ran.exchanges);
      const done = looks.filter((_, at) => !ran.notDone.has(state.length + at));
      for (const each of rowsAsked(model, row, done)) countRow(work, each, undone(ran, planned));
      break;
    }
    // The looks come last: those that were asked when the difference showed show it again.
    const asked = ran.begun - state.length;
    const shown = asked < 1 ? [] : looks.slice(asked - 1, asked);
    await take(work, ran, [...state, ...shown], row);
  }
}

function countRow({ session, count }: Work, row: Row, notDone: ReadonlyMap<string, string>): void {
  const { family } = session.context;
  count.add(row, notDone, (one, other) => isTogether(family, row, one, other));
}

/** Finds out about a difference that steps showed, unless another session or the checks of another family do; told is what its plainest conditions show, unless that is told already. */
async function take(work: Work, first: Found, steps: Steps, row: Row): Promise<void> {
  const { found, shownAgain, findings } = work;
  const key = differenceKey(first.difference);
  if (found.has(key)) return;
  found.set(key, first.difference);
  if (await isOfAnother(work.session, steps, first.difference)) return;
  shownAgain.add(key);
  const isKept = isOfKept(work.session, first.difference);
  const finding = await findingOf(work, first, steps, populationOf(row));
  if (isKept) await befriend(work);
  shownAgain.clear();
  const told = differenceKey(finding.difference);
  const isOf = (other: Finding) => differenceKey(other.difference) === told;
  // A later row may show under which conditions.
  const before = findings.findIndex((other) => (other.isOpen ?? other.unsteady) !== undefined && isOf(other));
  if (before >= 0) findings.splice(before, 1, finding);
  else if (told === key || !found.has(told)) findings.push(finding);
  found.set(told, finding.difference);
  // What was shrunk, and comes and goes, another row tells no better.
  if (finding.isOpen && before < 0) found.delete(told);
}

async function tryRow(work: Work, row: Row): Promise<void> {
  // What cannot be undone would be taken for the doing of every row after it.
  if (work.session.anc.isStuck) return;
  if (row['population'] === 'many') await populate(work, MANY);
  const planned = work.isAnc ? ancScriptOf(row) : scriptOf(work.settingOf(), row);
  const steps = planned.map(({ step }) => step);
  const ran = await runSteps(work.session, steps);
  // A row that ended early brought about less than it says.
  if (!isFound(ran)) {
    work.forget(ran.exchanges);
    countRow(work, row, undone(ran, planned));
  } else await take(work, ran, steps.slice(0, ran.begun), row);
  work.last.push(steps);
  if (work.last.length > MOST_BEFORE) work.last.shift();
}

const RECORD_WRITES: readonly Op[] = ['create', 'update', 'delete', 'bulkSubmit', 'bulkMonitor'];

/** The family without some of its operations: one in which a run writes nothing has the records of others alone. */
const without = (family: Family, left: readonly Op[]): Family => ({
  ...family,
  ops: family.ops.filter((op) => !left.includes(op)),
});

const isFew = (row: Row): boolean => row['population'] !== 'many';
const populationOf = (row: Row): number => (isFew(row) ? FEW : MANY);

/** Tries every pair of conditions on one family, and says which differences they showed. */
export async function runPairs(context: CheckContext, scope: SharedScope): Promise<PairsRun> {
  const { family, table, run } = context;
  const found = new Map<string, Difference>();
  const lessons = noLessons(run);
  // Where the client makes nothing more, the records of others are looked at.
  const isWritten = run.mayCreate() && context.ledger.closed(family.name) === undefined;
  const open = async (turn: number, isReadOnly: boolean) => {
    const shownAgain = new Set<string>();
    const isKnown = (difference: Difference) => {
      const key = differenceKey(difference);
      return found.has(key) && !shownAgain.has(key);
    };
    const shape = isReadOnly ? without(family, [...RECORD_WRITES, 'apply', 'clear']) : family;
    return {
      session: await openSession({ ...context, ...scope, family: shape }, { isKnown, lessons, turn }),
      shownAgain,
    };
  };
  const isOfEndpoints = hasOp(family, 'apply');
  // That a pool is too small is known before anything is asked; how many endpoints others have is not.
  let lacks = isOfEndpoints ? lacking(context, 0) : undefined;
  let first = await open(0, !isWritten && (!isOfEndpoints || lacks !== undefined));
  if (isOfEndpoints && lacks === undefined) {
    lacks = lacking(context, first.session.others.count);
    if (lacks !== undefined) first = await open(0, true);
  }
  const { session } = first;
  const isAnc = isOfEndpoints && lacks === undefined;
  const own = isWritten ? family : without(family, RECORD_WRITES);
  const isListed = (member: string) => member in run.values.adaptAll({ [member]: '' });
  const target = { isFull: run.isFull, isTaken: takesSign(run, family), isListed };
  const model = isAnc ? ancModelOf(session) : modelOf(table, own, target);
  let serial = 0;
  const settingOf = (): Setting => {
    serial += 1;
    return { table, family, samples: (turn) => run.values.samples(turn), word: `w${letters(serial, 4)}` };
  };
  const shared = { model, isAnc, settingOf, count: countPairs(model), findings: [], found, forget: scope.forget };
  const begin = async (opened: Awaited<ReturnType<typeof open>>): Promise<Work> => {
    const work: Work = { ...shared, ...opened, last: [] };
    scope.onRelease(() => (isAnc ? releaseEndpoints(work.session) : release(work.session)));
    if (isWritten) await befriend(work);
    if (isWritten || isAnc) await populate(work, FEW);
    return work;
  };
  const works = [await begin(first)];
  if (isWritten)
    for (let turn = 1; turn < sideBySide(run.dialect, family, run.trial()); turn += 1)
      works.push(await begin(await open(SESSIONS.pairs + turn, false)));
  const isAsked = model.factors.some(({ name }) => name === 'operator');
  const sweeps = isAsked ? await sweepRows(model, run.depth, run.seed) : [];
  const rows = run.depth === 'quick' ? await eachLevel(model, run.seed) : await coveringArray(model, run.seed);
  const sequences = [
    ...sweeps.map((row, turn) => (work: Work) => trySweep(work, row, turn)),
    ...[...rows.filter(isFew), ...rows.filter((each) => !isFew(each)), ...(isAnc ? extraRows(model) : [])].map(
      (row) => (work: Work) => tryRow(work, row),
    ),
  ];
  let done = 0;
  const free = [...works];
  await inParallel(sequences, works.length, async (sequence) => {
    scope.sequences(done, sequences.length);
    const work = free.pop() as Work;
    await sequence(work);
    free.push(work);
    done += 1;
  });
  scope.sequences(sequences.length, sequences.length);
  const tally: Tally = new Map();
  for (const work of works)
    for (const [topic, times] of work.session.count.tally) tally.set(topic, (tally.get(topic) ?? 0) + times);
  return { findings: shared.findings, tally, coverage: shared.count.coverage(), lacks };
}
