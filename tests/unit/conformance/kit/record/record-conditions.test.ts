import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../../../../conformance/kit/check.ts';
import { ofRecord, ofValue, type Written } from '../../../../../conformance/kit/record/record-conditions.ts';
import type { Exchange, SendInput } from '../../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';
import type { Op } from '../../../../../lib/contract/types.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Asked {
  readonly op: Op;
  readonly fields: Fields;
  /** What the record holds, and how many updates it went through. */
  readonly held: Fields;
  readonly updates: number;
}

const FAMILY = 'hotspotportal';

/** A target with records that refuses what `refuses` says; tells what the failing request is refused for, and which records are left. */
function target(
  refuses: (asked: Asked) => boolean,
  stored = (sent: Fields, _updates: number, _held: Fields): Fields => sent,
  family: 'hotspotportal' | 'sgt' = FAMILY,
) {
  const records = new Map<string, { held: Fields; updates: number }>();
  let serial = 0;
  const send = async (op: Op, { id = '', fields = {} }: SendInput = {}): Promise<Exchange> => {
    const { held = {}, updates = 0 } = records.get(id) ?? {};
    const isRefused = refuses({ op, fields: fields as Fields, held, updates });
    const made = op === 'create' ? `r${++serial}` : id;
    const first = op === 'create' ? fields['name'] : held['first'];
    if (!isRefused && op === 'create')
      records.set(made, { held: { ...stored(fields as Fields, 0, {}), first }, updates: 0 });
    if (!isRefused && op === 'update')
      records.set(id, { held: { ...stored({ ...held, ...fields }, updates + 1, held), first }, updates: updates + 1 });
    if (!isRefused && op === 'delete') records.delete(id);
    const path = `/ers/config/${family}${op === 'create' ? '' : `/${id}`}`;
    const request = { op, family, path, method: 'POST', headers: {}, body: JSON.stringify({ P: fields }) };
    const headers = op === 'create' ? { location: `/ers/config/${family}/${made}` } : {};
    return {
      ...{
        id: `${op}`,
        request,
        status: isRefused ? 500 : 200,
        headers,
        body: '',
        json: op === 'list' ? { SearchResult: { total: 0, resources: [] } } : { P: records.get(id)?.held ?? {} },
        durationMs: 1,
      },
    } as unknown as Exchange;
  };
  const payload = (over: Fields = {}) => {
    const numbers = family === 'sgt' ? { value: 40_000 + serial } : {};
    const whole = { name: `cfmname${String(++serial).padStart(4, '0')}`, description: 'made by', ...numbers, ...over };
    return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  };
  const shared = (_: string, make: () => unknown) => make();
  const run = { mayCreate: () => true, dialect: () => 0, shared };
  const context = { send, payload, run, table: FAMILIES, family: FAMILIES[family] } as unknown as CheckContext;
  const tell = async (op: Op, body: Fields, updates: readonly Fields[] = []) => {
    const made = await send('create', { fields: op === 'update' ? { ...body, name: 'cfmfirst' } : body });
    const id = `r${serial}`;
    const writes = [made];
    for (const fields of updates) writes.push(await send('update', { id, fields }));
    const failing = op === 'create' ? made : await send(op, { id, fields: body });
    const written: Written = { fixtures: [], writes };
    const told = isRefused(failing)
      ? await ofRecord(context, failing, written)
      : await ofValue(context, { op: op as 'create', member: 'description' }, { writes: [...writes, failing] });
    return [told, [...records.keys()].filter((each) => each !== id)];
  };
  return tell;
}

const isRefused = ({ status }: Exchange) => status >= 400;

describe('what a request to a record is refused for', () => {
  it.each<[string, (asked: Asked) => boolean, Op, Fields, readonly Fields[], readonly string[]]>([
    [
      'an update before it',
      ({ op, updates }) => op === 'delete' && updates > 0,
      'delete',
      payloadOf(),
      [{ description: 'x' }],
      ['the record was updated before'],
    ],
    [
      'a rename before it',
      ({ op, held }) => op === 'read' && held['name'] !== held['first'],
      'read',
      payloadOf(),
      [{ ...payloadOf(), name: 'cfmother' }],
      ['the record was renamed before'],
    ],
    [
      'a rename',
      ({ op, fields, held }) => op === 'update' && fields['name'] !== held['name'],
      'update',
      { ...payloadOf(), name: 'cfmother' },
      [],
      ['the record is renamed'],
    ],
    [
      'a long name',
      ({ op, held }) => op === 'delete' && `${held['name']}`.length > 64,
      'delete',
      { ...payloadOf(), name: `cfm ${'l'.repeat(150)}` },
      [],
      ['name is at least 65 characters long'],
    ],
    [
      'a member that is left out',
      ({ op, held }) => op === 'read' && held['description'] === undefined,
      'read',
      { name: 'a' },
      [],
      ['description is left out'],
    ],
    [
      'a sign of a text',
      ({ op, held }) => op === 'read' && `${held['description']}`.includes('|'),
      'read',
      { ...payloadOf(), description: 'a b|c' },
      [],
      ['description holds "|"'],
    ],
    [
      'a sign of the name',
      ({ op, held }) => op === 'delete' && `${held['name']}`.includes(' '),
      'delete',
      { ...payloadOf(), name: 'cfm a-b' },
      [],
      ['name holds a blank'],
    ],
    [
      'an id in the body',
      ({ op, fields }) => op === 'create' && 'id' in fields,
      'create',
      { ...payloadOf(), id: '1' },
      [],
      ['the body holds an id'],
    ],
    [
      'a value of an update',
      ({ op, fields }) => op === 'update' && fields['description'] === '',
      'update',
      { ...payloadOf(), description: '' },
      [],
      ['description is empty'],
    ],
    [
      'nothing, if every record is refused',
      ({ op }) => op === 'delete',
      'delete',
      { ...payloadOf(), description: 'a|b' },
      [],
      [],
    ],
    [
      'nothing that was tried',
      ({ op, held }) => op === 'read' && held['name'] === 'cfmodd',
      'read',
      { ...payloadOf(), name: 'cfmodd' },
      [],
      [],
    ],
  ])('is %s', async (_, refuses, op, body, updates, told) => {
    const [words, left] = await target(refuses)(op, body, updates);
    expect(words).toEqual(told);
    if (!refuses({ op: 'delete', fields: {}, held: {}, updates: 1 })) expect(left).toEqual([]);
  });

  it('is a number, if all usual records have large ones', async () => {
    const refuses = ({ op, held }: Asked) => op === 'read' && Number(held['value']) > 32_767;
    const [words] = await target(refuses, undefined, 'sgt')('read', { ...payloadOf(), value: 50_000 });
    expect(words).toEqual(['value is at least 32768']);
  });
});

describe('what a member is shown otherwise for than it was sent', () => {
  const lost = (isLost: (sent: Fields) => boolean) => (sent: Fields) =>
    isLost(sent) ? { ...sent, description: 'other' } : sent;

  it.each<[string, (sent: Fields) => boolean, Fields, readonly string[]]>([
    [
      'its own value',
      ({ description }) => `${description}`.length > 64,
      { ...payloadOf(), description: 'l'.repeat(99) },
      ['description is at least 65 characters long'],
    ],
    [
      'another member',
      ({ name }) => `${name}`.includes(' '),
      { ...payloadOf(), name: 'cfm a' },
      ['name holds a blank'],
    ],
    ['nothing, if it is so on every record', () => true, payloadOf(), []],
  ])('is %s', async (_, isLost, body, told) => {
    const [words, left] = await target(() => false, lost(isLost))('create', body);
    expect([words, left]).toEqual([told, []]);
  });
});

describe('what an update stores nothing for', () => {
  it.each<[string, (updates: number) => boolean, readonly string[]]>([
    ['an update before it', (updates) => updates > 1, ['the record was updated before']],
    ['nothing, if no update is stored', () => true, []],
  ])('is %s', async (_, isLost, told) => {
    const stored = (sent: Fields, updates: number, held: Fields) => (updates > 0 && isLost(updates) ? held : sent);
    const [words, left] = await target(() => false, stored)('update', { ...payloadOf(), description: 'new' });
    expect([words, left]).toEqual([told, []]);
  });
});

function payloadOf(): Fields {
  return { name: 'cfmbase', description: 'made by' };
}
