import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deviation } from '../../../reference/deviation.ts';
import { type Reply, type Served, serve, serveOne } from './ask.ts';

const json = (operationType: string, more: object = {}) => ({
  SgtBulkRequest: { operationType, resourceMediaType: 'vnd.com.cisco.ise.trustsec.sgt.1.0+xml', ...more },
});

describe('bulk requests to the reference deployment', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  const finished = async (family: string, submitted: Reply) => {
    for (;;) {
      const status = (await served.ask('GET', `${family}/bulk/${submitted.id()}`)).json().BulkStatus;
      if (status.executionStatus === 'COMPLETED') return status;
    }
  };

  it('are accepted with 202 and Location, run afterwards, and are monitored by their id', async () => {
    const submitted = await served.ask('PUT', 'sgt/bulk/submit', json('create'));
    expect(submitted.status).toBe(202);
    expect(submitted.headers.location).toBe(`${served.baseUrl}/ers/config/sgt/bulk/${submitted.id()}`);
    const status = await finished('sgt', submitted);
    expect(status).toMatchObject({
      bulkId: submitted.id(),
      operationType: 'create',
      resourcesCount: 0,
      resourcesStatus: [],
    });
    expect(status.startTime).toMatch(/^\w{3} \w{3} \d{2} \d{2}:\d{2}:\d{2} UTC \d{4}$/);
  });

  it('run one at a time: until the first is done, a second one is 503 with Retry-After in whole seconds', async () => {
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

  it('are not known to the monitor of another family', async () => {
    const submitted = await served.ask('PUT', 'sgt/bulk/submit', json('create'));
    expect((await served.ask('GET', `sxpvpns/bulk/${submitted.id()}`)).status).toBe(404);
    await finished('sgt', submitted);
  });

  it('create records in JSON where they are given, and put policies on ANC endpoints', async () => {
    const made = await finished(
      'sgt',
      await served.ask('PUT', 'sgt/bulk/submit', json('create', { resourcesList: [{ name: 'b-json', value: 700 }] })),
    );
    expect(made.successCount).toBe(1);
    const anc = {
      operationType: 'create',
      resourceMediaType: 'x',
      resourcesList: { resource: [{ macAddress: '02:00:00:00:00:09', policyName: served.policies[0] }] },
    };
    const submitted = await served.ask('PUT', 'ancendpoint/bulk/submit', { ErsAncEndpointBulkRequest: anc });
    const status = await finished('ancendpoint', submitted);
    expect(status).toMatchObject({ bulkID: submitted.id(), successCount: 1 });
    expect((await served.ask('GET', 'ancendpoint?filter=name.EQ.02:00:00:00:00:09')).json().SearchResult.total).toBe(1);
  });
});
