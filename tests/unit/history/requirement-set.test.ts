import { describe, expect, it } from 'vitest';
import { failures } from '../../../history/model/fail-on.ts';
import { failingCausesOf, historyReport } from '../../../history/model/history-report.ts';
import { nightsOf } from '../../../history/model/nights.ts';
import { renderHistoryMarkdown } from '../../../history/pages/lines.ts';
import { lineOf } from '../../../history/record/line-of.ts';
import { NEWEST_SET, REQUIREMENT_SETS } from '../../../lib/contract/requirement-sets.ts';
import { judge, withinSet } from '../../../lib/judge/judge.ts';
import type { Report } from '../../../lib/records/report.ts';
import { compareConformance } from '../../../reports/compare/conformance.ts';
import { conformanceSection } from '../../../reports/compare/document.ts';
import { documentLines } from '../../../reports/render/document-lines.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { aHeader, aResult, aRun, given } from '../../helpers/a-run.ts';

/** A week ago the set lacked a requirement that has failed all along. */
const ALL = REQUIREMENT_SETS[NEWEST_SET] ?? [];
const SETS = { [NEWEST_SET]: ALL.filter((id) => id !== 'FOP-NEQ'), '2099.1': ALL };

/** One night, judged by the set without the requirement, or by the one with it. */
function night(day: number, isNew: boolean) {
  const header = aHeader({
    ...{ command: 'conformance', mode: 'own-data', runId: `night-${day}`, startedAt: `2026-12-0${day}T02:00:00.000Z` },
    options: given({ requirements: NEWEST_SET, checks: ['crud/create-then-read', 'filter/not'] }),
  });
  const wrong = { verdict: 'fail', expected: 'a', observed: 'b' } as const;
  const failing = aResult({ checkId: 'filter/not', requirement: 'FOP-NEQ', ...wrong });
  const records = aRun({ header, results: [aResult({}), failing] });
  const report = judge(isNew ? records : withinSet(records, SETS), cellOf);
  return { report, line: { ...lineOf(report), requirements: isNew ? '2099.1' : NEWEST_SET } };
}

describe('a week in which the set of requirements changes on the fourth night', () => {
  const week = [1, 2, 3, 4, 5, 6, 7].map((day) => night(day, day >= 4));
  const lines = week.map(({ line }) => line);

  it('is green as long as the run is judged by the older set, and tells what it left out', () => {
    const { exit, conformance } = week[0]?.report ?? {};
    expect(exit?.code).toBe(0);
    const reason = `its requirement is not in the set ${NEWEST_SET}; otherwise: fail`;
    const result = conformance?.results.find(({ requirement }) => requirement === 'FOP-NEQ');
    expect(result).toMatchObject({ verdict: 'info', reason });
  });

  it('says when it changed, and which requirement fails for that reason alone', () => {
    const { nights } = nightsOf(lines, {});
    const [cause] = failingCausesOf(nights, SETS);
    expect(cause).toMatchObject({ firstBad: { run: 'night-4' }, newRequirement: true });
    expect(cause?.changes).toEqual([
      `set of requirements: ${NEWEST_SET} → 2099.1`,
      'FOP-NEQ is new in the set, and fails for that reason alone',
    ]);
  });

  it('is no new failure of the history, as it would be without the change', () => {
    const report = historyReport({ lines, skipped: [] }, {});
    const told = { ...report, failingCauses: [...failingCausesOf(nightsOf(lines, {}).nights, SETS)] };
    const nights = report.nights.slice(3, 4);
    const until = (one: typeof told) => failures({ ...one, nights }, { new: true, worse: false });
    expect(until(told)).toEqual([]);
    expect(until(report)).toHaveLength(1);
    expect(renderHistoryMarkdown(told)).toContain('FOP-NEQ is new in the set');
  });

  it('is told by a comparison of two nights, and makes neither worse', () => {
    const compared = compareConformance(week[2]?.report as Report, week[3]?.report as Report, SETS);
    expect(compared?.newlyFailing).toEqual([]);
    expect(compared?.newRequirements).toMatchObject([{ before: 'info', after: 'fail' }]);
    if (compared === null) throw new Error('nothing compared');
    expect(documentLines([conformanceSection(compared)]).join('\n')).toContain('failing for new requirements alone: 1');
  });
});
