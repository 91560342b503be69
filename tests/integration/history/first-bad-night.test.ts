import { describe, expect, it } from 'vitest';
import type { ConformanceOptions } from '../../../conformance/engine/run.ts';
import { historyReport } from '../../../history/model/history-report.ts';
import type { HistoryLine } from '../../../history/record/line.ts';
import { lineOf } from '../../../history/record/line-of.ts';
import { freePool } from '../../../lib/client/anc/free-pool.ts';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { seededRandom } from '../../../lib/random.ts';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { type ReferenceServer, startReference } from '../../../reference/server.ts';
import { PUBLISHED_SCORE } from '../../../selftest/published-score.ts';
import { aCell } from '../../helpers/a-cell-report.ts';
import { aCatalogue, aHeader, aRun, given } from '../../helpers/a-run.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';

const TABLE: FamilyTable = FAMILIES;
/** Nights of each history; 30 with ERS_TEST_NIGHTS=30. */
const NIGHTS = Number(process.env['ERS_TEST_NIGHTS'] ?? 4);
/** Defects that are switched on in a random night; all sixty with ERS_TEST_DEFECTS=all, or those that it names. */
const SOME = ['M05', 'M14'];
const random = seededRandom(30);
const someNight = () => 1 + Math.floor(random() * (NIGHTS - 1));
const ASKED = process.env['ERS_TEST_DEFECTS'];
const CASES = DEFECTS.filter(({ id }) => ASKED === 'all' || (ASKED?.split(',') ?? SOME).includes(id)).map(({ id }) => ({
  defect: id,
  from: someNight(),
}));

/** What is run each night: little, so that a night takes a second. */
interface Scope {
  readonly family: string;
  readonly checks: readonly string[];
}

function runOf(
  server: ReferenceServer,
  runId: string,
  { families, checks }: Pick<ConformanceOptions, 'families' | 'checks'>,
) {
  const { baseUrl, username, password, policies } = server;
  const pool = freePool(readPool(server.endpoints));
  return runAgainst(
    {
      baseUrl,
      credentials: { username, password },
      runId,
      pool,
      policies,
      before: (client) => pool.settle(client, true),
    },
    { mode: 'full', seed: 1, visibilityMs: 300, ...defined({ families, checks }) },
  );
}

/** A check that finds the defect, and a family where it does. Beside it runs what passes, and what sends the requests whose answers it judges. */
async function finderOf(defect: string): Promise<Scope & { readonly finder: string }> {
  const finders = PUBLISHED_SCORE.defects.find(({ id }) => id === defect)?.rightKillers ?? [];
  const server = await startReference({ port: 0, sessions: 50, defects: [defect] });
  try {
    for (const beside of [['record/create'], ['record/']]) {
      const { written } = await runOf(server, '20251231-020000-real', { checks: [...finders, ...beside] });
      const found = written.find(({ verdict, checkId }) => /fail|warn/.test(verdict) && finders.includes(checkId));
      if (found === undefined) continue;
      return { family: found.family, checks: [found.checkId, ...beside], finder: found.checkId };
    }
    throw new Error(`${defect} was not found by ${finders.join(', ')}`);
  } finally {
    await server.close();
  }
}

/** The line of one real night. */
async function nightOf(server: ReferenceServer, night: number, { family, checks }: Scope): Promise<HistoryLine> {
  const startedAt = new Date(Date.UTC(2026, 0, 1 + night, 2)).toISOString();
  const runId = `202601${String(1 + night).padStart(2, '0')}-020000-real`;
  const run = await runOf(server, runId, { families: [family], checks });
  const header = aHeader({
    runId,
    startedAt,
    mode: 'full',
    options: given({ families: [family], checks: [...checks] }),
  });
  const { title, versions, ops, filters, sorts } = TABLE[family] as Family;
  const described = {
    ...{ name: family, title, versions: [...versions], operations: [...ops] },
    ...{ filters: [...filters], sorts: [...sorts] },
  };
  const { written, exchanges, dialect, journal } = run;
  const catalogue = aCatalogue({ families: [described] });
  const records = aRun({ header, catalogue, results: written, exchanges, dialect, journal });
  return lineOf(judge(records, (facts) => aCell({ facts })));
}

/** A history of real nights in which defects and variations are switched on from a night on. */
async function nightsWith(from: number, on: { defects?: string[]; variations?: string[] }, scope: Scope) {
  const lines: HistoryLine[] = [];
  for (const [first, end, extra] of [
    [0, from, {}],
    [from, NIGHTS, on],
  ] as const) {
    const server = await startReference({ port: 0, sessions: 50, ...extra });
    try {
      for (let night = first; night < end; night += 1) lines.push(await nightOf(server, night, scope));
    } finally {
      await server.close();
    }
  }
  return { lines, report: historyReport({ lines, skipped: [] }, {}) };
}

describe('a history of real nights', () => {
  it.each(CASES)('names night $from as the first bad one of $defect', async ({ defect, from }) => {
    const scope = await finderOf(defect);
    const { lines, report } = await nightsWith(from, { defects: [defect] }, scope);
    expect(report.counted).toBe(NIGHTS);
    // A mistake where the specification only implies what is right is a warning.
    const causes = report.failingCauses.flatMap(({ checks, ...cause }) =>
      checks.map((checkId) => ({ ...cause, checkId })),
    );
    const all = [...causes, ...report.failing, ...report.warnings];
    const found = all.find(({ checkId }) => checkId === scope.finder);
    expect(found?.firstBad.run).toBe(lines[from]?.run);
    expect(found?.lastGood?.run).toBe(lines[from - 1]?.run);
    expect(all.map(({ firstBad }) => firstBad.run)).toEqual(all.map(() => lines[from]?.run));
  });

  it('names the dialect question whose answer changed beside the failure of the same night', async () => {
    const from = someNight();
    const on = { defects: ['M10'], variations: ['V08'] };
    const { lines, report } = await nightsWith(from, on, { family: 'sgt', checks: ['record/update'] });
    const [changed] = report.dialect;
    expect([report.dialect.length, changed?.run]).toEqual([1, lines[from]?.run]);
    expect(changed?.changes.join()).toMatch(/^[a-z.-]+: .+ → .+/);
    expect(report.failingCauses[0]?.changes).toEqual(changed?.changes.map((words) => `dialect ${words}`));
  });
});
