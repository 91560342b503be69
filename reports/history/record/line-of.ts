import { createHash } from 'node:crypto';
import { defined } from '../../../lib/defined.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { isSizedByLatency } from '../../../lib/judge/cell/sizing.ts';
import { statementText } from '../../../lib/records/answer.ts';
import type { CellReport } from '../../../lib/records/load/load.ts';
import type { ConformanceReport, Report } from '../../../lib/records/report.ts';
import { planOptions, runOptions } from '../../../lib/records/run-options.ts';
import { excerpt, inert, short } from '../../../lib/text.ts';
import { compactResults } from './compact.ts';
import { HISTORY_VERSION, type HistoryCell, HistoryLine } from './line.ts';

/** Where each run keeps the answers of versioninfo; the specification does not show their form (gap G-16). */
const VERSION_GAP = 'G-16';
const DEEPEST = 4;
const LETTERS = 200;
const NUMBERED = /^v?\d+(?:\.\d+)+\S*$/;

/** Texts of an answer with the names of the members they stand in. */
function leavesOf(value: unknown, name = '', depth = 0): { name: string; text: string }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ name, text: String(value).trim() }];
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    leavesOf(inner, Array.isArray(value) ? name : member, depth + 1),
  );
}

/** Version of the target as its answers to versioninfo tell it: that of the server, else all they name; undefined if they name none. */
function targetVersionOf({ results }: Pick<ConformanceReport, 'results'>): string | undefined {
  const leaves = results
    .filter(({ requirement }) => requirement === VERSION_GAP)
    .flatMap(({ observations }) => leavesOf(observations?.['body']))
    .filter(({ text }) => NUMBERED.test(text));
  const server = leaves.filter(({ name }) => /server|product|build|release/i.test(name));
  const told = [...new Set((server.length > 0 ? server : leaves).map(({ text }) => text))].sort();
  return told.length === 0 ? undefined : excerpt(told.join(', '), LETTERS);
}

const DIGEST_LETTERS = 12;
const REASON_LETTERS = 160;
const ANSWER_LETTERS = 60;
const MOST_CAUSES = 60;
const CAUSE_LETTERS = 200;

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, DIGEST_LETTERS);

const planOf = ({ run }: Report): string => digestOf([run.command, run.mode, planOptions(run)]);

/** Without what differs between nights: the embedded deployment takes another port each time. */
function targetOf({ run }: Report): string {
  if (run.target.embedded) return 'embedded';
  try {
    const { origin, pathname } = new URL(run.target.baseUrl);
    return excerpt(`${origin}${pathname.replace(/\/+$/, '')}`, 200);
  } catch {
    return 'unknown';
  }
}

function causesOf({ causes }: ConformanceReport): HistoryLine['causes'] {
  return causes
    .map(({ id, title, results, expected, checks }) => ({
      ...{ id, title: short(title, CAUSE_LETTERS), results: results.length, checks: checks.slice(0, MOST_CAUSES) },
      ...(expected ? { expected } : {}),
    }))
    .sort((a, b) => b.results - a.results || a.id.localeCompare(b.id, 'en'))
    .slice(0, MOST_CAUSES);
}

function expectedOf({ results }: ConformanceReport): HistoryLine['expected'] {
  const known = results.filter(({ known: held }) => held?.outcome === 'expected');
  const groups = groupBy(known, ({ known: held }) => JSON.stringify([held?.owner ?? '', held?.expires ?? '']));
  return [...groups].map(([key, held]) => {
    const [owner, expires] = JSON.parse(key) as [string, string];
    return { owner, expires, count: held.length };
  });
}

function cellOf(cell: CellReport): HistoryCell {
  const { facts, serviceTime, responseTime } = cell;
  const { targetPerSecond, durationSeconds, connections } = facts.plan;
  return {
    ...{ profile: cell.profile, operation: cell.operation, rate: targetPerSecond, depth: facts.depth },
    ...{ seconds: durationSeconds, connections, verdict: cell.verdict },
    ...{ achieved: cell.achievedPerSecond, p50: serviceTime.p50Ms, p99: serviceTime.p99Ms },
    responseP99: responseTime.p99Ms,
    ...defined({
      circumstances: facts.segments && `${facts.segments.of} segments`,
      sized: isSizedByLatency(facts) ? (true as const) : undefined,
    }),
  };
}

function conformanceOf(report: Report): Pick<HistoryLine, 'families' | 'checks' | 'causes'> & Partial<HistoryLine> {
  const { conformance } = report;
  if (conformance === null) return { families: [], checks: {}, causes: [] };
  const answers = Object.entries(conformance.dialect).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...compactResults(conformance.results),
    causes: causesOf(conformance),
    dialect: Object.fromEntries(
      answers.map(([id, { answer }]) => [id, excerpt(JSON.stringify(answer) ?? 'null', ANSWER_LETTERS)]),
    ),
    expected: expectedOf(conformance),
    ...defined({ targetVersion: targetVersionOf(conformance) }),
  };
}

/** The line of a judged run. `folder` is the name of its folder, so that a page can link its report. */
export function lineOf(report: Report, folder?: string): HistoryLine {
  const { run, end, exit, catalogue } = report;
  const cells = report.load?.cells ?? [];
  const { node } = run.environment;
  const line: HistoryLine = {
    v: HISTORY_VERSION,
    run: run.runId,
    at: run.startedAt,
    seconds: Math.round((end?.durationMs ?? 0) / 100) / 10,
    ...{ command: run.command, mode: run.mode, target: targetOf(report) },
    ...{ exit: exit.code, complete: report.complete },
    said: short(statementText(report.answer.sentence), CAUSE_LETTERS),
    reasons: exit.reasons.slice(0, 5).map(({ text }) => excerpt(text, REASON_LETTERS)),
    ...{ tool: run.tool.version, tables: run.specDigest.slice(0, DIGEST_LETTERS), plan: planOf(report) },
    catalogue: digestOf(catalogue.checks),
    ...conformanceOf(report),
    cells: cells.map(cellOf),
    // The schema takes of an answer what a line holds.
    capacity: report.capacity?.answers ?? [],
    ...defined({ requirements: runOptions(run).requirements, folder, k6: cells[0]?.facts.generator.k6Version, node }),
  };
  return HistoryLine.parse(inert(line, 250));
}
