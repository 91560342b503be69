import { OPERATOR_NAMES, type Operator } from '../../../lib/contract/list.ts';
import { openSession, SESSIONS } from '../../driver/open-session.ts';
import { runSteps } from '../../driver/run.ts';
import { live } from '../../driver/session.ts';
import type { CheckContext } from '../../kit/check.ts';
import { Blocked, NotTestable } from '../../kit/fault.ts';
import { textMember, viewOf } from '../../kit/fields.ts';
import { kindOf } from '../../kit/list/value.ts';
import type { ListLook } from '../../steps/step.ts';
import { create, together } from '../make.ts';
import { partingOperand } from '../pairs/row-looks.ts';
import { release } from '../pairs/work.ts';
import { filtered, list } from './looks.ts';
import type { Population } from './population.ts';

/** More than the largest page holds: lists have been seen to end after 20, 50 and 100 records. */
export const LONG_LIST = 104;
/** Times that some of the creates at one time are refused before no more are made. */
const MOST_REFUSED = 20;
/** Creates at one time, and seconds that all of them may take. */
const AT_ONCE = 4;
const MOST_SECONDS = { normal: 20, deep: 120 } as const;
const PAGES = 40;

/** What texts end with, each of several pages of them: what an address has to encode, the links between pages have to as well. */
const ENDINGS = ['+k', '&k', '%2Bk', '/k', ';k', '#k', ' k', '"k', 'é4k', ',k', '.k', '\\k', '*k'];

/** Makes the records, for as long as it may take. Throws if the target is too slow for that. */
export async function longPopulation(context: CheckContext): Promise<Population> {
  return context.run.shared('long list', async (scope) => {
    const session = await openSession({ ...context, ...scope }, { isKnown: () => false, turn: SESSIONS.longList });
    scope.onRelease(() => release(session));
    const seconds = MOST_SECONDS[context.run.depth === 'deep' ? 'deep' : 'normal'];
    const member = textMember(context.family) === 'description' ? ['description'] : [];
    const begun = performance.now();
    let refused = 0;
    for (let asked = 0; live(session).length < LONG_LIST; asked += AT_ONCE) {
      const made = live(session).length;
      if (performance.now() - begun > seconds * 1000)
        throw new NotTestable(`${made} records took ${seconds} s to make`, 'a faster target, or --depth deep');
      const some = Array.from({ length: AT_ONCE }, (_, at) => {
        const ending = ENDINGS[(asked + at) % ENDINGS.length] as string;
        const texts = Object.fromEntries(member.map((each) => [each, `group${'wxyz'[at]}${ending}`]));
        return create(`long ${asked + at}`, texts, { fresh: ending });
      });
      const { notDone } = await runSteps(session, [together(...some)], { keep: true });
      const [why] = notDone.values();
      // A number may be that of another record.
      if (why !== undefined) refused += 1;
      if (why !== undefined && (refused > MOST_REFUSED || live(session).length === made)) {
        await release(session);
        throw new Blocked(why);
      }
      session.labels.clear();
    }
    return { session, source: 'own', count: session.others.count + live(session).length };
  });
}

/** The whole list, filtered and sorted in each way, at sizes that cut it where deployments have been seen to end. */
export function longLooks({ family, table, run }: CheckContext): readonly ListLook[] {
  const pages = { pages: PAGES };
  const isNumbered = typeof run.dialect('page.first') === 'number';
  const plain = [{}, { size: 20 }, { size: 50 }, { size: 100 }].map((size) => ({ criteria: [], ...size, ...pages }));
  const sorts = family.sorts.flatMap((field) => [false, true].map((descending) => ({ field, descending })));
  const sorted = sorts.map((sort) => ({ criteria: [], sort, size: 50, ...pages }));
  const all = [...plain, ...sorted].map((query) => list(query));
  const isText = (field: string) => kindOf(family, field) === 'text';
  const parting = (field: string, operator: Operator) =>
    filtered({ field, operator, part: partingOperand(operator) }, { size: 50, ...pages });
  const ending = (field: string, text: string) =>
    filtered({ field, operator: 'ENDSW', part: 'whole', text }, { size: 3, ...pages });
  return [
    ...all,
    ...(isNumbered ? [...plain.slice(2), ...sorted].map((query) => list({ ...query, paging: 'number' })) : []),
    ...family.filters.flatMap((field) => OPERATOR_NAMES.map((operator) => parting(field, operator))),
    ...family.filters.filter(isText).flatMap((field) => ENDINGS.map((text) => ending(field, text))),
    ...(viewOf(table, family.name) === undefined ? [] : all.map((look): ListLook => ({ ...look, on: 'view' }))),
  ];
}
