import * as z from 'zod';
import { jsonSchemaOf, Report } from '../../lib/records/report.ts';
import { ResidueRecord } from '../../lib/records/run.ts';
import { CellVerdict, Level, Verdict } from '../../lib/records/vocabulary.ts';

const Count = z.int().nonnegative();
const Texts = z.array(z.string());
const OwnRecord = z.object({ family: z.string(), id: z.string(), name: z.string().optional() });

const Change = z.looseObject({
  key: z.string(),
  title: z.string(),
  before: Verdict.nullable(),
  after: Verdict.nullable(),
});
const Changes = z.array(Change);
const CellChange = z.looseObject({ profile: z.string(), operation: z.string(), verdict: z.string(), reasons: Texts });

const PlannedChecks = z.object({
  hash: z.string(),
  entries: z.array(
    z.object({
      key: z.string(),
      requirement: z.string(),
      level: Level,
      imported: z.literal(true).optional(),
      skipReason: z.string().optional(),
      needs: z.string().optional(),
    }),
  ),
});

const PlannedLoad = z.looseObject({
  options: z.record(z.string(), z.unknown()),
  baseUrl: z.string(),
  pool: z.string(),
  policy: z.string(),
  cells: z.array(z.looseObject({ profile: z.string(), operation: z.string(), method: z.string(), requests: Count })),
  totalRequests: Count,
  estimatedSeconds: z.number(),
});

/** Every document that `--json` prints, by the command and, if that decides, its option. Report and history have their own schemas. */
export const JSON_DOCUMENTS = {
  config: z.object({
    command: z.string(),
    file: z.string().nullable(),
    target: z.string().nullable(),
    options: z.array(
      z.object({
        name: z.string(),
        value: z.unknown(),
        from: z.string().meta({ description: 'flag, variable, file' }),
      }),
    ),
  }),
  doctor: z.array(z.object({ subject: z.string(), ok: z.boolean(), found: z.string(), mend: z.string().optional() })),
  'verify --dry-run': z.object({ conformance: PlannedChecks, load: PlannedLoad }),
  'conformance --dry-run': PlannedChecks,
  'load --dry-run': PlannedLoad,
  'capacity --dry-run': z.array(
    z.looseObject({ profile: z.string(), operation: z.string(), method: z.string(), confirmSeconds: z.number() }),
  ),
  'report list': z.array(
    z.object({
      id: z.string(),
      folder: z.string(),
      run: Report.shape.run.pick({ runId: true, command: true, startedAt: true }).loose().optional(),
      answer: Report.shape.answer.pick({ ending: true, tone: true }).optional(),
      exit: z.object({ code: z.int() }).optional(),
    }),
  ),
  'report compare': z.object({
    before: z.string(),
    after: z.string(),
    outcome: z.enum(['worse', 'not comparable', 'partly compared', 'differs', 'better', 'not worse']),
    reasons: Texts,
    circumstances: Texts,
    conformance: z
      .looseObject({
        compared: Count,
        newlyFailing: Changes,
        failingUntested: Changes,
        fixed: Changes,
        changed: Changes,
        stillFailing: Changes,
      })
      .nullable(),
    load: z.looseObject({ cells: z.array(CellChange.extend({ before: CellVerdict, after: CellVerdict })) }).nullable(),
    capacity: z.array(CellChange).nullable(),
  }),
  'report compare --pairs': z.object({
    percentile: z.string(),
    within: z.number(),
    cells: z.array(z.looseObject({ name: z.string(), verdict: z.string(), reasons: Texts })),
  }),
  'report export': z.array(z.object({ file: z.string(), cause: z.string(), why: z.string().optional() })),
  explore: z.object({
    seed: Count,
    findings: z.array(
      z.object({
        result: z.looseObject({ family: z.string(), requirement: z.string(), verdict: Verdict }),
        steps: z.array(z.unknown()),
        metIn: Count,
        curl: Texts,
        replay: z.string(),
      }),
    ),
    searched: z.record(z.string(), z.object({ rounds: Count, comparisons: Count })),
  }),
  sweep: z.object({
    dryRun: z.boolean(),
    found: z.object({
      records: z.array(OwnRecord),
      endpoints: z.array(z.object({ macAddress: z.string(), policy: z.string() })),
    }),
    removed: Count,
    kept: z.array(z.object({ what: z.string(), why: z.string() })),
    left: z.array(ResidueRecord),
  }),
  'families import': z.object({
    out: z.string(),
    families: z.array(z.looseObject({ family: z.string(), operations: Count, fields: Count, guesses: Count })),
    left: Texts,
  }),
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Commands whose `--json` prints report.json (docs/report.schema.json). */
export const PRINT_REPORT = [
  ...['verify', 'conformance', 'load', 'capacity'],
  ...['report render', 'report replay'],
] as const;

/** The committed text of docs/output.schema.json: one definition for each document. */
export function outputJsonSchemaText(): string {
  const $defs = Object.fromEntries(
    Object.entries(JSON_DOCUMENTS).map(([name, schema]) => {
      const { $schema: _, ...made } = jsonSchemaOf(schema);
      return [name, { title: `ers-harness ${name} --json`, ...made }];
    }),
  );
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:ers-harness:output:1',
    title: 'What --json prints',
    description: `One definition for each command. ${PRINT_REPORT.join(', ')} print report.json (report.schema.json), history prints history.json (history.schema.json).`,
    $defs,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
