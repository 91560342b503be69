import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
import type { Mode } from '../../../lib/records/vocabulary.ts';
import { type ReferenceServer, startReference } from '../../../reference/server.ts';
import { renderJunit } from '../../../reports/render/junit.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { aHeader, aRun, given } from '../../helpers/a-run.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { folderOfTests } from '../../helpers/folder.ts';

const folder = folderOfTests();

interface Week {
  readonly mode: Mode;
  readonly family: string;
  /** Three defects: what they block is not proven either. */
  readonly known: readonly [string, string, string];
  /** Requirement that the new defect of the sixth night breaks. */
  readonly fresh: 'FOP-NEQ' | 'SPC-VER';
  /** What is mended on the last night is the first of them. */
  readonly mended: RegExp;
}
const WEEKS: readonly Week[] = [
  { mode: 'own-data', family: 'sgt', known: ['M27', 'M33', 'M05'], fresh: 'FOP-NEQ', mended: /FOP-EQ/ },
  { mode: 'full', family: 'ancendpoint', known: ['M39', 'M55', 'M50'], fresh: 'SPC-VER', mended: /LST-SORT/ },
];
const NOTHING = { created: 0, removed: 0, residue: [] };

/** Green nights between the first and the new defect: one, of the last week alone; with ERS_TEST_NIGHTS=5 whole weeks in each mode. */
const { ERS_TEST_NIGHTS: NIGHTS } = process.env;
const GREEN_NIGHTS = Number(NIGHTS ?? 1);

let nights = 0;

/** One run as the command makes it, with a run id of its own and the endpoints that hold nothing. */
async function night(server: ReferenceServer, { mode, family }: Week, baseline?: string): Promise<Report> {
  nights += 1;
  const pool = freePool(readPool(server.endpoints));
  const run = await runAgainst(
    {
      baseUrl: server.baseUrl,
      credentials: { username: server.username, password: server.password },
      runId: `20260131-0200${String(nights).padStart(2, '0')}-week`,
      ...(mode === 'full' ? { pool, policies: server.policies } : {}),
      before: (client) => (mode === 'full' ? pool.settle(client, false) : Promise.resolve()),
    },
    { mode, seed: 1, families: [family], visibilityMs: 200, depth: 'quick' },
  );
  const records = aRun({
    header: aHeader({ command: 'conformance', mode, options: given({ families: [family] }) }),
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

describe.each(NIGHTS === undefined ? WEEKS.slice(-1) : WEEKS)('a week of nightly runs in mode $mode', (week) => {
  const { mode, known, fresh, mended } = week;
  it('is green for what the baseline expects, red for one new cause, and names what was mended', async () => {
    const file = join(folder, `${mode}.yaml`);
    await serving(known, async (server) => {
      const first = await night(server, week);
      expect(first.exit.code).not.toBe(0);
      const failed = first.conformance?.results.filter(({ verdict }) => verdict === 'fail') ?? [];
      // What a check is given from memory is its evidence too.
      expect(failed.filter(({ evidence }) => evidence.length === 0)).toEqual([]);
      updateBaseline(file, first);
      expect((parse(readFileSync(file, 'utf8')) as unknown[]).length).toBeLessThanOrEqual(16);
      for (const day of Array.from({ length: GREEN_NIGHTS }, (_, index) => index + 2)) {
        const green = await night(server, week, file);
        expect([day, bad(green), green.exit.code]).toEqual([day, [], 0]);
        expect(totals(green)).toEqual(['failures="0"', 'errors="0"']);
      }
    });
    await serving([...known, fresh === 'FOP-NEQ' ? 'M28' : 'M56'], async (server) => {
      const red = await night(server, week, file);
      expect(red.exit.code).toBe(1);
      const causes = red.conformance?.causes.filter(({ expected }) => !expected) ?? [];
      // A wrong filter may also put records on pages that no link leads to, beside the fault of pages that is expected.
      expect(causes[0]?.requirements).toContain(fresh);
      expect(causes.length).toBeLessThanOrEqual(2);
    });
    await serving(known.slice(1), async (server) => {
      const last = await night(server, week, file);
      // A fault that is mended lets others show that it hid: pairs of conditions, and relations that end at the first fault.
      const seen = bad(last);
      expect(seen.filter((text) => !/, only if |records contradict it/.test(text))).toEqual([]);
      expect(last.exit.code).toBe(seen.length === 0 ? 0 : 1);
      const better = last.exit.reasons.find(({ text }) => text.startsWith('Better: '));
      expect(better?.text).toMatch(mended);
    });
  }, 240_000);
});
