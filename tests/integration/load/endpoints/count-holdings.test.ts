import { afterEach, describe, expect, it } from 'vitest';
import { readPool } from '../../../../lib/client/anc/pool.ts';
import { reconcile } from '../../../../load/endpoints/reconcile.ts';
import { anAppliedContext } from '../../../helpers/a-load-context.ts';
import { json, type StubTarget, stubTarget } from '../../../helpers/stub-target.ts';

let target: StubTarget | undefined;
afterEach(() => target?.close());

const SIZE = 6000;
const pool = readPool(`02:00:00:00:00:00+${SIZE + 500}@10.0.0.0`);
const macAt = (index: number) => pool.at(index).macAddress;

/** A list without addresses; STARTSW is heeded, ignored, or finds nothing. */
async function counted(startsWith: 'heeded' | 'ignored' | 'finds nothing' = 'heeded') {
  const held = new Map<string, string>(Array.from({ length: SIZE }, (_, index) => [macAt(index), 'Test']));
  let requests = 0;
  target = await stubTarget(({ url }, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(url, 'http://stub');
    const id = /\/ancendpoint\/id-(.+)$/.exec(decodeURIComponent(pathname))?.[1];
    if (id !== undefined) {
      const policyName = held.get(id);
      if (policyName === undefined) return json(response, 404, {});
      return json(response, 200, { ErsAncEndpoint: { id: `id-${id}`, macAddress: id, policyName } });
    }
    const [, operator, value = ''] = /^name\.(EQ|STARTSW)\.(.+)$/.exec(searchParams.get('filter') ?? '') ?? [];
    const fits = (mac: string) => {
      if (operator === 'EQ') return mac === value;
      if (operator === undefined || startsWith === 'ignored') return true;
      return startsWith === 'heeded' && mac.startsWith(value);
    };
    const macs = [...held.keys()].filter(fits);
    const size = Number(searchParams.get('size') ?? 20);
    const resources = macs.slice(0, size).map((mac) => ({ id: `id-${mac}` }));
    json(response, 200, { SearchResult: { total: macs.length, resources } });
  });
  const { state, context } = anAppliedContext(target, pool, SIZE);
  return { held, state, context, sent: () => requests };
}

describe('a list that takes too many requests to walk', () => {
  it('is counted by beginnings of addresses: 5 of 5 lost endpoints within the limit', async () => {
    const { held, context, sent } = await counted();
    for (let at = 0; at < 5; at += 1) held.delete(macAt(at * 1117));
    const found = await reconcile(context, 2000, 0);
    expect(found).toMatchObject({ method: 'counts', acknowledged: SIZE, listed: SIZE - 5, lost: { count: 5 } });
    expect(found.lost?.examples).toContain(`${macAt(1117)} is not listed`);
    expect(sent()).toBeLessThan(2000);
  });

  it('tells what others hold and what was not acknowledged apart from what is lost', async () => {
    const { held, state, context } = await counted();
    for (const index of [4, 5, 6]) state.set(index, 'unknown');
    held.delete(macAt(6));
    held.set(macAt(SIZE + 1), 'Theirs');
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
    for (let index = 0; index < SIZE; index += 2) held.delete(macAt(index));
    expect((await reconcile(context, 600, 0)).skipped).toMatch(/counting takes more than --reconcile-limit 600/);
  });
});
