import { describe, expect, it } from 'vitest';
import { FAMILIES, familyNames } from '../../lib/contract/families.ts';
import { forbiddenFor, ROOMS, roomOf } from '../../tools/rooms.ts';
import { type Source, sources, specifiersOf, withoutComments } from './architecture-sources.ts';

const ALL = sources();
const PRODUCT = ALL.filter(({ file }) => roomOf(file) !== undefined);
const found = (files: readonly Source[], pattern: RegExp): string[] =>
  files.flatMap(({ file, code }) => [...code.matchAll(pattern)].map((match) => `${file}: ${match[0]}`));

describe('the rooms of the source tree', () => {
  it('holds every source file in a room, or among the tests', () => {
    const homeless = ALL.filter(({ file }) => roomOf(file) === undefined && !file.startsWith('tests/'));
    expect(homeless.map(({ file }) => file)).toEqual([]);
    for (const name of Object.keys(ROOMS)) expect(PRODUCT.map(({ file }) => roomOf(file))).toContain(name);
  });

  it('imports only from rooms that the import rules allow', () => {
    const broken = PRODUCT.flatMap(({ file, ours }) => {
      const forbidden = forbiddenFor(roomOf(file) ?? '');
      return ours.filter((path) => forbidden.includes(roomOf(path) ?? '')).map((path) => `${file} imports ${path}`);
    });
    expect(broken).toEqual([]);
  });

  it('lets the selftest alone draw from the defects that are held out, beside what puts rooms together', () => {
    const readers = Object.keys(ROOMS).filter((name) => !forbiddenFor(name).includes('held-out'));
    expect(readers).toEqual(['held-out', 'selftest', 'cli', 'tools']);
  });

  it('never imports the command line or a test from the product; the tools that write the docs read its options', () => {
    const broken = PRODUCT.flatMap(({ file, ours }) => {
      const mayImportCli = ['cli', 'tools'].includes(roomOf(file) ?? '');
      return ours.filter((path) => path.startsWith('tests/') || (roomOf(path) === 'cli' && !mayImportCli));
    });
    expect(broken).toEqual([]);
  });

  it('leads from a load and from a search to no check', () => {
    const of = new Map(ALL.map(({ file, ours }) => [file, ours]));
    const reached = new Set(['cli/commands/load.ts', 'cli/commands/capacity.ts']);
    for (const file of reached) for (const path of of.get(file) ?? []) reached.add(path);
    expect([...reached].filter((file) => roomOf(file) === roomOf('conformance/checks/body.ts'))).toEqual([]);
    expect(reached.size).toBeGreaterThan(200);
  });

  it('resolves every relative import to a source file, so that no edge of the graph is missed', () => {
    const known = new Set(ALL.map(({ file }) => file));
    const outside = /\.(json|mjs|md|css)$/;
    const lost = PRODUCT.flatMap(({ file, ours }) =>
      ours.filter((path) => !known.has(path) && !outside.test(path)).map((path) => `${file} imports ${path}`),
    );
    expect(lost).toEqual([]);
  });
});

describe('what runs in k6', () => {
  const portable = PRODUCT.filter(({ file }) => ROOMS[roomOf(file) ?? '']?.portable);

  it('imports no Node module and no package', () => {
    const foreign = portable.flatMap(({ file, modules }) => {
      const others = modules.filter((name) => !(file.startsWith('scenarios/') && /^k6(\/|$)/.test(name)));
      return others.map((name) => `${file}: ${name}`);
    });
    expect(foreign).toEqual([]);
  });

  it('uses no global of Node', () => {
    expect(found(portable, /\b(?:Buffer|process|setTimeout|globalThis)\b/g)).toEqual([]);
  });

  it('imports k6 modules in scenarios/k6 alone', () => {
    const users = PRODUCT.filter(({ modules }) => modules.some((name) => /^k6(\/|$)/.test(name)));
    expect(users.filter(({ file }) => !file.startsWith('scenarios/k6/')).map(({ file }) => file)).toEqual([]);
  });
});

describe('the rules of the house', () => {
  it('writes no family name outside the contract tables: a further family is one table entry', () => {
    const names = familyNames(FAMILIES).join('|');
    const literal = new RegExp(`(['"\`])(?:${names})\\1|/ers/config/(?:${names})\\b|FAMILIES\\.(?:${names})\\b`, 'g');
    const others = PRODUCT.filter(({ file }) => roomOf(file) !== 'contract');
    expect(found(others, literal)).toEqual([]);
  });

  it('leaves ending the process to the command line, and never by force', () => {
    const scripts = PRODUCT.filter(({ file }) => roomOf(file) !== 'tools');
    expect(found(scripts, /\bprocess\.exit\(/g)).toEqual([]);
    const others = scripts.filter(({ file }) => roomOf(file) !== 'cli');
    expect(found(others, /\bprocess\.exitCode\b/g)).toEqual([]);
  });

  it('keeps every file within 250 lines, the contract tables excepted', () => {
    const long = ALL.filter(({ file, lines }) => lines > 250 && roomOf(file) !== 'contract');
    expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([]);
  });

  it('reads recorded options by their schema, and never by a key', () => {
    const readers = ALL.filter(({ file }) => file !== 'lib/records/run-options.ts');
    expect(found(readers, /\boptions\s*(?:\?\.)?\[|\b(?:run|header)\.options\s*\??\.\s*\w+/g)).toEqual([]);
  });

  it('writes no recorded option by hand in a test: the code that records them does', () => {
    const tests = ALL.filter(({ file }) => file.startsWith('tests/'));
    expect(found(tests, /\baHeader\(\{[^;]*?\boptions:\s*\{\s*['\w]/g)).toEqual([]);
  });

  it('bounds time by limits that no collection of garbage takes away', () => {
    expect(found(PRODUCT, /\bAbortSignal\.timeout\(/g)).toEqual([]);
  });

  it('has no test that is skipped, alone or still to be written', () => {
    const tests = ALL.filter(({ file }) => file.startsWith('tests/'));
    expect(found(tests, /\b(?:it|test|describe)\.(?:skip|only|todo)\b/g)).toEqual([]);
  });
});

it('the reader of the import graph sees imports, re-exports, types and dynamic imports, and no comment', () => {
  const code = `import type { A } from './a.ts';\n// import b from './b.ts'\nexport { c } from './c.ts';
    const url = 'http://x'; await import('./d.ts'); /* from './e.ts' */ import './f.ts';`;
  expect(specifiersOf(withoutComments(code))).toEqual(['./a.ts', './c.ts', './d.ts', './f.ts']);
});
