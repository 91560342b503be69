import type { Exchange } from '../../../lib/client/types.ts';
import type { Grounds } from '../../../lib/records/histories.ts';
import { takeFresh } from '../../driver/endpoints.ts';
import { doOthersWrite } from '../../driver/others.ts';
import type { Ran } from '../../driver/run.ts';
import { type Session, viewIn } from '../../driver/session.ts';
import { brief } from '../../driver/settle.ts';
import { showsAtOnce } from '../../kit/delay.ts';
import { shrink } from '../../kit/shrink.ts';
import { type Difference, differenceKey } from '../../model/difference.ts';
import type { Row } from './factors.ts';
import { signsIn } from './values.ts';
import { EITHER } from './words.ts';
import { FEW, type Found, isFound, populate, renew, type Work } from './work.ts';

/** Does a row, or what a sweep asked in its state. */
type RunRow = (row: Row) => Promise<Ran>;

/** A difference with the conditions that still show it. */
export interface Finding {
  readonly difference: Difference;
  /** What it rests on, if an observation shows it. */
  readonly grounds: Grounds | undefined;
  readonly conditions: Row;
  readonly exchanges: readonly Exchange[];
  /**
   * Why no conditions are known: no try after the first showed it (`once`; `by others` if somebody else wrote meanwhile, or `elsewhere` if it
   * is in a resource that other checks write to, which proves nothing), or some did and some did not.
   */
  readonly unsteady?: 'once' | 'by others' | 'elsewhere' | 'not each time';
}

/** Runs of a row that shrinking may take, for how long, and findings that are shrunk. */
const SHRINK_RUNS = 40;
const MOST_MS = 60_000;
const MOST_FINDINGS = 12;
/** So many conditions may all be needed; more that all seem to be needed are shown once again. */
const FEW_CONDITIONS = 4;
/** Conditions of a finding of which another level is tried. */
const MOST_WIDENED = 4;

/** Runs a row again, alone and then after those that ran before it. */
async function replays(work: Work, row: Row, key: string, run: RunRow): Promise<boolean> {
  const shows = async (rows: readonly Row[]) => {
    let last: Difference | undefined;
    for (const each of rows) last = (await run(each)).difference;
    return last !== undefined && differenceKey(last) === key;
  };
  return (await shows([row])) || (await shows([...work.last.slice(-3), row]));
}

/** True for differences of one kind in the same thing, whichever requirements they break there. */
const areAlike = (one: Difference, other: Difference): boolean =>
  one.family === other.family && one.about.kind === other.about.kind && one.about.subject === other.about.subject;

/** The conditions with the size that was sent: a row's own would take too many pages on some targets. */
function sizeAsSent(conditions: Row, { exchanges }: Ran): Row {
  const sent = exchanges.map(({ request }) => /[?&]size=(\d+)/.exec(request.path)?.[1]).at(-1);
  return conditions['size'] === undefined || sent === undefined ? conditions : { ...conditions, size: sent };
}

/** True for a difference in a family that the session is not about, nor shows in a view: other checks write to its records. */
const isElsewhere = (session: Session, { family }: Difference): boolean =>
  family !== session.context.family.name && family !== viewIn(session);

/** True for a difference in a record of the family that the row did not write to. */
const isOfBystander = ({ touched, book, context }: Session, { holder = '' }: Difference): boolean =>
  !touched.has(holder) && book.get(holder)?.family === context.family.name;

/** The finding of a difference: its conditions put back to their plainest for as long as it still shows. */
export async function findingOf(work: Work, row: Row, first: Found, runOnce: RunRow): Promise<Finding> {
  const { difference, grounds, exchanges } = first;
  const { session } = work;
  const isBeside = isOfBystander(session, difference);
  const run: RunRow = async (each) => {
    if (isBeside) await renew(work);
    if (work.isAnc) await populate(work, FEW);
    return runOnce(each);
  };
  const key = differenceKey(difference);
  const unshrunk: Finding = { difference, grounds, conditions: {}, exchanges };
  if (session.anc.isStuck || work.findings.length >= MOST_FINDINGS) return unshrunk;
  // What shows itself which update it was, may have been done by a row before.
  if (difference.onlyIf !== undefined) return unshrunk;
  const plain = new Map(work.model.factors.map(({ name, levels }) => [name, levels[0] as string]));
  const special = Object.keys(row).filter((name) => plain.get(name) !== row[name]);
  const rowOf = (names: readonly string[], from: Row): Row =>
    Object.fromEntries(
      Object.keys(row).map((name) => [name, (names.includes(name) ? from[name] : plain.get(name)) as string]),
    );
  if (!(await replays(work, row, key, run)))
    return {
      ...unshrunk,
      unsteady: isElsewhere(session, difference) ? 'elsewhere' : (await doOthersWrite(session)) ? 'by others' : 'once',
    };
  let shown: Found = first;
  const { eventually } = session;
  session.eventually = brief(session);
  // The plainest conditions may break another requirement, which was found before: it is shown again.
  for (const [each, other] of work.found) if (areAlike(other, difference)) work.shownAgain.add(each);
  const until = performance.now() + MOST_MS;
  const isInTime = () => performance.now() < until;
  const holds = async (names: readonly string[], from = row) => {
    const ran = await run(rowOf(names, from));
    const isSame = isFound(ran) && areAlike(ran.difference, difference);
    if (isSame) shown = ran;
    return isSame;
  };
  // Rows without one more condition that were tried: a condition without which nothing was tried may not be needed.
  const tried = new Set<string>();
  const needed = await shrink(
    special,
    async (names) => {
      if (!isInTime()) return false;
      tried.add(names.join());
      return holds(names);
    },
    SHRINK_RUNS,
  );
  const isTried = (name: string) => tried.has(needed.filter((each) => each !== name).join());
  if (needed.length === special.length && needed.length > FEW_CONDITIONS && !(await holds(needed))) {
    session.eventually = eventually;
    return { ...unshrunk, unsteady: 'not each time' };
  }
  let told = row;
  const signs = needed.includes('sign') ? signsIn(row['sign'] as string) : [];
  for (const sign of signs.length > 1 ? signs : []) {
    if (!(await holds(needed, { ...row, sign }))) continue;
    told = { ...row, sign };
    break;
  }
  // A condition that another level meets too is not met by its own alone.
  const wide: Record<string, string> = {};
  const narrow = shown;
  for (const name of needed.filter((each) => each !== 'sign' && each !== 'size').slice(0, MOST_WIDENED)) {
    const { levels = [] } = work.model.factors.find((factor) => factor.name === name) ?? {};
    const other = levels.slice(1).find((level) => level !== told[name]);
    if (other !== undefined && isInTime() && (await holds(needed, { ...told, [name]: other })))
      wide[name] = `${other}${EITHER}${told[name]}`;
  }
  // An endpoint is named by many rows: whether it has to have been, one tells that none has named.
  if (work.isAnc && difference.about.subject === 'policy' && takeFresh(session)) {
    const isShown = await holds(needed, told);
    session.anc.fresh = undefined;
    if (!isShown) wide['endpoint'] = 'used';
  }
  shown = narrow;
  session.eventually = eventually;
  // What shrinking was told in a hurry holds if it shows in all the time that a write may take.
  const isSure = needed.length === special.length || showsAtOnce(session) || (await holds(needed, told));
  const conditions = (isSure ? needed : special)
    .filter(isTried)
    .map((name) => [name, wide[name] ?? (told[name] as string)]);
  if (wide['endpoint'] !== undefined) conditions.push(['endpoint', wide['endpoint']]);
  return {
    ...{ difference: shown.difference, grounds: shown.grounds, exchanges: shown.exchanges },
    conditions: sizeAsSent(Object.fromEntries(conditions), shown),
  };
}
