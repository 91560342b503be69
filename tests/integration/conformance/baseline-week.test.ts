import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readBaseline } from '../../../cli/options/baseline/read-baseline.ts';
import { updateBaseline } from '../../../cli/options/baseline/update-baseline.ts';
import { catalogueOf } from '../../../cli/session/catalogue.ts';
import { freePool } from '../../../lib/client/anc/free-pool.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { defined } from '../../../lib/defined.ts';
import { judge } from '../../../lib/judge/judge.ts';
import type { Report } from '../../../lib/records/report.ts';
import { type ReferenceServer, startReference } from '../../../reference/server.ts';
import { renderJunit } from '../../../reports/render/junit.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { aHeader, aRun, given } from '../../helpers/a-run.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const folder = folderOfTests();

/** Three defects: what they block is not proven either. The new one breaks SPC-VER; the first of them is mended on the last night. */
const KNOWN = ['M39', 'M55', 'M50'];
const NOTHING = { created: 0, removed: 0, residue: [] };

let nights = 0;

/** One run as the command makes it, with a run id of its own and the endpoints that hold nothing. */
async function night(server: ReferenceServer, baseline?: string): Promise<Report> {
  nights += 1;
  const pool = freePool(readPool(server.endpoints));
  const run = await runAgainst(
    {
      baseUrl: server.baseUrl,
      credentials: { username: server.username, password: server.password },
      runId: `20260131-0200${String(nights).padStart(2, '0')}-week`,
      ...{ pool, policies: server.policies },
      before: (client) => pool.settle(client, false),
    },
    { mode: 'full', seed: 1, families: ['ancendpoint'], visibilityMs: 200, depth: 'quick' },
  );
  const records = aRun({
    header: aHeader({ command: 'conformance', options: given({ families: ['ancendpoint'] }) }),
    catalogue: catalogueOf(FAMILIES),
    results: run.written,
    exchanges: run.exchanges,
    dialect: run.dialect,
    journal: run.journal,
    ...defined({ baseline: baseline === undefined ? undefined : readBaseline(baseline) }),
  });
  const end = records.end === null ? null : { ...records.end, cleanup: run.cleanup ?? NOTHING };
  return judge({ ...records, end }, cellOf);
}

const bad = ({ exit }: Report) => exit.reasons.filter(({ code }) => code > 0).map(({ text }) => text);
const totals = (report: Report) =>
  /<testsuites [^>]*?(failures="\d+") (errors="\d+")/.exec(renderJunit(report))?.slice(1);

async function serving<T>(defects: readonly string[], work: (server: ReferenceServer) => Promise<T>): Promise<T> {
  const server = await startReference({ port: 0, sessions: 300, defects });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

it('a week of nightly runs is green for what the baseline expects, red for one new cause, and names what was mended', async () => {
  const file = join(folder, 'expected.yaml');
  await serving(KNOWN, async (server) => {
    const first = await night(server);
    expect(first.exit.code).not.toBe(0);
    const failed = first.conformance?.results.filter(({ verdict }) => verdict === 'fail') ?? [];
    // What a check is given from memory is its evidence too.
    expect(failed.filter(({ evidence }) => evidence.length === 0)).toEqual([]);
    updateBaseline(file, first);
    expect((parse(readFileSync(file, 'utf8')) as unknown[]).length).toBeLessThanOrEqual(16);
    const green = await night(server, file);
    expect([bad(green), green.exit.code]).toEqual([[], 0]);
    expect(totals(green)).toEqual(['failures="0"', 'errors="0"']);
  });
  await serving([...KNOWN, 'M56'], async (server) => {
    const red = await night(server, file);
    expect(red.exit.code).toBe(1);
    const causes = red.conformance?.causes.filter(({ expected }) => !expected) ?? [];
    expect(causes[0]?.requirements).toContain('SPC-VER');
    expect(causes.length).toBeLessThanOrEqual(2);
  });
  await serving(KNOWN.slice(1), async (server) => {
    const last = await night(server, file);
    // A fault that is mended lets others show that it hid: pairs of conditions, and relations that end at the first fault.
    const seen = bad(last);
    expect(seen.filter((text) => !/, only if |records contradict it/.test(text))).toEqual([]);
    expect(last.exit.code).toBe(seen.length === 0 ? 0 : 1);
    const better = last.exit.reasons.find(({ text }) => text.startsWith('Better: '));
    expect(better?.text).toMatch(/LST-SORT/);
  });
}, 240_000);
