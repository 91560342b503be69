import { describe, expect, it } from 'vitest';
import { macOf } from '../../../lib/wire/endpoint.ts';
import { POLICIES } from '../../../reference/deployment.ts';
import type { Deviation } from '../../../reference/deviation.ts';
import { type AncPair, ancBody, servedOfGroup, serveOne } from './ask.ts';

describe('ANC on the reference deployment', () => {
  const served = servedOfGroup({ sessions: 1000 });
  const policy = POLICIES[0];

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

  it('takes several endpoints in one request, all of them or none', async () => {
    const both = (...indexes: readonly number[]) =>
      apply(
        ...indexes.flatMap((index): AncPair[] => [
          ['macAddress', macOf(index)],
          ['policyName', policy],
        ]),
      );
    expect((await both(5, 6)).status).toBe(204);
    expect(await held(macOf(6))).toBeDefined();
    expect((await both(7, 5)).status).toBe(400);
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

const json = (operationType: string, more: object = {}) => ({
  SgtBulkRequest: { operationType, resourceMediaType: 'vnd.com.cisco.ise.trustsec.sgt.1.0+xml', ...more },
});

it('bulk requests to the reference deployment run one at a time: until the first is done, a second one is 503 with Retry-After in whole seconds', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Policies are put on endpoints when the test says so.
  const holding: Deviation = {
    install: () => ({ anc: ({ apply }) => ({ apply: (targets) => held.then(() => apply(targets)) }) }),
  };
  const slow = await serveOne({ deviations: [holding] });
  const resource = [{ macAddress: '02:00:00:00:00:09', policyName: slow.policies[0] }];
  const first = await slow.ask('PUT', 'ancendpoint/bulk/submit', {
    ErsAncEndpointBulkRequest: { operationType: 'create', resourceMediaType: 'x', resourcesList: { resource } },
  });
  const status = async () =>
    (await slow.ask('GET', `ancendpoint/bulk/${first.id()}`)).json().BulkStatus.executionStatus;
  expect(await status()).toBe('IN_PROGRESS');
  const second = await slow.ask('PUT', 'sgt/bulk/submit', json('create'));
  expect(second.status).toBe(503);
  expect(second.rawHeaders).toContain('Retry-After');
  expect(second.headers['retry-after']).toMatch(/^\d+$/);
  release();
  await expect.poll(status).toBe('COMPLETED');
  expect((await slow.ask('PUT', 'sgt/bulk/submit', json('create'))).status).toBe(202);
});
