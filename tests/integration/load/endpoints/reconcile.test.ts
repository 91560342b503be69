import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { reconcile } from '../../../../load/endpoints/reconcile.ts';
import { anAppliedContext } from '../../../helpers/a-load-context.ts';
import { json, type SeenRequest, type StubTarget, stubTarget } from '../../../helpers/stub-target.ts';

let target: StubTarget | undefined;
afterEach(() => target?.close());

const SIZE = 2500;
const pool = readPool(`02:00:00:00:00:00+${SIZE + 500}@10.0.0.0`);
const macAt = (index: number) => pool.at(index).macAddress;

/** A list with pages, whose entries show their address or do not. */
function aList(
  held: Map<string, string>,
  { names, total = true }: { readonly names: boolean; readonly total?: boolean },
) {
  return ({ url }: SeenRequest, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(url, 'http://stub');
    const id = /\/ancendpoint\/id-(.+)$/.exec(decodeURIComponent(pathname))?.[1];
    if (id !== undefined) {
      const policyName = held.get(id);
      if (policyName === undefined) return json(response, 404, {});
      return json(response, 200, { ErsAncEndpoint: { id: `id-${id}`, macAddress: id, policyName } });
    }
    const filter = /^name\.EQ\.(.+)$/.exec(searchParams.get('filter') ?? '')?.[1];
    const macs = [...held.keys()].filter((mac) => filter === undefined || mac === filter);
    const [page, size] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('size') ?? 20)];
    const resources = macs
      .slice((page - 1) * size, page * size)
      .map((mac) => ({ id: `id-${mac}`, ...(names ? { name: mac } : {}) }));
    const next = `${target?.baseUrl}/ers/config/ancendpoint?size=${size}&page=${page + 1}`;
    const more = page * size < macs.length ? { nextPage: { rel: 'next', href: next, type: 'application/json' } } : {};
    json(response, 200, { SearchResult: { ...(total ? { total: macs.length } : {}), resources, ...more } });
  };
}

/** Everything was applied and acknowledged, the list holds it; the test then takes away what it likes. */
async function applied(shape: Parameters<typeof aList>[1]) {
  const held = new Map<string, string>(Array.from({ length: SIZE }, (_, index) => [macAt(index), 'Test']));
  target = await stubTarget(aList(held, shape));
  const { state, context } = anAppliedContext(target, pool, SIZE);
  return { held, state, context };
}

describe('the list held against what was acknowledged', () => {
  it.each([true, false])(
    'finds 20 of 20 lost endpoints, and names ten (entries with their address: %s)',
    async (names) => {
      const { held, state, context } = await applied({ names });
      for (let at = 0; at < 20; at += 1) held.delete(macAt(at * 123));
      const found = await reconcile(context, 20_000, 0);
      expect(found).toMatchObject({ acknowledged: SIZE, listed: SIZE - 20, pages: 25, lost: { count: 20 } });
      expect(found.lost?.examples).toHaveLength(10);
      expect(found.lost?.examples[0]).toBe(`${macAt(0)} is not listed`);
      // They count once: from then on they are doubtful, and cleared at the end.
      expect((await reconcile(context, 20_000, 0)).lost?.count).toBe(0);
      expect(state.toClear()).toContain(123);
    },
  );

  it('tells what was not acknowledged, what is of others and what holds another policy apart from it', async () => {
    const { held, state, context } = await applied({ names: false });
    for (let index = 0; index < 5; index += 1) state.set(index, 'unknown');
    held.set(macAt(SIZE + 1), 'Theirs');
    held.set('0A:0B:0C:0D:0E:0F', 'Theirs');
    held.set(macAt(7), 'Other');
    const found = await reconcile(context, 20_000, 0);
    expect(found).toMatchObject({ lost: { count: 0 }, unacknowledged: { count: 5 }, foreign: { count: 2 } });
    expect(found.wrongPolicy).toMatchObject({ count: 1, checked: SIZE, examples: [`${macAt(7)} holds "Other"`] });
  });

  it('counts a clear whose endpoint is still listed as lost', async () => {
    const { state, context } = await applied({ names: true });
    for (let index = 0; index < 3; index += 1) state.set(index, 'nothing');
    expect(await reconcile(context, 20_000, 0)).toMatchObject({
      lost: { count: 3, examples: [`${macAt(0)} is still listed`, expect.anything(), expect.anything()] },
    });
  });

  it('waits for what comes late, and says how long it took', async () => {
    const { held, context } = await applied({ names: true });
    held.delete(macAt(9));
    let waits = 0;
    const clock = {
      ...systemClock,
      sleep: async () => {
        waits += 1;
        held.set(macAt(9), 'Test');
      },
    };
    const found = await reconcile({ ...context, clock }, 20_000, 5000);
    expect(found).toMatchObject({ lost: { count: 0 }, late: 1, visibleAfterMs: expect.any(Number) });
    expect(waits).toBe(1);
  });

  it('leaves it at a sample where the list takes too many requests or shows no total, and says so', async () => {
    const { context } = await applied({ names: false });
    expect((await reconcile(context, 100, 0)).skipped).toMatch(
      /the list takes 2525 requests, more than --reconcile-limit 100/,
    );
    await target?.close();
    const other = await applied({ names: true, total: false });
    expect((await reconcile(other.context, 20_000, 0)).skipped).toMatch(/no total/);
  });
});
