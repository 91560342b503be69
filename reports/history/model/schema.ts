import * as z from 'zod';
import { jsonSchemaOf } from '../../../lib/records/report.ts';
import { HistoryLine } from '../record/line.ts';

/** What is followed over time; `up`: a larger value is better. */
export const METRICS = {
  achieved: { title: 'achieved rate', unit: '/s', up: true },
  p50: { title: 'service p50', unit: ' ms', up: false },
  p99: { title: 'service p99', unit: ' ms', up: false },
  responseP99: { title: 'response p99', unit: ' ms', up: false },
  headroom: { title: 'headroom', unit: ' ×', up: true },
} as const;
export type Metric = keyof typeof METRICS;

export const HISTORY_REPORT_VERSION = 1;

const Moment = z.object({ run: z.string(), at: z.string() });
const Changes = z.array(z.string());
const Count = z.int().nonnegative();

const Since = z.object({
  /** True if a baseline expects all of it. */
  expected: z.boolean(),
  /** The first night after the last good one. */
  firstBad: Moment,
  /** The last counted night before without it; absent if there is none. */
  lastGood: Moment.optional(),
  nights: Count,
  /** The first bad night of all, and how many were bad before the last good one; absent if none was. */
  earlier: Moment.extend({ nights: Count }).optional(),
  /** What was another thing in the first bad night than in the last good one. */
  changes: Changes,
});
export type Since = z.infer<typeof Since>;

/** Results of one check that fail, or warn, since the same night: each `family` or `family variant`. */
const Failing = Since.extend({ checkId: z.string(), title: z.string(), results: z.array(z.string()) });
export type Failing = z.infer<typeof Failing>;

const FailingCause = Since.extend({
  id: z.string(),
  title: z.string(),
  results: Count,
  checks: z.array(z.string()),
  /** Its requirement was not in the set of the last good night: it is red for that reason alone. */
  newRequirement: z.literal(true).optional(),
});
export type FailingCause = z.infer<typeof FailingCause>;

/** How often a check fails for no lasting reason: nights in which it flaked, of those that decided it; 95 % interval (Wilson). */
const Flake = z.object({
  checkId: z.string(),
  flaked: Count,
  /** Those of them in which it failed the second try as well: it came and went between nights. */
  steady: Count,
  nights: Count,
  rate: z.number(),
  low: z.number(),
  high: z.number(),
});
export type Flake = z.infer<typeof Flake>;

/** State of a check in one night: its worst result. `none`: it did not run, or the night does not count. Worst first. */
export const State = z.enum(['fail', 'flaky', 'expected', 'open', 'pass', 'none']);
export type State = z.infer<typeof State>;

/** A row of the strip: one check, or one cause of failures, over all nights. */
const Strip = z.object({
  checkId: z.string(),
  /** The row is a cause of failures, not a check: `checkId` is its name. */
  cause: z.literal(true).optional(),
  /** One for each night, in order. */
  states: z.array(State),
  failed: Count,
  flaky: z.boolean(),
  last: State,
});
export type Strip = z.infer<typeof Strip>;

/** One change of the mean of a metric; `run` is the first night after it. */
const Change = Moment.extend({
  metric: z.enum(Object.keys(METRICS) as [Metric, ...Metric[]]),
  before: z.number(),
  after: z.number(),
  /** Relative: 0.1 is ten percent more. */
  size: z.number(),
  /** 1 less the chance of such a difference without a change. */
  confidence: z.number(),
  worse: z.boolean(),
  /** Comparable nights since and with it. */
  nights: Count,
  changes: Changes,
});
export type Change = z.infer<typeof Change>;

/** Comparable nights of one cell: same profile, operation, rate, depth, duration and connections. */
const Series = z.object({
  name: z.string(),
  points: z.array(Moment.extend({ values: z.partialRecord(Change.shape.metric, z.number()) })),
  /** Null if there are fewer comparable nights than tell anything. */
  changes: z.array(Change).nullable(),
  missing: Count,
});
export type Series = z.infer<typeof Series>;

export const HistoryReportSchema = z.object({
  historyVersion: z.literal(HISTORY_REPORT_VERSION),
  target: z.string(),
  otherTargets: z.array(z.string()),
  skipped: z.array(z.string()),
  nights: z.array(
    HistoryLine.pick({
      ...({ run: true, at: true, exit: true, command: true, mode: true } as const),
      ...({ seconds: true, reasons: true, said: true, tool: true, folder: true } as const),
    }).extend({ counts: z.boolean(), failing: Count, changes: Changes }),
  ),
  counted: Count,
  /** What the newest counted night no longer shows of what the one before it did: `check family variant`. */
  noLonger: z.array(z.string()),
  checked: z.boolean(),
  lastGreen: Moment.extend({ days: Count }).nullable(),
  failingCauses: z.array(FailingCause),
  /** Checks that fail for none of these causes. */
  failing: z.array(Failing),
  flakes: z.array(Flake),
  expected: z.array(z.object({ owner: z.string(), expires: z.string(), count: Count, expired: z.boolean() })),
  /** `of`: number of all checks. */
  strips: z.object({ rows: z.array(Strip), of: Count }),
  series: z.array(Series),
});
export type HistoryReport = z.infer<typeof HistoryReportSchema>;

/** The committed text of docs/history.schema.json: a line of the file, and what `--json` prints. */
export function historyJsonSchemaText(): string {
  const { $schema, ...report } = jsonSchemaOf(HistoryReportSchema);
  const { $schema: _same, ...line } = jsonSchemaOf(HistoryLine);
  const whole = {
    $schema,
    $id: `urn:ers-harness:history:${HISTORY_REPORT_VERSION}`,
    title: 'ers-harness history',
    description: 'what `ers-harness history --json` prints; $defs.line is one line of history.ndjson',
    ...report,
    $defs: { line },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
