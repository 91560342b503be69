import * as z from 'zod';
import { Answer, Cause } from './answer.ts';
import { BaselineReport, Known } from './baseline.ts';
import { ConformanceResult, Dialect, PairCoverage } from './conformance.ts';
import { CapacityReport } from './load/capacity.ts';
import { CellReport } from './load/load.ts';
import { Catalogue, RunEnd, RunHeader } from './run.ts';
import { CellVerdict, Conformance, ints, texts, Verdict } from './vocabulary.ts';

export const REPORT_VERSION = 2;

/** Results by verdict; a verdict that an older version did not know counts none. */
const Counts = z.record(Verdict, z.int().default(0));

const Counted = z.object({
  ...ints('exercised', 'total', 'untestable'),
  /** Cells that an expected failure keeps out of reach. */
  expected: z.int().optional(),
});

/** A result as judged: `known` where the run was given a baseline and it says something of it. */
export const ResultReport = ConformanceResult.omit({ pairs: true }).extend({
  known: Known.optional(),
});
export type ResultReport = z.infer<typeof ResultReport>;

export const ConformanceReport = z.object({
  verdict: Conformance,
  counts: Counts,
  /** Stated results that are inconclusive, or blocked by no failure. */
  openStated: z.int(),
  results: z.array(ResultReport),
  causes: z.array(Cause),
  /** Cells exercised with a witness, of how many, and how many of those cannot be tested (each with a reason in its result). */
  coverage: z.object({
    operations: Counted,
    filterCells: Counted,
    sortCells: Counted,
    open: z.array(
      z.object({
        kind: z.enum(['operation', 'filter', 'sort']),
        ...texts('family', 'cell'),
        state: z.enum(['untestable', 'expected', 'not-exercised']),
        reason: z.string(),
      }),
    ),
  }),
  /** Pairs of conditions that were tried, by family; empty if the run had none of these checks. */
  pairs: z.array(PairCoverage.extend({ family: z.string() })),
  families: z.array(z.object({ name: z.string(), verdict: Conformance, counts: Counts })),
  requirements: z.array(
    z.object({ id: z.string(), verdict: z.union([Verdict, z.literal('not-tested')]), results: z.int() }),
  ),
  dialect: Dialect,
  baseline: BaselineReport.optional(),
});
export type ConformanceReport = z.infer<typeof ConformanceReport>;

/** `report.json`: everything the other reports show. */
export const Report = z.object({
  reportVersion: z.literal(REPORT_VERSION),
  run: RunHeader,
  end: RunEnd.nullable(),
  /** False if the run was cut: `end.json` or a promised part is missing. */
  complete: z.boolean(),
  exit: z.object({ code: z.int(), reasons: z.array(z.object({ code: z.int(), text: z.string() })) }),
  answer: Answer,
  /** What the run made on the target and what of it is left; from the journal where the run was cut. */
  cleanup: RunEnd.shape.cleanup.extend({
    source: z.enum(['end', 'journal']),
    /** Records that may be left with exit 0 (`--allow-residue`); absent: none. */
    allowed: z.int().optional(),
  }),
  conformance: ConformanceReport.nullable(),
  load: z
    .object({
      verdict: z.union([CellVerdict, z.literal('not-tested')]),
      /** The deciding try of every cell. */
      cells: z.array(CellReport),
      /** Invalid first tries, which were repeated. */
      repeated: z.array(CellReport),
      /** Cells whose operation the target refuses at any rate; absent if there are none. */
      notRun: z
        .array(
          z.object({
            ...{ profile: z.string(), operation: z.string(), reason: z.string() },
            says: z.string().optional(),
            /** The cell that was ended for it, where one was begun. */
            cell: CellReport.optional(),
          }),
        )
        .optional(),
    })
    .nullable(),
  capacity: CapacityReport.optional(),
  catalogue: Catalogue,
  /** There where addresses and host names were replaced by pseudonyms, so that the report may be given away. */
  redaction: z.literal('share').optional(),
});
export type Report = z.infer<typeof Report>;

/** JSON Schema (draft 2020-12) of what a schema lets through. */
export const jsonSchemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'output',
    // The format says it; the pattern beside it is a page long.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });

/** The committed text of docs/report.schema.json, made from the schema that the report is written with. */
export function reportJsonSchemaText(): string {
  const { $schema, ...schema } = jsonSchemaOf(Report);
  const whole = {
    $schema,
    $id: `urn:ers-harness:report:${REPORT_VERSION}`,
    title: 'ers-harness report',
    description: 'report.json of a run folder; docs/results-schema.md tells what its members mean',
    ...schema,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
