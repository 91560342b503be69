import { describe, expect, it } from 'vitest';
import { ofRecord, ofValue } from '../../../../../conformance/kit/record/record-conditions.ts';
import type { Exchange } from '../../../../../lib/client/types.ts';
import type { Op } from '../../../../../lib/contract/types.ts';
import { type Fields, type Made, type Rules, trialTarget } from '../../../../helpers/trial-target.ts';

type Asked = Parameters<NonNullable<Rules['refuses']>>[0];

const BODY: Fields = { name: 'cfmbase', description: 'made by' };

const isRefused = ({ status }: Exchange) => status >= 400;

/** What a failing request is told to be for, and which records are left beside its own; `updates`: done to the record before. */
async function told(
  rules: Rules,
  op: Op,
  body: Fields,
  updates: readonly Fields[] = [],
  family: 'sgt' | 'hotspotportal' = 'hotspotportal',
) {
  const usual = (serial: number) => ({
    description: 'made by',
    ...(family === 'sgt' ? { value: 40_000 + serial } : {}),
  });
  const { context, send, records } = trialTarget(family, rules, usual);
  const writes = [await send('create', { fields: op === 'update' ? { ...body, name: 'cfmfirst' } : body })];
  for (const fields of updates) writes.push(await send('update', { id: 'r1', fields }));
  const failing = op === 'create' ? (writes[0] as Exchange) : await send(op, { id: 'r1', fields: body });
  if (failing.request.method !== 'GET' && op !== 'create') writes.push(failing);
  const words =
    isRefused(failing) || op === 'delete'
      ? await ofRecord(context, failing, { fixtures: [], writes })
      : await ofValue(context, { op: op as 'create', member: 'description' }, { writes });
  return [words, [...records.keys()].filter((each) => each !== 'r1')];
}

describe('what a request to a record is refused for', () => {
  const isLong = ({ now }: Made) => `${now['name']}`.length > 64;
  const isNamed = ({ now }: Made) => now['name'] === 'cfmodd';
  const isRename = ({ fields, now }: Asked) => fields['name'] !== now['name'];

  it.each<[words: string, Op, Fields, NonNullable<Rules['refuses']>]>([
    ['the record is renamed', 'update', { name: 'cfmother' }, isRename],
    ['name is at least 65 characters long', 'delete', { name: `cfm ${'l'.repeat(150)}` }, isLong],
    ['description is left out', 'read', { description: undefined }, ({ now }) => now['description'] === undefined],
    ['description holds "|"', 'read', { description: 'a b|c' }, ({ now }) => `${now['description']}`.includes('|')],
    ['name holds a blank', 'delete', { name: 'cfm a-b' }, ({ now }) => `${now['name']}`.includes(' ')],
    ['the body holds an id', 'create', { id: '1' }, ({ fields }) => 'id' in fields],
    ['description is empty', 'update', { description: '' }, ({ fields }) => fields['description'] === ''],
    // Every record is refused, or for what was not tried.
    ['', 'delete', { description: 'a|b' }, () => true],
    ['', 'read', { name: 'cfmodd' }, isNamed],
  ])('is told: %s', async (words, op, more, isFor) => {
    const refuses = (asked: Asked) => asked.op === op && isFor(asked);
    const [clauses, left] = await told({ refuses }, op, { ...BODY, ...more });
    expect(clauses).toEqual(words === '' ? [] : [words]);
    if (words !== '' || op !== 'delete') expect(left).toEqual([]);
  });

  it.each<[string, Op, Fields, (made: Made) => boolean]>([
    ['updated', 'delete', { description: 'x' }, ({ updates }) => updates > 0],
    ['renamed', 'read', { name: 'cfmother' }, ({ first, now }) => first['name'] !== now['name']],
  ])('is that the record was %s before', async (what, op, update, isFor) => {
    const refuses = (asked: Made & { readonly op: Op }) => asked.op === op && isFor(asked);
    const [words] = await told({ refuses }, op, BODY, [{ ...BODY, ...update }]);
    expect(words).toEqual([`the record was ${what} before`]);
  });

  it('is a number, if all usual records have large ones', async () => {
    const refuses: Rules['refuses'] = ({ op, now }) => op === 'read' && Number(now['value']) > 32_767;
    const [words] = await told({ refuses }, 'read', { ...BODY, value: 50_000 }, [], 'sgt');
    expect(words).toEqual(['value is at least 32768']);
  });
});

it.each<[string[], (made: Made) => boolean, string[]]>([
  [['the record was renamed before'], ({ first, now }) => first['name'] !== now['name'], []],
  [['the record was updated before'], ({ updates }) => updates > 0, []],
  [[], () => true, ['r2']],
])(
  'a delete that is taken and does nothing is told by what the record went through, and leaves what one leaves: %s',
  async (words, keeps, left) => {
    expect(await told({ keeps }, 'delete', BODY, [{ name: 'b' }])).toEqual([words, left]);
  },
);

const isLong = ({ description }: Fields) => `${description}`.length > 64;

it.each<[words: readonly string[], Fields, (sent: Fields) => boolean]>([
  [['description is at least 65 characters long'], { description: 'l'.repeat(99) }, isLong],
  [['name holds a blank'], { name: 'cfm a' }, ({ name }) => `${name}`.includes(' ')],
  [[], {}, () => true],
])('what a member is shown otherwise for than it was sent is told: %j', async (words, more, isLost) => {
  const stores = (sent: Fields) => (isLost(sent) ? { ...sent, description: 'other' } : sent);
  expect(await told({ stores }, 'create', { ...BODY, ...more })).toEqual([words, []]);
});

describe('what an update stores nothing for', () => {
  const onlyFirst = (sent: Fields, held: Fields, updates: number) => (updates > 1 ? held : sent);

  it.each<[string, Rules['stores'], readonly string[]]>([
    ['an update before it', onlyFirst, ['the record was updated before']],
    ['nothing, if no update is stored', (sent, held, updates) => (updates > 0 ? held : sent), []],
  ])('is %s', async (_, stores, words) => {
    expect(await told({ ...(stores && { stores }) }, 'update', { ...BODY, description: 'new' })).toEqual([words, []]);
  });

  it('is tried on records that hold what the failing one held', async () => {
    const [words] = await told({ stores: onlyFirst }, 'update', { description: 'x' }, [{ description: 'y' }]);
    expect(words).toEqual(['the record was updated before']);
  });

  it('is read of a body in XML too', async () => {
    const { context } = trialTarget('hotspotportal', { stores: onlyFirst });
    const body = (text: string) => `<ns:portal xmlns:ns="x" id="r1" name="a" description="${text}"/>`;
    const xml = (op: Op, text: string) => ({ request: { op, family: 'hotspotportal', body: body(text) } });
    const writes = [xml('create', 'x'), xml('update', 'y')] as unknown as Exchange[];
    const words = await ofValue(context, { op: 'update', member: 'description' }, { writes });
    expect(words).toEqual(['the record was updated before']);
  });
});
