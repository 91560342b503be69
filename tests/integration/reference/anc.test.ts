import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { macOf } from '../../../lib/wire/endpoint.ts';
import { type AncPair, ancBody, type Served, serve } from './ask.ts';

describe('ANC on the reference deployment', () => {
  let served: Served;
  let policy: string;
  let other: string;
  beforeAll(async () => {
    served = await serve({ sessions: 1000 });
    [policy = '', other = ''] = served.policies;
  });
  afterAll(() => served.close());

  const apply = (...pairs: readonly AncPair[]) => served.ask('PUT', 'ancendpoint/apply', ancBody(...pairs));
  const clear = (...pairs: readonly AncPair[]) => served.ask('PUT', 'ancendpoint/clear', ancBody(...pairs));
  const held = async (mac: string) => {
    const list = (await served.ask('GET', `ancendpoint?filter=name.EQ.${mac}`)).json().SearchResult;
    if (list.total === 0) return undefined;
    return (await served.ask('GET', `ancendpoint/${list.resources[0].id}`)).json().ErsAncEndpoint;
  };

  it('applies and clears by the IP address of a session, on the endpoint that has it', async () => {
    expect((await apply(['ipAddress', '10.0.4.5'], ['policyName', policy])).status).toBe(400);
    expect((await apply(['ipAddress', '10.0.1.5'], ['policyName', policy])).status).toBe(204);
    expect(await held(macOf(261))).toMatchObject({ policyName: policy });
    expect((await clear(['ipAddress', '10.0.1.5'])).status).toBe(204);
    expect(await held(macOf(261))).toBeUndefined();
  });

  it('says already associated and not associated in the words clients look for', async () => {
    await apply(['macAddress', macOf(2)], ['policyName', policy]);
    const again = await apply(['macAddress', macOf(2)], ['policyName', policy]);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('already associated')]);
    const never = await clear(['macAddress', macOf(3)]);
    expect([never.status, never.text]).toEqual([400, expect.stringContaining('not associated')]);
  });

  it('replaces the policy of an endpoint and keeps its record', async () => {
    await apply(['macAddress', macOf(4)], ['policyName', policy]);
    const before = await held(macOf(4));
    expect((await apply(['macAddress', macOf(4)], ['policyName', other])).status).toBe(204);
    expect(await held(macOf(4))).toMatchObject({ id: before.id, policyName: other });
  });

  it('takes several endpoints in one request, all of them or none', async () => {
    const pairs = [5, 6].flatMap(
      (index) =>
        [
          ['macAddress', macOf(index)],
          ['policyName', policy],
        ] as const,
    );
    expect((await apply(...pairs)).status).toBe(204);
    expect(await held(macOf(6))).toBeDefined();
    const half = await apply(
      ['macAddress', macOf(7)],
      ['policyName', policy],
      ['macAddress', macOf(5)],
      ['policyName', policy],
    );
    expect(half.status).toBe(400);
    expect(await held(macOf(7))).toBeUndefined();
  });

  it('reads the XML form with attributes and the one with elements', async () => {
    const type = { 'Content-Type': 'application/xml' };
    const attributes = `<ns0:operationAdditionalData xmlns:ns0="ers.ise.cisco.com"><requestAdditionalAttributes><additionalAttribute name="macAddress" value="${macOf(8)}"/><additionalAttribute name="policyName" value="${policy}"/></requestAdditionalAttributes></ns0:operationAdditionalData>`;
    expect((await served.ask('PUT', 'ancendpoint/apply', attributes, type)).status).toBe(204);
    const elements = `<ns0:ancendpoint xmlns:ns0="anc.ers.ise.cisco.com"><additionalData><name>macAddress</name><value>${macOf(8)}</value></additionalData></ns0:ancendpoint>`;
    expect((await served.ask('PUT', 'ancendpoint/clear', elements, type)).status).toBe(204);
    expect(await held(macOf(8))).toBeUndefined();
  });
});
