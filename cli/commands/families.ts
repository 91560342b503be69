import { existsSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import { UsageError } from '../../lib/errors.ts';
import type { FieldFile } from '../../lib/families/file.ts';
import type { Taken } from '../../lib/families/import/family.ts';
import { importDefinitions } from '../../lib/families/import/import.ts';
import { familiesText } from '../../lib/families/import/write.ts';
import { readFamilies } from '../../lib/families/read.ts';
import { flag, option, text } from '../../lib/option.ts';
import { counted, tableLines, visibleText } from '../../lib/text.ts';
import { bindLocal } from '../options/bind.ts';
import { JsonSpec } from '../options/specs.ts';
import { createOutput, writing } from '../output/output.ts';

const ImportSpec = z.object({
  out: option('--out <file>', 'the file to write', text().default('families.yaml')),
  force: flag('--force', 'overwrite it'),
  ...JsonSpec.shape,
});

const SCHEMA = 'node_modules/ers-harness/docs/families.schema.json';

const fieldCount = (fields: Readonly<Record<string, FieldFile>>): number =>
  Object.values(fields).reduce((sum, { members = {} }) => sum + 1 + fieldCount(members), 0);

function rowOf({ name, family, published, guesses }: Taken) {
  const { operations, fields, filters, sorts } = family;
  return {
    ...{ family: name, operations: operations.length, published, fields: Object.keys(fields).length },
    ...{ nested: fieldCount(fields), filters: filters.length, sorts: sorts.length, guesses: guesses.length },
  };
}

function importFiles(files: readonly string[], options: z.output<typeof ImportSpec>): void {
  const output = createOutput(options);
  const { out } = options;
  if (existsSync(out) && !options.force)
    throw new UsageError('file-exists', `${out} is there already`, { hint: 'name another with --out, or add --force' });
  const { taken, left } = importDefinitions(files);
  const flag = options.force ? 'w' : 'wx';
  writing(out, '--out', () => writeFileSync(out, familiesText(taken, SCHEMA), { flag }));
  // What was written is read as every run reads it, so that no run is the first to find a mistake.
  readFamilies(out);
  const rows = taken.map(rowOf);
  if (options.json) {
    output.data(JSON.stringify({ out, families: rows, left }));
    return;
  }
  const titles = ['family', 'operations', 'published', 'fields', 'with nested', 'filters', 'sorts', 'guesses'];
  const cells = rows.map((row) => Object.values(row).map(String));
  for (const line of tableLines(titles, cells, [1, 2, 3, 4, 5, 6, 7])) output.data(line);
  for (const line of left) output.warn(visibleText(`left out: ${line}`));
  output.say(
    `${out}: ${counted(taken.length, 'family', 'families')}; read its comments, then: ers-harness conformance --families ${out} --family ${taken[0]?.name} --base-url URL`,
  );
}

export function familiesCommand(program: Command): void {
  const families = program.command('families').description('families beside the twelve of the specification');
  const command = families.command('import').argument('<file...>', 'published definitions in OpenAPI 3 or Swagger 2');
  bindLocal(command, ImportSpec, importFiles, {
    does: 'read published definitions into a file of families; nothing is sent or fetched',
    examples: [
      'families import definition.yaml',
      'conformance --families families.yaml --base-url https://policy.example.com:9060',
    ],
  });
}
