import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../../../../conformance/kit/check.ts';
import { ofRecord, ofValue } from '../../../../../conformance/kit/record/record-conditions.ts';
import type { Exchange, SendInput } from '../../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';
import type { Op } from '../../../../../lib/contract/types.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Held {
  readonly first: Fields;
  readonly now: Fields;
  readonly updates: number;
}
const ROOT = '/ers/config/portaltheme';

/** A target whose deletes leave the records that `isLost` says, once, and whose updates store what `stored` says. */
function target(
  isLost: (held: Held) => boolean,
  stored = (held: Held, sent: Fields): Fields => ({ ...held.now, ...sent }),
) {
  const records = new Map<string, Held>();
  let serial = 0;
  const send = async (op: Op, { id: asked = '', fields = {} }: SendInput = {}) => {
    const id = op === 'create' ? `r${++serial}` : asked;
    const held = records.get(id);
    if (op === 'create') records.set(id, { first: fields as Fields, now: fields as Fields, updates: 0 });
    if (op === 'update' && held !== undefined)
      records.set(id, { ...held, now: stored(held, fields as Fields), updates: held.updates + 1 });
    if (op === 'delete' && held !== undefined) {
      if (isLost(held)) records.set(id, { first: held.now, now: held.now, updates: 0 });
      else records.delete(id);
    }
    const json = op === 'read' && held !== undefined ? { PortalTheme: { ...held.now, id } } : undefined;
    const path = op === 'create' ? ROOT : `${ROOT}/${id}`;
    const request = { op, family: 'portaltheme', path, body: JSON.stringify({ PortalTheme: fields }) };
    const status = op === 'read' && held === undefined ? 404 : 200;
    const headers = op === 'create' ? { location: `${ROOT}/${id}` } : {};
    return { request, status, headers, json, body: '', id: op } as unknown as Exchange;
  };
  const payload = (over: Fields = {}) => ({ name: `n${++serial}`, description: 'usual', ...over });
  const run = { mayCreate: () => true, dialect: () => 0, shared: (_: string, make: () => unknown) => make() };
  const context = { send, payload, run, table: FAMILIES, family: FAMILIES.portaltheme } as unknown as CheckContext;
  return { context, send, records };
}

describe('a delete that is taken and does nothing', () => {
  it.each<[string[], (held: Held) => boolean, string[]]>([
    [['the record was renamed before'], ({ first, now }) => first['name'] !== now['name'], ['r1']],
    [['the record was updated before'], ({ updates }) => updates > 0, ['r1']],
    [[], () => true, ['r1', 'r3']],
  ])('is told by what the record went through, and leaves what one leaves: %s', async (words, isLost, left) => {
    const { context, send, records } = target(isLost);
    const made = await send('create', { fields: { name: 'a', description: 'usual' } });
    const update = await send('update', { id: 'r1', fields: { name: 'b' } });
    const lost = await send('delete', { id: 'r1' });
    expect(await ofRecord(context, lost, { fixtures: [], writes: [made, update, lost] })).toEqual(words);
    expect([...records.keys()]).toEqual(left);
  });
});

describe('an update that stores nothing', () => {
  const onlyFirst = (held: Held, sent: Fields) => (held.updates > 0 ? held.now : { ...held.now, ...sent });

  it('is tried on records that hold what the failing one held', async () => {
    const { context, send } = target(() => false, onlyFirst);
    const sent = ['x', 'y', 'x'].map((description) => ({ description }));
    const writes = [
      await send('create', { fields: { name: 'a', ...sent[0] } }),
      await send('update', { id: 'r1', fields: { ...sent[1] } }),
      await send('update', { id: 'r1', fields: { ...sent[2] } }),
    ];
    const told = await ofValue(context, { op: 'update', member: 'description' }, { writes });
    expect(told).toEqual(['the record was updated before']);
  });

  it('is read of a body in XML too', async () => {
    const { context } = target(() => false, onlyFirst);
    const xml = (op: Op, text: string) => ({
      request: {
        ...{ op, family: 'portaltheme', path: `${ROOT}/r1` },
        body: `<ns:portaltheme xmlns:ns="x" id="r1" name="a" description="${text}"/>`,
      },
    });
    const writes = [xml('create', 'x'), xml('update', 'y')] as unknown as Exchange[];
    const told = await ofValue(context, { op: 'update', member: 'description' }, { writes });
    expect(told).toEqual(['the record was updated before']);
  });
});
