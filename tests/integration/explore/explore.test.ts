import { describe, expect, it } from 'vitest';
import { type ExploreOptions, explore } from '../../../explore/explore.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { createClient } from '../../../lib/client/http/create-client.ts';
import { preflight } from '../../../lib/client/http/preflight.ts';
import { systemClock } from '../../../lib/clock.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { type ReferenceOptions, startReference } from '../../../reference/server.ts';

async function explored(deployment: ReferenceOptions, options: Partial<ExploreOptions>) {
  const server = await startReference({ sessions: 200, seed: 1, ...deployment });
  const { baseUrl, username, password, endpoints, policies } = server;
  const client = createClient(
    {
      target: { baseUrl, credentials: { username, password }, timeoutMs: 10_000, connections: 10 },
      mode: 'full',
      runId: 'explore-00000001',
      table: FAMILIES,
      pool: readPool(endpoints),
      policies,
      onExchange: () => undefined,
      onJournal: () => undefined,
    },
    { clock: systemClock },
  );
  try {
    await preflight(client);
    return await explore(
      { seed: 1, durationMs: 25_000, most: 1, visibilityMs: 1000, isExpected: () => false, ...options },
      { client, clock: systemClock },
    );
  } finally {
    await client.close();
    await server.close();
  }
}

describe('a search by random sequences', () => {
  it('finds nothing on a deployment that conforms, and leaves nothing there', async () => {
    const { findings, searched, cleanup } = await explored({}, { families: ['sgt'], durationMs: 4000 });
    expect(findings).toEqual([]);
    expect(searched['sgt']?.comparisons).toBeGreaterThan(20);
    expect(cleanup.residue).toEqual([]);
    expect(cleanup.created).toBeGreaterThan(0);
  });

  it('finds a lost member, shrinks it to one step, and replays it from its seed and path', async () => {
    const defect = { defects: ['M02'] };
    const [finding] = (await explored(defect, { families: ['sgt'] })).findings;
    if (finding === undefined) throw new Error('nothing was found');
    expect(finding.difference).toMatchObject({ requirement: 'PAY-C', family: 'sgt' });
    expect(finding.steps.length).toBeLessThanOrEqual(2);
    expect(finding.exchanges.length).toBeGreaterThan(1);
    const { seed, path } = finding;
    const again = await explored(defect, { families: ['sgt'], seed, path });
    expect(again.findings[0]?.difference.requirement).toBe('PAY-C');
    expect(again.findings[0]?.steps).toEqual(finding.steps);
  });

  it('does not find again what a baseline expects', async () => {
    const run = await explored(
      { defects: ['M02'] },
      {
        families: ['sgt'],
        durationMs: 3000,
        isExpected: (requirement) => /^(PAY|CNV-XML|LIST-GET|FOP|LST)/.test(requirement),
      },
    );
    expect(run.findings).toEqual([]);
  });

  it('finds an apply that stores nothing', async () => {
    const { findings } = await explored({ defects: ['M53'] }, { families: ['ancendpoint'] });
    expect(findings[0]?.difference.requirement).toBe('SPC-ANC');
  });
});
