import type { Exchange } from '../../../lib/client/types.ts';
import { type Family, fieldsOf, hasOp } from '../../../lib/contract/types.ts';
import type { PairCoverage } from '../../../lib/records/conformance.ts';
import type { Grounds } from '../../../lib/records/histories.ts';
import { releaseEndpoints } from '../../driver/clear-endpoints.ts';
import { openSession } from '../../driver/open-session.ts';
import { type Ran, runSteps } from '../../driver/run.ts';
import { note, type Session } from '../../driver/session.ts';
import { hurried } from '../../driver/settle.ts';
import { shrink } from '../../driver/shrink.ts';
import type { CheckContext, SharedScope } from '../../kit/check.ts';
import { nameMember, rangedMembers } from '../../kit/fields.ts';
import { type Difference, differenceKey } from '../../model/difference.ts';
import { PLAIN, type Step } from '../../steps/step.ts';
import { ancModelOf, ancScriptOf, extraRows, mayApply, standing } from './anc.ts';
import { coveringArray, eachLevel } from './array.ts';
import { countPairs } from './coverage.ts';
import { type Model, modelOf, type Row, relatives } from './factors.ts';
import type { Setting } from './row-values.ts';
import { RELATIVE } from './row-writes.ts';
import { type Planned, scriptOf } from './script.ts';
import { sweep, sweepRows } from './sweeps.ts';
import { SIGNS } from './values.ts';

/** A difference with the conditions that still show it. */
export interface Finding {
  readonly difference: Difference;
  /** What it rests on, if an observation shows it. */
  readonly grounds: Grounds | undefined;
  /** The factors that matter, with their levels. */
  readonly conditions: Row;
  readonly exchanges: readonly Exchange[];
  /** Shown once, and by none of the tries after that. */
  readonly isFlaky: boolean;
}

/** What the pairs of a family came to. */
export interface PairsRun {
  readonly findings: readonly Finding[];
  readonly comparisons: number;
  readonly coverage: PairCoverage;
}

/** Records that are there beside those of a row: enough to tell filters apart, and more than a page of usual size. */
const FEW = 8;
/** Numbers that stand in another order as texts, hold each other's digits, and lie around powers of two. */
const DIGITS = [313, 3131, 14, 32_766, 40_001, 65_518, 150, 8] as const;
const MANY = 24;
/** Runs of a row that shrinking may take, and findings that are shrunk. */
const SHRINK_RUNS = 40;
const MOST_FINDINGS = 12;

/** A number in small letters alone, which every collation sorts alike. */
function letters(number: number): string {
  const signs = [17_576, 676, 26, 1].map((unit) => String.fromCharCode(97 + (Math.floor(number / unit) % 26)));
  return signs.join('');
}

/** Levels that the target has: signs that no text of the family may hold are left out, with the reason. */
function withinTarget(model: Model, { values }: CheckContext['run'], family: Family): Model {
  const members = [nameMember(family) ?? 'name', 'description'].filter((member) => member in fieldsOf(family));
  const factors = model.factors.map((factor) =>
    factor.name !== 'sign'
      ? factor
      : {
          ...factor,
          levels: factor.levels.filter((level) =>
            members.some((member) => values.takes(member, `a${SIGNS[level]}b`, family.name)),
          ),
        },
  );
  return { ...model, factors: factors.filter(({ levels }) => levels.length > 1) };
}

interface Work {
  readonly session: Session;
  readonly model: Model;
  readonly foreign: number;
  /** Policies are put on endpoints, and no records are written. */
  readonly isAnc: boolean;
  readonly settingOf: () => Setting;
  readonly count: ReturnType<typeof countPairs>;
  readonly findings: Finding[];
  readonly found: Set<string>;
  /** The rows that ran last. */
  readonly last: Row[];
}

/** Makes records that no row writes to. */
async function populate({ session, settingOf, foreign, isAnc }: Work, count: number): Promise<void> {
  if (isAnc) {
    await runKept(session, standing(session, count), foreign);
    return;
  }
  const { context, book } = session;
  const have = [...book.values()].filter(({ isLive, family }) => isLive && family === context.family.name).length;
  for (let made = have; made < count; made += 1) {
    const { word, samples } = settingOf();
    const texts: Record<string, unknown> = { ...samples((made % 2) as 0 | 1) };
    for (const member of rangedMembers(context.family)) texts[member] = DIGITS[made % DIGITS.length];
    if ('description' in texts) texts['description'] = `${word}${'xyzw'[made % 4]}`;
    const step: Step = {
      step: 'create',
      as: `population ${made}`,
      name: { fresh: 'xyz'[made % 3] ?? '' },
      set: texts,
      form: 'json',
      carried: PLAIN,
    };
    const { notDone } = await runKept(session, [step], foreign);
    if (notDone.size > 0) return;
  }
}

/** Makes one record of each related family, which rows change and do not remove. */
async function befriend({ session, foreign }: Work): Promise<void> {
  const { context, kept } = session;
  for (const [whose, family] of Object.entries(relatives(context.table, context.family))) {
    const as = `${RELATIVE}${whose}`;
    await runSteps(
      session,
      [{ step: 'create', as, family, name: { fresh: '' }, set: {}, form: 'json', carried: PLAIN }],
      foreign,
      { keep: true },
    );
    const key = session.labels.get(as);
    if (key !== undefined) kept.set(as, key);
    session.labels.clear();
  }
}

/** Runs steps whose records stay. */
async function runKept(session: Session, steps: readonly Step[], foreign: number): Promise<Ran> {
  const ran = await runSteps(session, steps, foreign, { keep: true });
  session.labels.clear();
  return ran;
}

async function runRow(work: Work, row: Row): Promise<{ readonly ran: Ran; readonly planned: readonly Planned[] }> {
  const planned = work.isAnc ? ancScriptOf(row) : scriptOf(work.settingOf(), row);
  const ran = await runSteps(
    work.session,
    planned.map(({ step }) => step),
    work.foreign,
  );
  return { ran, planned };
}

/** Factors of a row whose levels did not come about, with the reason. */
function undone({ notDone }: Ran, planned: readonly Planned[]): ReadonlyMap<string, string> {
  return new Map(
    [...notDone].flatMap(([at, why]) => (planned[at]?.carries ?? []).map((factor): [string, string] => [factor, why])),
  );
}

/** Runs a row again, alone and then after those that ran before it. */
async function replays(work: Work, row: Row, key: string): Promise<boolean> {
  const shows = async (rows: readonly Row[]) => {
    let last: Difference | undefined;
    for (const each of rows) last = (await runRow(work, each)).ran.difference;
    return last !== undefined && differenceKey(last) === key;
  };
  return (await shows([row])) || (await shows([...work.last.slice(-3), row]));
}

/** A run that ended with a difference. */
type Found = Ran & { readonly difference: Difference };
const isFound = (ran: Ran): ran is Found => ran.difference !== undefined;

/** The finding of a difference: its conditions put back to their plainest for as long as it still shows. */
async function findingOf(work: Work, row: Row, first: Found): Promise<Finding> {
  const { difference, grounds, exchanges } = first;
  const key = differenceKey(difference);
  if (work.session.anc.isStuck) return { difference, grounds, conditions: {}, exchanges, isFlaky: false };
  const plain = new Map(work.model.factors.map(({ name, levels }) => [name, levels[0] as string]));
  const special = Object.keys(row).filter((name) => plain.get(name) !== row[name]);
  const rowOf = (names: readonly string[]): Row =>
    Object.fromEntries(
      Object.keys(row).map((name) => [name, (names.includes(name) ? row[name] : plain.get(name)) as string]),
    );
  if (work.findings.length >= MOST_FINDINGS || !(await replays(work, row, key)))
    return { difference, grounds, conditions: {}, exchanges, isFlaky: work.findings.length < MOST_FINDINGS };
  let shown: Found = first;
  const { eventually } = work.session;
  work.session.eventually = hurried(work.session, eventually);
  const holds = async (names: readonly string[]) => {
    const { ran } = await runRow(work, rowOf(names));
    const isSame = isFound(ran) && differenceKey(ran.difference) === key;
    if (isSame) shown = ran;
    return isSame;
  };
  const needed = await shrink(special, holds, SHRINK_RUNS);
  work.session.eventually = eventually;
  return {
    difference: shown.difference,
    grounds: shown.grounds,
    conditions: Object.fromEntries(needed.map((name) => [name, row[name] as string])),
    exchanges: shown.exchanges,
    isFlaky: false,
  };
}

/** Asks every operator on every field in one state after the other. */
async function trySweeps(work: Work): Promise<void> {
  const { context } = work.session;
  for (const [turn, row] of sweepRows(work.model).entries()) {
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

/** Removes the records that rows left for others. */
async function release({ book, context, ...session }: Session): Promise<void> {
  const own = [...book.values()].filter(
    ({ isLive, last }) => isLive !== false && last.kind !== 'learn' && last.family !== '',
  );
  for (const { family, id } of own) {
    await context.send('delete', { id }, family);
    note({ book, context, ...session }, { kind: 'delete', family, id, sent: {}, form: 'json', end: 'done' });
  }
}
