import { expect, it } from 'vitest';
import type { About } from '../../../../conformance/kit/fault.ts';
import { retold } from '../../../../conformance/plans/retold.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { type Fields, type Made, type Rules, trialTarget } from '../../../helpers/trial-target.ts';

const BODY: Fields = { name: 'cfmbase', description: 'made by' };

type Wrong = Pick<About, 'kind' | 'operation' | 'subject'>;

interface Done {
  readonly create?: Fields;
  readonly updates?: readonly Fields[];
  readonly listed?: string;
  readonly type?: string;
  readonly family?: 'hotspotportal' | 'sgt';
}

/** What a failure of a check that did so is told to be for, and how many records are left beside its own. */
async function told(
  rules: Rules,
  wrong: Wrong,
  { create = {}, updates = [], listed, type = 'application/json', family = 'hotspotportal' }: Done,
) {
  const usual = (serial: number) => ({ description: 'made by', ...(family === 'sgt' && { value: 40_000 + serial }) });
  const { context, send, records } = trialTarget(family, rules, usual);
  const sent = [await send('create', { fields: { ...BODY, ...create } })];
  for (const more of updates) {
    const fields = { ...BODY, ...create, ...more };
    sent.push(await send('update', { id: 'r1', fields, headers: { contentType: type } }));
  }
  const { operation: op, kind } = wrong;
  if (op === 'read' || op === 'delete') sent.push(await send(op, { id: 'r1' }));
  const last = sent.at(-1) as Exchange;
  const failed = kind === 'refused' ? last : undefined;
  const list = listed && ({ request: { op: 'list', path: `/ers/config/${family}?${listed}` } } as Exchange);
  const words = await retold(
    context,
    { ...wrong, ...(kind === 'records' || kind === 'no-effect' ? { record: 'r1' } : {}) },
    { fixtures: [], writes: sent.filter((each) => each !== failed), refused: failed, listed: list || undefined },
  );
  return [words, [...records.keys()].filter((each) => each !== 'r1').length];
}

const refused = (operation: About['operation']): Wrong => ({ kind: 'refused', operation, subject: 'request' });
const [CREATE, UPDATE, READ, DELETE] = (['create', 'update', 'read', 'delete'] as const).map(refused) as Wrong[];
const LOST: Wrong = { kind: 'value', operation: 'create', subject: 'member description' };
const UNLISTED: Wrong = { kind: 'records', operation: 'list', subject: 'list' };
const STAYS: Wrong = { kind: 'no-effect', operation: 'delete', subject: 'record' };

type Asked = Parameters<NonNullable<Rules['refuses']>>[0];
const on = (op: About['operation'], isFor: (asked: Asked) => boolean): Rules => ({
  refuses: (asked) => asked.op === op && isFor(asked),
});
const isRenamed = ({ first, now }: Made) => first['name'] !== now['name'];
const isThere = ({ now }: Made) => 'name' in now;
const holdsBar = ({ now }: Made) => `${now['description']}`.includes('|');
const isLong = (text: unknown) => `${text}`.length > 64;
const loses = (isFor: (sent: Fields) => boolean): Rules => ({
  stores: (sent) => (isFor(sent) ? { ...sent, description: 'other' } : sent),
});
const onceOnly: Rules = { stores: (sent, held, updates) => (updates > 1 ? held : sent) };
const TYPED = 'application/json;charset=utf-8';
const isTyped = ({ type }: Asked) => type.includes(';');
const [TEXT, OTHER] = [{ description: 'one' }, { name: 'cfmb' }];
const numbered = (listed?: string): Done => ({
  family: 'sgt',
  create: { value: 50_000 },
  ...(listed ? { listed } : {}),
});
const isAbove = (most: number) => (made: Made) => Number(made.now['value']) > most;

const renames = on('update', ({ fields, now }) => fields['name'] !== now['name']);
const keepsName = on('update', ({ fields, now }) => fields['name'] === now['name']);
const lacksText = on('read', (made) => isThere(made) && made.now['description'] === undefined);
const isNamed = (most: number) => on('delete', ({ now }) => `${now['name']}`.length > most);
const [LONG, BLANK] = [{ name: `cfm ${'l'.repeat(150)}` }, { create: { name: 'cfm a' } }];
const named: Done = { updates: [OTHER], listed: 'filter=name.EQ.cfmb' };
const twice: Done = { updates: [TEXT, { description: 'two' }] };
const typed: Done = { updates: [TEXT], type: TYPED };
const OF_UPDATE = { ...LOST, operation: 'update' } as const;
const losesLong = loses(({ description }) => isLong(description));

it.each<[words: string | undefined, Rules, Wrong | undefined, Done]>([
  ['the record is renamed', renames, UPDATE, { updates: [OTHER] }],
  ['the record was renamed', on('read', isRenamed), READ, { updates: [OTHER] }],
  ['the record was renamed', { keeps: isRenamed }, STAYS, { updates: [OTHER] }],
  ['the record was renamed', { hides: isRenamed }, UNLISTED, named],
  ['the record was updated', on('read', ({ updates }) => updates > 0), READ, { updates: [TEXT] }],
  ['the record was updated', onceOnly, OF_UPDATE, twice],
  ['the update is sent with a charset in Content-Type', on('update', isTyped), UPDATE, typed],
  ['the create names an id', on('create', ({ fields }) => 'id' in fields), CREATE, { create: { id: '1' } }],
  ['description holds "|"', on('read', holdsBar), READ, { create: { description: 'a b|c' } }],
  // Every record is refused.
  [undefined, on('read', isThere), READ, { create: { description: 'a|b' } }],
  ['description is left out of the create', lacksText, READ, { create: { description: undefined } }],
  ['its name is at least 65 characters long', isNamed(64), DELETE, { create: LONG }],
  ['its name is at least 30 characters long', isNamed(29), DELETE, { create: { name: 'l'.repeat(150) } }],
  ['the update keeps the name', keepsName, UPDATE, { updates: [{ description: 'x' }] }],
  ['description is at least 65 characters long', losesLong, LOST, { create: { description: 'l'.repeat(99) } }],
  ['its name holds a blank', loses(({ name }) => `${name}`.includes(' ')), LOST, BLANK],
  ['value is at least 32768', on('read', isAbove(32_767)), READ, numbered()],
  ['value is at least 1000', { hides: isAbove(999) }, UNLISTED, numbered('filter=value.GT.31&size=100')],
])(
  'what a failure of a check is for is told by the steps that come to what it sent: %s',
  async (words, rules, wrong, done) => {
    expect(await told(rules, wrong as Wrong, done)).toEqual([words, 0]);
  },
);
