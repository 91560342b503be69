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
const pool = readPool('02:00:00:00:00:00+6500@10.0.0.0');
const macAt = (index: number) => pool.at(index).macAddress;

interface Shape {
  readonly names: boolean;
  readonly total?: boolean;
  readonly startsWith?: 'heeded' | 'ignored' | 'finds nothing';
}

/** A list with pages, whose entries show their address or do not; STARTSW is heeded, ignored, or finds nothing. */
function aList(held: Map<string, string>, { names, total = true, startsWith }: Shape) {
  return ({ url }: SeenRequest, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(url, 'http://stub');
    const id = /\/ancendpoint\/id-(.+)$/.exec(decodeURIComponent(pathname))?.[1];
    if (id !== undefined) {
      const policyName = held.get(id);
      if (policyName === undefined) return json(response, 404, {});
      return json(response, 200, { ErsAncEndpoint: { id: `id-${id}`, macAddress: id, policyName } });
    }
    const [, operator, value = ''] = /^name\.(EQ|STARTSW)\.(.+)$/.exec(searchParams.get('filter') ?? '') ?? [];
    const macs = [...held.keys()].filter((mac) => {
      if (operator === 'EQ') return mac === value;
      if (operator === undefined || startsWith === 'ignored') return true;
      return startsWith === 'heeded' && mac.startsWith(value);
    });
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
async function applied(shape: Shape, size = SIZE) {
  const held = new Map<string, string>(Array.from({ length: size }, (_, index) => [macAt(index), 'Test']));
  let requests = 0;
  const answer = aList(held, shape);
  target = await stubTarget((request, response) => {
    requests += 1;
    answer(request, response);
  });
  return { held, ...anAppliedContext(target, pool, size), sent: () => requests };
}

describe('the list held against what was acknowledged', () => {
  it('counts a cleared endpoint that holds a policy of somebody else among those of others, and not as lost', async () => {
    const { held, state, context } = await applied({ names: true }, 40);
    for (const at of [3, 4]) state.set(at, 'nothing');
    held.set(macAt(3), 'Other');
    const found = await reconcile(context, 20_000, 0);
    expect(found).toMatchObject({ lost: { count: 1, examples: [`${macAt(4)} is still listed`] } });
    expect(found.foreign).toMatchObject({ count: 1, examples: [macAt(3)] });
  });

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

describe('a list that takes too many requests to walk', () => {
  const MANY = 6000;
  const counted = (startsWith: Shape['startsWith'] = 'heeded') => applied({ names: false, startsWith }, MANY);

  it('is counted by beginnings of addresses: 5 of 5 lost endpoints within the limit', async () => {
    const { held, context, sent } = await counted();
    for (let at = 0; at < 5; at += 1) held.delete(macAt(at * 1117));
    const found = await reconcile(context, 2000, 0);
    expect(found).toMatchObject({ method: 'counts', acknowledged: MANY, listed: MANY - 5, lost: { count: 5 } });
    expect(found.lost?.examples).toContain(`${macAt(1117)} is not listed`);
    expect(sent()).toBeLessThan(2000);
  });

  it('tells what others hold and what was not acknowledged apart from what is lost', async () => {
    const { held, state, context } = await counted();
    for (const index of [4, 5, 6]) state.set(index, 'unknown');
    held.delete(macAt(6));
    held.set(macAt(MANY + 1), 'Theirs');
    held.set('0A:0B:0C:0D:0E:0F', 'Theirs');
    state.set(100, 'nothing');
    const found = await reconcile(context, 2000, 0);
    expect(found).toMatchObject({ lost: { count: 1 }, unacknowledged: { count: 2 }, foreign: { count: 2 } });
    expect(found.lost?.examples).toEqual([`${macAt(100)} is still listed`]);
  });

  it.each([
    ['ignored', 'does not add up'],
    ['finds nothing', 'does not find endpoints that EQ finds'],
  ] as const)('is left at a sample where the filter is %s', async (startsWith, why) => {
    const { context } = await counted(startsWith);
    const found = await reconcile(context, 2000, 0);
    expect(found.lost).toBeUndefined();
    expect(found.skipped).toMatch(new RegExp(`the list takes 6060 requests, .*${why}`));
  });

  it('is left at a sample where there is too much to count', async () => {
    const { held, context } = await counted();
    for (let index = 0; index < MANY; index += 2) held.delete(macAt(index));
    expect((await reconcile(context, 600, 0)).skipped).toMatch(/counting takes more than --reconcile-limit 600/);
  });
});
