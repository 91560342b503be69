import { expect, it } from 'vitest';
import { lookAt } from '../../../../conformance/driver/look.ts';
import { DifferenceFound, type Session } from '../../../../conformance/driver/session.ts';
import { type Known, keyOf } from '../../../../conformance/model/history.ts';
import { type Look, PLAIN } from '../../../../conformance/steps/step.ts';
import { openRegistry } from '../../../../lib/client/safety/registry.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { aSession } from '../../../helpers/a-session.ts';

const family = FAMILIES.hotspotportal;
const SIZE = 2;

type Write = (change: () => void) => void;

/**
 * Reads a list of six records that the session wrote, two on a page, which writes one of them again behind the first page. `meanwhile` is done then,
 * once: `write` is a write of another session of the run. Gives the difference that ends the look.
 */
async function reading(meanwhile: (write: Write, ids: string[]) => void): Promise<unknown> {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const known = (id: string): Known =>
    ({ family: family.name, id, fields: { name: id }, former: {}, isLive: true, last: { kind: 'create' } }) as never;
  const book = new Map(ids.map((id) => [keyOf(family.name, id), known(id)]));
  const clock = { monotonicMs: () => 0 } as never;
  const registry = openRegistry({ runId: 'test', table: FAMILIES, onJournal: () => undefined } as never, clock);
  const write: Write = (change) => {
    registry.moves(family.name);
    change();
    registry.moves(family.name);
  };
  const sent: unknown[] = [];
  const answer = (op: string, json?: unknown) => {
    const request = { family: family.name, op, method: op === 'update' ? 'PUT' : 'GET' };
    sent.push({ request });
    return { id: String(sent.length), request, status: 200, json, headers: {}, body: '' };
  };
  const page = (number: number) => {
    const shown = ids.slice((number - 1) * SIZE, number * SIZE);
    const next = number * SIZE < ids.length ? { nextPage: { href: String(number + 1) } } : {};
    const resources = shown.map((id) => ({ id, name: id }));
    return answer('list', { SearchResult: { total: ids.length, resources, ...next } });
  };
  let isDone = false;
  const send = async (op: string, { id = '' } = {}) => {
    if (op === 'list') return page(1);
    if (op !== 'update') return answer(op, { HotspotPortal: { id, name: id } });
    write(() => undefined);
    if (!isDone) meanwhile(write, ids);
    isDone = true;
    return answer(op);
  };
  const session = aSession({
    context: {
      ...{ family, send, follow: async (href: string) => page(Number(href)) },
      ledger: { writes: registry.writes, standing: () => 'ours', leftAlone: () => [] },
      run: { needsCsrf: () => false, dialect: (asked: string) => (asked === 'visibility.delay-ms' ? 0 : undefined) },
    },
    ...{ sent: sent as Session['sent'], book, eventually: async (again) => (await again()) ?? again() },
  });
  const query = { criteria: [], size: SIZE, pages: 9, paging: 'link' } as const;
  const look: Look = { window: 'list', on: 'own', about: 'a', between: 'update', carried: PLAIN, query };
  try {
    await lookAt(session, look);
    return undefined;
  } catch (fault) {
    if (fault instanceof DifferenceFound) return fault.difference;
    throw fault;
  }
}

it('excuses a list that lacks records if another session of the run wrote between two pages, beside a write of its own', async () => {
  const removed = (write: Write, ids: string[]) => write(() => ids.splice(0, 3));
  expect(await reading(removed)).toBeUndefined();
});

it('accuses a list that lacks records if only the session itself wrote between two pages', async () => {
  const lost = (_write: Write, ids: string[]) => ids.splice(0, 3);
  expect(await reading(lost)).toMatchObject({ requirement: `OP-${family.name}-L`, record: expect.stringContaining(family.name) });
});
