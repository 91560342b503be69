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
