import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { JSON_DOCUMENTS, PRINT_REPORT } from '../../cli/output/json-documents.ts';
import { createProgram } from '../../cli/program.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { runCli } from '../helpers/cli.ts';
import { folderOfTests } from '../helpers/folder.ts';
import { servedOfTests } from '../helpers/served.ts';

const POOL = ['--profile', '60k', '--endpoints', '02:00:00:00:00:00+4000@10.0.0.0', '--policy', 'Load-Test'];
const DEFINITION = `
swagger: '2.0'
paths:
  /ers/config/gadget:
    get: { responses: { 200: { schema: { $ref: '#/definitions/gadget' } } } }
definitions:
  gadget: { type: object, properties: { id: { type: string }, name: { type: string } } }
`;

/** How each document is printed in a folder that holds two runs; pairs of loads are measured elsewhere. */
const PRINTED: Readonly<Record<Exclude<keyof typeof JSON_DOCUMENTS, 'report compare --pairs'>, readonly string[]>> = {
  config: ['config', 'load', '--json'],
  doctor: ['doctor', '--json'],
  'verify --dry-run': ['verify', '--dry-run', '--json', ...POOL],
  'conformance --dry-run': ['conformance', '--family', 'sgt', '--dry-run', '--json'],
  'load --dry-run': ['load', '--dry-run', '--json', '--rate', '50', ...POOL],
  'capacity --dry-run': ['capacity', '--dry-run', '--json', '--max-rate', '60', ...POOL],
  'report list': ['report', 'list', '--json'],
  'report compare': ['report', 'compare', 'runs/a', 'runs/b', '--json'],
  'report export': ['report', 'export', 'runs/a', '--json'],
  explore: ['explore', '--mode', 'own-data', '--family', 'sgt', '--for', '1s', '--json'],
  sweep: ['sweep', '--journal', 'runs/a', '--dry-run', '--json'],
  'families import': ['families', 'import', 'definition.yaml', '--json'],
};
const TARGETED = new Set(['doctor', 'verify', 'conformance', 'load', 'capacity', 'explore', 'sweep']);

const read = (name: string) => JSON.parse(readFileSync(join(packageRoot(), 'docs', name), 'utf8'));
const schema = read('output.schema.json');

describe('--json', () => {
  const folder = folderOfTests();
  const served = servedOfTests(['--sessions', '1000']);
  const cli = (args: readonly string[]) =>
    runCli([...args, ...(TARGETED.has(args[0] ?? '') ? ['--base-url', served.baseUrl] : [])], {
      env: served.env,
      cwd: folder,
    });
  beforeAll(async () => {
    writeFileSync(join(folder, 'definition.yaml'), DEFINITION);
    for (const name of ['a', 'b'])
      await cli(['conformance', '--family', 'sgt', '--check', 'version', '--out', `runs/${name}`]);
  });

  it.each(Object.entries(PRINTED))('of %s prints one document, by its published schema', async (name, args) => {
    const { stdout, stderr } = await cli(args);
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(schema.$defs[name]);
    expect(stdout, stderr).toMatch(/^[[{]/);
    expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true);
  });

  it('of a run prints its report, by its published schema', async () => {
    const { stdout } = await cli(['report', 'render', 'runs/a', '--json']);
    const validate = addFormats.default(new Ajv2020({ strict: false })).compile(read('report.schema.json'));
    expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true);
  });

  it('is described for every command that has it', async () => {
    const program = await createProgram(undefined);
    const all = (command: typeof program, words: readonly string[]): readonly string[] => [
      ...(command.options.some(({ long }) => long === '--json') ? [words.join(' ')] : []),
      ...command.commands.flatMap((one) => all(one, [...words, one.name()])),
    ];
    const described = [...Object.keys(JSON_DOCUMENTS), ...PRINT_REPORT, 'history'];
    // The scores of the selftest are published for those who change the checks, and of no fixed shape.
    const without = all(program, []).filter((name) => !described.includes(name) && !/^(config|selftest)\b/.test(name));
    expect(without).toEqual([]);
  });
});
