import { describe, expect, it } from 'vitest';
import { lookupOf } from '../../../../lib/client/anc/lookup.ts';
import { readInitialState } from '../../../../load/endpoints/initial-state.ts';
import { probeAnc } from '../../../../load/endpoints/probe-anc.ts';
import { setEndpoints } from '../../../../load/endpoints/set-endpoints.ts';
import { aClient } from '../../../helpers/a-client.ts';
import { aLoadContext, aPlan, pool } from '../../../helpers/a-load-context.ts';
import type { AncStubOptions } from '../../../helpers/anc-target.ts';
import { EMPTY_LIST, json, stubOfTest } from '../../../helpers/stub-target.ts';

const ipToMac = (ip: string) => {
  const index = pool.indexOf(ip);
  return index === undefined ? undefined : pool.at(index).macAddress;
};

/** A load that also applies by IP address, on a stub. */
const aLoad = (options: AncStubOptions) =>
  aLoadContext(options, aPlan({ operations: ['apply-by-mac', 'apply-by-ip'] }));

describe('the probe before a load', () => {
  it('times a few answers, leaves nothing behind, and finds nothing to say of a plain target', async () => {
    const { anc, context } = await aLoad({ ipToMac });
    const found = await probeAnc(context);
    expect(found.latenciesMs).toHaveLength(6);
    expect(found.latenciesMs.every((ms) => ms > 0)).toBe(true);
    expect([Object.keys(found), anc.held.size, context.state.toClear()]).toEqual([['latenciesMs'], 0, []]);
  });

  it.each([{}, { showsFor: 300 }])(
    'says in the words of the target why nothing can be applied by an IP address: %j',
    async (bent) => {
      const { anc, context, target } = await aLoadContext(bent, aPlan({ operations: ['apply-by-ip'] }));
      const { refused } = await probeAnc(context);
      expect(refused?.['apply-by-ip']?.why).toMatch(
        /^applying by the IP address 10\.0\.\d+\.\d+ was answered 400 "Session lookup failure", and the same endpoint is taken by its MAC address/,
      );
      expect([anc.held.size, context.state.toClear()]).toEqual([0, []]);
      const byIp = target.seen.filter(({ body }) => body.includes('ipAddress'));
      expect(byIp).toHaveLength(1);
    },
  );

  it.each([
    ['outside of the pool', () => '06:00:00:00:00:01'],
    ['of the pool', () => pool.at(2999).macAddress],
  ])('ends a load whose pool names the address of an endpoint %s, at its first apply', async (_where, ipOf) => {
    const { context, target } = await aLoad({ ipToMac: ipOf });
    const quick = { ...context, clock: { ...context.clock, sleep: async () => undefined } };
    await readInitialState(quick);
    await expect(probeAnc(quick)).rejects.toMatchObject({
      code: 'address-of-another',
      message: expect.stringMatching(`^10[.\\d]+ is the address of ${ipOf()}, not of 02:00`),
    });
    expect(target.seen.filter(({ body }) => body.includes('ipAddress'))).toHaveLength(1);
  });

  it('asks nothing by IP address where no cell does', async () => {
    const { context, target } = await aLoadContext({});
    expect((await probeAnc(context)).refused).toBeUndefined();
    expect(target.seen.some(({ body }) => body.includes('ipAddress'))).toBe(false);
  });

  it('learns that an error stands for a success, once, and counts it as done from then on', async () => {
    const { anc, context, target } = await aLoad({ ipToMac, radiusFails: true });
    const found = await probeAnc(context);
    expect(found).toMatchObject({ doneDespite: { status: 500, says: 'Radius Failure' } });
    expect([found.refused, anc.held.size, context.state.toClear()]).toEqual([undefined, 0, []]);
    const before = target.seen.length;
    expect(await setEndpoints({ ...context, anc: found }, [1, 2, 3], 'policy')).toEqual({ failed: [], late: [] });
    expect(anc.held.size).toBe(3);
    // One request for each, and no look.
    expect(target.seen.length - before).toBe(3);
  });

  it.each([
    [200, /^anc-refused: .* was answered 200 "Policy is not configured"; name a policy/],
    [400, /^anc-refused: .* was answered 400 "Policy is not configured"; name a policy/],
    [403, /^anc-refused: .* was answered 403 "Policy is not configured"; give the account the right/],
    [500, /^untaken: was answered 500 "Policy is not configured"; $/],
  ])('tells of an apply that is answered %i, and stores nothing, in the words of the target', async (status, told) => {
    const target = await stubOfTest(({ method }, response) =>
      method === 'PUT'
        ? json(response, status, {
            ERSResponse: { messages: [{ type: 'ERROR', title: 'Policy is not\n configured' }] },
          })
        : json(response, 200, EMPTY_LIST),
    );
    const { context } = await aLoadContext({});
    const { client } = aClient(target.baseUrl, { mode: 'full', pool, policies: ['Test'] });
    const found = await probeAnc({ ...context, client }).catch((fault) => fault);
    expect(`${found.code ?? 'untaken'}: ${found.untaken ?? found.message}; ${found.hint ?? ''}`).toMatch(told);
  });

  it('ends a load that could not clear what it applies, before it applies more', async () => {
    const { anc, context } = await aLoadContext({ keeps: true });
    const message = expect.stringMatching(/^clearing 02:.* was answered 400 "clear is refused"$/);
    await expect(probeAnc(context)).rejects.toMatchObject({ code: 'anc-refused', message });
    expect(anc.held.size).toBe(1);
  });

  it('learns how the target writes addresses, from one that has letters', async () => {
    const { context } = await aLoad({ ipToMac, writes: (mac) => mac.toLowerCase().replaceAll(':', '-') });
    await probeAnc(context);
    expect(lookupOf(context.client)).toMatchObject({
      form: { separator: '-', group: 2, upper: false },
      finds: true,
      misses: false,
    });
  });
});
