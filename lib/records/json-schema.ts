import * as z from 'zod';
import { REPORT_VERSION, Report } from './report.ts';

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

/** JSON Schema (draft 2020-12) of report.json, made from the schema that the report is written with. */
export function reportJsonSchema(): Record<string, unknown> {
  const schema = jsonSchemaOf(Report);
  return {
    $schema: schema.$schema,
    $id: `urn:ers-harness:report:${REPORT_VERSION}`,
    title: 'ers-harness report',
    description: 'report.json of a run folder; docs/results-schema.md tells what its members mean',
    ...schema,
  };
}

/** The committed text of docs/report.schema.json. */
export function reportJsonSchemaText(): string {
  return `${JSON.stringify(reportJsonSchema(), null, 2)}\n`;
}
