import { describe, expect, it } from 'vitest';
import { historyReport } from '../../../history/model/history-report.ts';
import type { HistoryLine } from '../../../history/record/line.ts';
import { lineOf } from '../../../history/record/line-of.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { seededRandom } from '../../../lib/random.ts';
import { type ReferenceServer, startReference } from '../../../reference/server.ts';
import { aCell } from '../../helpers/a-cell-report.ts';
import { aCatalogue, aHeader, aRun } from '../../helpers/a-run.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';

const FAMILY = 'sgt';
/** Nights of each history; 30 with ERS_TEST_NIGHTS=30. */
const NIGHTS = Number(process.env['ERS_TEST_NIGHTS'] ?? 4);
const random = seededRandom(30);
const someNight = () => 1 + Math.floor(random() * (NIGHTS - 1));

/** What is switched on in a random night, and the checks that are run: few, so that a night takes a second. */
const DEFECTS = [
  { defect: 'M05', checks: ['schema/'], fails: 'schema/every-answer' },
  { defect: 'M10', checks: ['record/update', 'record/create'], fails: 'record/update' },
  { defect: 'M14', checks: ['record/delete-siblings'], fails: 'record/delete-siblings' },
].map((entry) => ({ ...entry, from: someNight() }));

/** The line of one real night. */
async function nightOf(server: ReferenceServer, night: number, checks: readonly string[]): Promise<HistoryLine> {
  const startedAt = new Date(Date.UTC(2026, 0, 1 + night, 2)).toISOString();
  const runId = `202601${String(1 + night).padStart(2, '0')}-020000-real`;
  const run = await runAgainst(
    { baseUrl: server.baseUrl, credentials: { username: server.username, password: server.password }, runId },
    { mode: 'own-data', seed: 1, families: [FAMILY], checks, visibilityMs: 300 },
  );
  const header = aHeader({ runId, startedAt, mode: 'own-data', options: { family: [FAMILY], check: checks } });
  const { title, versions, ops, filters, sorts } = FAMILIES[FAMILY];
  const family = {
    ...{ name: FAMILY, title, versions: [...versions], operations: [...ops] },
    ...{ filters: [...filters], sorts: [...sorts] },
  };
  const { written, exchanges, dialect, journal } = run;
  const catalogue = aCatalogue({ families: [family] });
  const records = aRun({ header, catalogue, results: written, exchanges, dialect, journal });
  return lineOf(judge(records, (facts) => aCell({ facts })));
}

/** A history of real nights in which defects and variations are switched on from a night on. */
async function nightsWith(from: number, on: { defects?: string[]; variations?: string[] }, checks: readonly string[]) {
  const lines: HistoryLine[] = [];
  for (const [first, end, extra] of [
    [0, from, {}],
    [from, NIGHTS, on],
  ] as const) {
    const server = await startReference({ port: 0, sessions: 50, ...extra });
    try {
      for (let night = first; night < end; night += 1) lines.push(await nightOf(server, night, checks));
    } finally {
      await server.close();
    }
  }
  return { lines, report: historyReport({ lines, skipped: [] }, {}) };
}

describe('a history of real nights', () => {
  it.each(DEFECTS)('names night $from as the first bad one of $defect', async ({ defect, checks, fails, from }) => {
    const { lines, report } = await nightsWith(from, { defects: [defect] }, checks);
    expect(report.counted).toBe(NIGHTS);
    const failing = report.failing.find(({ checkId }) => checkId === fails);
    expect(failing?.firstBad.run).toBe(lines[from]?.run);
    expect(failing?.lastGood?.run).toBe(lines[from - 1]?.run);
    expect(report.failing.map(({ firstBad }) => firstBad.run)).toEqual(report.failing.map(() => lines[from]?.run));
  });

  it('names the dialect question whose answer changed beside the failure of the same night', async () => {
    const from = someNight();
    const on = { defects: ['M10'], variations: ['V08'] };
    const { lines, report } = await nightsWith(from, on, ['record/update']);
    const [changed] = report.dialect;
    expect([report.dialect.length, changed?.run]).toEqual([1, lines[from]?.run]);
    expect(changed?.changes.join()).toMatch(/^[a-z.-]+: .+ → .+/);
    expect(report.failing[0]?.changes).toEqual(changed?.changes.map((words) => `dialect ${words}`));
  });
});
