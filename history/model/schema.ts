import * as z from 'zod';
import { HistoryLine } from '../record/line.ts';
import { HISTORY_REPORT_VERSION } from './history-report.ts';

const Moment = z.object({ run: z.string(), at: z.string() });
const Changes = z.array(z.string());
const Count = z.int().nonnegative();
/** Results of one check that are alike since the same night. */
const Since = z.object({
  checkId: z.string(),
  title: z.string(),
  results: z.array(z.string()),
  expected: z.boolean(),
  firstBad: Moment,
  lastGood: Moment.optional(),
  nights: Count,
  changes: Changes,
});

/** What `history --json` prints. */
export const HistoryReportSchema = z.object({
  historyVersion: z.literal(HISTORY_REPORT_VERSION),
  target: z.string(),
  otherTargets: z.array(z.string()),
  /** Lines that are not used, with the reason. */
  skipped: z.array(z.string()),
  nights: z.array(
    Moment.extend({
      counts: z.boolean(),
      verdict: z.string(),
      exit: z.int(),
      command: z.string(),
      mode: z.string(),
      seconds: z.number(),
      reasons: z.array(z.string()),
      said: z.string(),
      tool: z.string(),
      failing: Count,
      changes: Changes,
      folder: z.string().optional(),
    }),
  ),
  counted: Count,
  /** What the newest counted night no longer shows of what the one before it did: `check family variant`. */
  noLonger: z.array(z.string()),
  /** Any of the nights ran checks. */
  checked: z.boolean(),
  lastGreen: Moment.extend({ days: Count }).nullable(),
  failingCauses: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      results: Count,
      expected: z.boolean(),
      checks: z.array(z.string()),
      firstBad: Moment,
      lastGood: Moment.optional(),
      nights: Count,
      changes: Changes,
    }),
  ),
  /** Checks that fail for none of these causes. */
  failing: z.array(Since),
  /** Warnings, which fail nothing. */
  warnings: z.array(Since),
  flakes: z.array(
    z.object({
      checkId: z.string(),
      flaked: Count,
      nights: Count,
      rate: z.number(),
      low: z.number(),
      high: z.number(),
    }),
  ),
  expected: z.array(z.object({ owner: z.string(), expires: z.string(), count: Count, expired: z.boolean() })),
  strips: z.object({
    rows: z.array(
      z.object({
        checkId: z.string(),
        /** The row is a cause of failures, not a check. */
        cause: z.literal(true).optional(),
        states: z.array(z.enum(['fail', 'flaky', 'expected', 'open', 'pass', 'none'])),
        failed: Count,
        flaky: z.boolean(),
        last: z.string(),
      }),
    ),
    of: Count,
  }),
  series: z.array(
    z.object({
      name: z.string(),
      points: z.array(Moment.extend({ values: z.record(z.string(), z.number()) })),
      changes: z
        .array(
          Moment.extend({
            metric: z.string(),
            before: z.number(),
            after: z.number(),
            size: z.number(),
            confidence: z.number(),
            worse: z.boolean(),
            nights: Count,
            changes: Changes,
          }),
        )
        .nullable(),
      missing: Count,
    }),
  ),
  dialect: z.array(Moment.extend({ changes: Changes })),
});

/** The committed text of docs/history.schema.json: a line of the file, and what `--json` prints. */
export function historyJsonSchemaText(): string {
  const schemaOf = (schema: z.ZodType) =>
    z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: 'output',
      override: ({ jsonSchema }) => {
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      },
    });
  const { $schema, ...report } = schemaOf(HistoryReportSchema);
  const { $schema: _same, ...line } = schemaOf(HistoryLine);
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
