import { type Family, fieldsOf } from '../../../lib/contract/types.ts';
import { inParallel } from '../../../lib/parallel.ts';
import { isSuccess } from '../../../lib/wire/answer.ts';
import { type Ran, runSteps } from '../../driver/run.ts';
import { note, type Session } from '../../driver/session.ts';
import type { CheckContext, SharedScope } from '../../kit/check.ts';
import { sideBySide } from '../../kit/delay.ts';
import { nameMember, rangedMembers } from '../../kit/fields.ts';
import type { Difference } from '../../model/difference.ts';
import type { Steps } from '../../steps/step.ts';
import { create } from '../make.ts';
import { standing } from './anc.ts';
import type { countPairs } from './coverage.ts';
import type { Model } from './factors.ts';
import { relatives } from './family-facts.ts';
import type { Finding } from './finding.ts';
import type { Setting } from './row-values.ts';
import { RELATIVE } from './row-writes.ts';
import type { Planned } from './script.ts';

export interface Work {
  readonly session: Session;
  readonly model: Model;
  readonly isAnc: boolean;
  readonly settingOf: () => Setting;
  readonly count: ReturnType<typeof countPairs>;
  readonly findings: Finding[];
  /** The differences that are told or at work, by any session, under their keys. */
  readonly found: Map<string, Difference>;
  /** Those among them that this session has to show again, to find their plainest conditions. */
  readonly shownAgain: Set<string>;
  readonly forget: SharedScope['forget'];
  readonly last: Steps[];
}

/** Records that are there beside those of a row: enough to tell filters apart, and more than a page of usual size. */
export const FEW = 8;
/** Numbers that stand in another order as texts, hold each other's digits, and lie around powers of two. */
const DIGITS = [313, 3131, 14, 32_766, 40_001, 65_518, 150, 8] as const;
export const MANY = 24;

/** Whether some text of the family may hold the sign. */
export const takesSign =
  ({ values }: CheckContext['run'], family: Family) =>
  (sign: string): boolean =>
    [nameMember(family) ?? 'name', 'description']
      .filter((member) => member in fieldsOf(family))
      .some((member) => values.takes(member, `a${sign}b`, family.name));

/** Makes records that no row writes to. */
export async function populate({ session, settingOf, isAnc }: Work, count: number): Promise<void> {
  if (isAnc) {
    await runKept(session, standing(session, count));
    return;
  }
  const { context, book } = session;
  const have = [...book.values()].filter(({ isLive, family }) => isLive && family === context.family.name).length;
  for (let made = have; made < count; made += 1) {
    const { samples } = settingOf();
    const texts: Record<string, unknown> = { ...samples((made % 2) as 0 | 1) };
    for (const member of rangedMembers(context.family)) texts[member] = DIGITS[made % DIGITS.length];
    if ('description' in texts) texts['description'] = `group${'xyzw'[made % 4]}`;
    const step = create(`population ${made}`, texts, { fresh: 'xyz'[made % 3] ?? '' });
    const { notDone } = await runKept(session, [step]);
    if (notDone.size > 0) return;
  }
}

/** Makes one record of each related family, which rows change and do not remove. */
export async function befriend({ session }: Work): Promise<void> {
  const { context, kept } = session;
  for (const [whose, family] of Object.entries(relatives(context.table, context.family))) {
    const as = `${RELATIVE}${whose}`;
    await runSteps(session, [{ ...create(as), family }], { keep: true });
    const key = session.labels.get(as);
    if (key !== undefined) kept.set(as, key);
    session.labels.clear();
  }
}

async function runKept(session: Session, steps: Steps): Promise<Ran> {
  const ran = await runSteps(session, steps, { keep: true });
  session.labels.clear();
  return ran;
}

/** Factors of a row whose levels did not come about, with the reason. */
export function undone({ notDone }: Ran, planned: readonly Planned[]): ReadonlyMap<string, string> {
  return new Map(
    [...notDone].flatMap(([at, why]) => (planned[at]?.carries ?? []).map((factor): [string, string] => [factor, why])),
  );
}

/** Removes the records that rows left for others, the newest family first, of one family if it is named. */
export async function release(session: Session, only?: string): Promise<void> {
  const { run, send, table } = session.context;
  const own = [...session.book.values()].filter(({ isLive, last }) => isLive !== false && last.kind !== 'learn');
  for (const family of only === undefined ? new Set(own.toReversed().map((each) => each.family)) : [only]) {
    const asked = own.filter((each) => each.family === family);
    await inParallel(asked, sideBySide(run.dialect, table[family] as Family, run.trial(family)), async ({ id }) => {
      const isRemoved = isSuccess(await send('delete', { id }, family));
      note(session, { kind: 'delete', family, id, sent: {}, form: 'json', end: isRemoved ? 'done' : 'unknown' });
    });
  }
}

/** Makes the records anew that no row writes to: what one row did to them, the next ones did not do. */
export async function renew(work: Work, count: number): Promise<void> {
  await release(work.session, work.session.context.family.name);
  await populate(work, count);
}
