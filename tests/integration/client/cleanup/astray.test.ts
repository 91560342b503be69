import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { freePool, lookBeforeAnc } from '../../../../lib/client/anc/free-pool.ts';
import { holdingsOf } from '../../../../lib/client/anc/look.ts';
import { applyEndpoint, clearEndpoint, seenHoldings } from '../../../../lib/client/anc/state.ts';
import { removeCreated } from '../../../../lib/client/cleanup/cleanup.ts';
import type { ErsClient } from '../../../../lib/client/types.ts';
import { residueWords } from '../../../../lib/judge/left-as-found.ts';
import { ancFields } from '../../../../lib/wire/anc.ts';
import { ANC_POOL, anAncClient, aStubClient, eagerClock } from '../../../helpers/a-client.ts';
import { EMPTY_LIST, json, type SeenRequest } from '../../../helpers/stub-target.ts';

const clock = eagerClock();
const macOf = (index: number) => ANC_POOL.at(index).macAddress;
const [before, named, other, foreign] = [macOf(1), macOf(4), macOf(7), macOf(8)];
const isWholeList = ({ method, url }: SeenRequest) => method === 'GET' && /\/ancendpoint\?size=100/.test(url);

/**
 * A run whose policy landed on another endpoint of the pool than the one it named, beside one that held it before, and one with the policy of
 * a colleague; `lie` answers during the clean-up.
 */
async function astray(
  lie: (request: SeenRequest, response: ServerResponse, bent: { endless: boolean }) => boolean,
  look: (client: ErsClient) => Promise<unknown> = async () => undefined,
) {
  const bent = { endless: false };
  let isOver = false;
  const free = freePool(ANC_POOL);
  const { anc, client } = await anAncClient(
    bent,
    { pool: free },
    (...asked) => isOver && lie(asked[0], asked[1], bent),
  );
  anc.held.set(before, 'Test');
  await free.settle(client, false);
  await applyEndpoint(client, named, 'Test');
  anc.held.delete(named);
  anc.held.set(foreign, 'Other').set(other, 'Test');
  await look(client);
  isOver = true;
  const { residue } = await removeCreated(client, { clock });
  expect(anc.held.delete(before)).toBe(true);
  return { held: [...anc.held.keys()], left: residue.map(({ id }) => id) };
}

const unreadable = (response: ServerResponse) => {
  json(response, 200, ['no record']);
  return true;
};

describe('a policy that landed on another endpoint', () => {
  it('is taken off, and what held one before or holds another is left', async () => {
    expect(await astray(() => false)).toEqual({ held: [foreign], left: [] });
  });

  it('is taken off although the list has no end any more, and the other endpoints are left open', async () => {
    const { held, left } = await astray((_request, _response, bent) => {
      bent.endless = true;
      return false;
    });
    expect([held, left]).toEqual([[foreign], ['(not known)']]);
  });

  it('is taken off although a record beside it cannot be read', async () => {
    const { held, left } = await astray(
      ({ url }, response) => decodeURIComponent(url).endsWith(foreign) && unreadable(response),
    );
    expect([held, left]).toEqual([[foreign], ['(not known)']]);
  });

  it('is taken off although the list does not say how many it holds', async () => {
    const { held, left } = await astray(({ url }, response) =>
      url.includes('size=1&') || /size=1$/.test(url) ? unreadable(response) : false,
    );
    expect([held, left]).toEqual([[foreign], []]);
  });

  it('is reported where one look showed it, its clear does nothing and no further look shows anything', async () => {
    let looks = 0;
    const { held, left } = await astray((request, response) => {
      if (request.method === 'PUT') {
        json(response, 204, undefined);
        return true;
      }
      looks += isWholeList(request) ? 1 : 0;
      return looks > 1 && isWholeList(request) && unreadable(response);
    });
    expect([held.sort(), left.sort()]).toEqual([[other, foreign].sort(), ['(not known)', other]]);
  });

  it('is reported if its clear does nothing and all lists are empty after that', async () => {
    let isCleared = false;
    const { left } = await astray(({ method, url }, response) => {
      isCleared ||= method === 'PUT';
      const isEmpty = isCleared && method === 'GET' && url.includes('?');
      if (method !== 'PUT' && !isEmpty) return false;
      json(response, method === 'PUT' ? 204 : 200, isEmpty ? EMPTY_LIST : undefined);
      return true;
    });
    expect(left).toEqual([other]);
  });

  it('is taken off although the list is empty at times, and says that it holds more', async () => {
    let lists = 0;
    const { held, left } = await astray((request, response) => {
      if (!isWholeList(request)) return false;
      lists += 1;
      if (lists % 2 === 1) json(response, 200, EMPTY_LIST);
      return lists % 2 === 1;
    });
    expect([held, left]).toEqual([[foreign], []]);
  });

  it('is reported where a look of the run showed it, and the login is refused at the end', async () => {
    const { left } = await astray(
      (_, response) => {
        json(response, 401, {});
        return true;
      },
      (client) => holdingsOf(client, [other]),
    );
    expect(left.sort()).toEqual([named, other, '(not known)'].sort());
  });

  it('cannot come about where nobody could see what the endpoints held before', async () => {
    const free = freePool(ANC_POOL);
    const options = { mode: 'full', pool: free, policies: ['Test'] } as const;
    const { target, client } = await aStubClient(options, (_, response) => json(response, 500, {}));
    await free.settle(client, false);
    await expect(applyEndpoint(client, named, 'Test')).rejects.toThrow('which is not in the pool');
    expect([free.size, target.seen.filter(({ method }) => method !== 'GET')]).toEqual([0, []]);
  });

  it('leaves the other endpoints open where no look shows anything', async () => {
    const { left } = await astray((request, response) => isWholeList(request) && unreadable(response));
    expect(left).toEqual(['(not known)']);
  });
});

it('an endpoint beside the pool that a policy of the run was put on in place of another is listed', async () => {
  const free = freePool(ANC_POOL);
  const { anc, client } = await anAncClient({}, { pool: free, clock });
  const [beside, same] = ['02:FE:00:00:00:01', '02:FE:00:00:00:02'] as const;
  anc.held.set(beside, 'Other').set(same, 'Test');
  await free.settle(client, false);
  await seenHoldings(client);
  await applyEndpoint(client, named, 'Test');
  anc.held.set(beside, 'Test');
  await seenHoldings(client);
  const { residue, leftAlone } = await removeCreated(client, { clock });
  expect([residue, [...anc.held.keys()]]).toEqual([[], [beside, same]]);
  expect(leftAlone).toMatchObject([{ id: beside, why: 'it held "Other", and holds "Test" now' }]);
});

it('a clear that was done, and answered with the wish to ask again, takes no policy of somebody else off', async () => {
  const { anc, client, target } = await anAncClient({}, {}, ({ url }, response) => {
    if (!url.endsWith('/clear') || anc.held.get(named) !== 'Test') return false;
    anc.held.set(named, 'Other');
    json(response, 503, {}, { 'Retry-After': '0' });
    return true;
  });
  await applyEndpoint(client, named, 'Test');
  await expect(clearEndpoint(client, named)).rejects.toThrow('shown with the policy "Other"');
  const clears = target.seen.filter(({ url }) => url.endsWith('/clear'));
  expect([clears.length, anc.held.get(named)]).toEqual([1, 'Other']);
});

it('a policy that the target took and that no list shows is cleared, once', async () => {
  const { anc, client, target } = await anAncClient({ hides: true }, { pool: freePool(ANC_POOL) });
  for (const mac of [named, other]) await applyEndpoint(client, mac, 'Test');
  anc.held.delete(other);
  const { residue } = await removeCreated(client, { clock });
  expect([[...anc.held], residue]).toEqual([[], []]);
  expect(target.seen.filter(({ url }) => url.endsWith('/clear'))).toHaveLength(2);
});

it('an endpoint that held nothing when the run began is not applied to if a look shows the policy of somebody else', async () => {
  const free = freePool(ANC_POOL);
  const { anc, client } = await anAncClient({}, { pool: free, clock });
  await free.settle(client, false);
  anc.held.set(named, 'Other');
  for (const macAddress of [named, other]) await lookBeforeAnc(client, ancFields('clear-by-mac', { macAddress }));
  await expect(applyEndpoint(client, named, 'Test')).rejects.toThrow('shown with the policy "Other"');
  await applyEndpoint(client, other, 'Test');
  expect([anc.held.get(named), anc.held.get(other)]).toEqual(['Other', 'Test']);
});

it('a list of endpoints that goes round and round is read record by record once', async () => {
  const { anc, target, client } = await anAncClient({ endless: true });
  anc.held.set(other, 'Test').set(foreign, 'Other');
  const lists = () => target.seen.filter(({ url }) => !url.includes('/id-')).length;
  expect(await seenHoldings(client)).toMatchObject({ held: anc.held, isWhole: false });
  expect(lists()).toBeGreaterThan(1);
  expect(target.seen.length - lists()).toBe(2);
});

it('what a target that cannot be looked at any more may hold is no count of what it holds', async () => {
  let isGone = false;
  const { client } = await anAncClient({}, { clock }, ({ body }, response) => {
    const isLost = isGone || body.includes(other);
    if (isLost) json(response, 500, {});
    return isLost;
  });
  await client.send('ancendpoint', 'list');
  for (const mac of [named, foreign, other]) await applyEndpoint(client, mac, 'Test');
  await clearEndpoint(client, foreign);
  isGone = true;
  const { residue } = await removeCreated(client, { clock });
  expect(residueWords(residue)).toBe(
    '1 record left on the target, 1 record removed but not proven gone, 1 write of unknown outcome',
  );
});
