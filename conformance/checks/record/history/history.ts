import type { Exchange } from '../../../../lib/client/types.ts';
import { hasOp } from '../../../../lib/contract/types.ts';
import { isSuccess, recordOf } from '../../../../lib/wire/answer.ts';
import { answerText, mustDecide } from '../../../kit/answer.ts';
import type { CheckContext, SharedScope } from '../../../kit/check.ts';
import { nameMember, textMember } from '../../../kit/fields.ts';
import { contradictedByList, contradictedByReads, type Held, type Look } from './looks.ts';

export const WRITES = ['create', 'update', 'delete'] as const;
export type Write = (typeof WRITES)[number];

/** What is written, in order. Others are there whenever a record is changed or removed, so that a neighbor can be hit. */
const STEPS: readonly Write[] = [
  'create',
  'create',
  'create',
  'update',
  'update',
  'update',
  'delete',
  'update',
  'delete',
];

/** Names of the records: the first one begins all others, and is deleted first. */
const ENDINGS = ['', 'a', 'ab'] as const;

/** What reads and list showed that the writes do not explain. */
interface Contradiction extends Look {
  readonly after: Write;
  readonly exchanges: readonly Exchange[];
}

/** A history that was written, as far as it went. */
export interface History {
  /** How often each write was looked at and found to have done what it should and nothing else. */
  readonly held: Readonly<Record<Write, number>>;
  /** Lists among the looks that reached the end of the list. */
  readonly lists: number;
  readonly contradiction: Contradiction | undefined;
  readonly exchanges: readonly Exchange[];
}

/** Writes one history and looks at everything after each step; it ends at the first contradiction. */
export async function writeHistory(context: CheckContext, scope: SharedScope): Promise<History> {
  const { family } = context;
  const member = nameMember(family) ?? 'name';
  const text = textMember(family) ?? member;
  const exchanges: Exchange[] = [];
  const send: SharedScope['send'] = async (...request) => {
    const exchange = await scope.send(...request);
    exchanges.push(exchange);
    return exchange;
  };
  const looker = { send, follow: scope.follow };
  const base = String(scope.payload()[member]);
  const held = { create: 0, update: 0, delete: 0 };
  let records: readonly Held[] = [];
  let lists = 0;
  let turn = context.run.seed >>> 0;

  const live = () => records.filter(({ isLive }) => isLive);
  const replace = (changed: Held) => {
    records = records.map((each) => (each.own.id === changed.own.id ? changed : each));
  };
  const write = async (step: Write): Promise<Exchange | undefined> => {
    if (step === 'create') {
      const name = `${base}${ENDINGS[records.length] ?? `c${records.length}`}`;
      records = [...records, { own: await scope.fixture({ [member]: name }), name, text: undefined, isLive: true }];
      return undefined;
    }
    const among = live();
    const one = (step === 'delete' ? among[0] : among[turn % among.length]) as Held;
    turn += 1;
    if (step === 'delete') {
      const answer = await send('delete', { id: one.own.id });
      if (isSuccess(answer)) replace({ ...one, isLive: false });
      return answer;
    }
    const value = text === member ? `${one.name}u` : `step ${turn} ${base}`;
    const answer = await send('update', {
      id: one.own.id,
      fields: { ...one.own.sent, [member]: one.name, [text]: value, id: one.own.id },
    });
    if (isSuccess(answer)) replace({ ...one, name: text === member ? value : one.name, text: value });
    return answer;
  };

  for (const step of STEPS.filter((each) => hasOp(family, each))) {
    const answer = await write(step);
    if (answer !== undefined && !isSuccess(answer)) {
      mustDecide(answer);
      const contradiction = {
        after: step,
        expected: `the ${step} taken`,
        observed: answerText(answer),
        about: { kind: 'refused', subject: 'request' } as const,
        exchanges: [answer],
      };
      return { held, lists, contradiction, exchanges };
    }
    let seen: Look | 'unread' | undefined;
    await context.eventually(async () => {
      seen =
        (await contradictedByReads(context, looker, records)) ?? (await contradictedByList(context, looker, records));
      return seen === undefined || seen === 'unread' ? true : undefined;
    });
    if (seen !== undefined && seen !== 'unread') {
      const contradiction = { after: step, ...(seen as Look), exchanges: exchanges.slice(-12) };
      return { held, lists, contradiction, exchanges };
    }
    if (seen === undefined) lists += 1;
    held[step] += 1;
    if (step === 'create') records = await withTexts(records, text, send);
  }
  return { held, lists, contradiction: undefined, exchanges };
}

/** What a create stores of a text is judged elsewhere: a history holds on to what the first read of it showed. */
async function withTexts(
  records: readonly Held[],
  member: string,
  send: SharedScope['send'],
): Promise<readonly Held[]> {
  const known: Held[] = [];
  for (const each of records) {
    const answer = each.isLive && each.text === undefined ? await send('read', { id: each.own.id }) : undefined;
    known.push(answer === undefined ? each : { ...each, text: recordOf(answer)?.[member] });
  }
  return known;
}
