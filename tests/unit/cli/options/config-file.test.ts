import { chmodSync, chownSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findConfig, readConfig } from '../../../../cli/options/config/file.ts';
import { configJsonSchema } from '../../../../cli/options/config/keys.ts';
import { loosened, refuseFromAbove, searchedFolders } from '../../../../cli/options/config/trust.ts';
import { environmentLayer, type Layer, resolveOptions } from '../../../../cli/options/effective.ts';
import { COMMAND_SPECS } from '../../../../cli/options/specs.ts';
import { configText } from '../../../../cli/output/init-files.ts';
import { LoadSpec } from '../../../../load/plan/spec.ts';
import { folderOfTests } from '../../../helpers/folder.ts';
import { refusal } from '../../../helpers/refusal.ts';

const folder = folderOfTests();

function written(text: string): string {
  const at = mkdtempSync(join(folder, 'file-'));
  const path = join(at, 'ers-harness.yaml');
  writeFileSync(path, text);
  return path;
}
const read = (text: string) => readConfig(written(text));

const WHOLE = `target: staging
targets:
  staging:
    base-url: https://policy.example.com:9060
    ca: authority.pem
    credentials: { username: { env: STAGING_USER }, password: { env: STAGING_PASSWORD } }
    endpoints: 02:00:00:00:00:00+60000@10.0.0.0
    policy: Load-Test
  lab:
    base-url: https://lab.example.com
    credentials: { file: lab.login }
profile: [60k, 200k]
mode: own-data
baseline: expected.yaml
abort-p99: 5
load:
  depth: normal
  k6-out: json=points.json.gz
serve:
  port: 0
`;

describe('a configuration file', () => {
  it('holds targets, options for all commands and for one, each with its line', () => {
    const config = read(WHOLE);
    const at = dirname(config.path);
    expect(config.target).toBe('staging');
    const staging = config.targets.get('staging');
    const from = { from: 'ers-harness.yaml, line 4', inFile: true };
    expect(staging?.options.get('base-url')).toEqual({ value: 'https://policy.example.com:9060', ...from });
    expect(staging?.credentials).toEqual({ username: { env: 'STAGING_USER' }, password: { env: 'STAGING_PASSWORD' } });
    expect(config.targets.get('lab')?.credentials).toEqual({ file: join(at, 'lab.login') });
    expect(config.shared.get('abort-p99')?.value).toBe('5');
    expect(config.sections.get('load')?.get('depth')?.value).toBe('normal');
    // Paths are relative to the file; a range of addresses is none.
    expect(staging?.options.get('ca')?.value).toBe(join(at, 'authority.pem'));
    expect(staging?.options.get('endpoints')?.value).toBe('02:00:00:00:00:00+60000@10.0.0.0');
  });

  it.each([
    ['detph: quick\n', /line 1: there is no option detph/, /Did you mean depth/],
    ['load:\n  duraton: 5s\n', /line 2: there is no option duraton/, /Did you mean duration/],
    ['targets:\n  a:\n    base_url: https://a\n', /line 3: there is no option base_url/, /Did you mean base-url/],
    ['targets: { a: {} }\ntarget: b\n', /line 2: there is no target b/, /targets: a|Did you mean a/],
    ['depth: slow\n', /line 1: depth: expected one of quick, normal, deep/, /./],
    ['timeout: soon\n', /line 1: timeout: expected a time/, /./],
    ['rate: 0\n', /line 1: rate: expected a number from 1/, /./],
    ['policy:\n', /line 1: policy: has no value/, /./],
    ['operation: [apply-by-mac, clear-by-mac]\n', /operation: expected one of.*\(for capacity\)/, /put it under/],
    ['targets:\n  a:\n    credentials: { username: me, password: secret }\n', /never the login itself/, /env: NAME/],
    ['out: runs/one\n', /there is no option out/, /./],
    ['depth: quick\ndepth: deep\n', /line 2: depth stands there twice/, undefined],
    ['- depth\n', /this is not a mapping/, /key: value/],
    ['a: &x [1]\nb: *x\n', /aliases \(\*name\) are not supported/, /./],
    ['depth: "quick\n', /cannot be read/, undefined],
  ])('is refused where it is wrong, with the line and what to do: %j', (text, message, hint) => {
    const said = refusal(() => read(text));
    expect(said.message).toMatch(message);
    if (hint !== undefined) expect(said.hint).toMatch(hint);
    expect(said.message).not.toContain('secret');
  });

  it('of nested aliases or of many bytes is refused without being expanded', () => {
    const bomb = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
    expect(() => read(['a0: &a0 [x]', ...bomb].join('\n'))).toThrow(/aliases/);
    expect(() => read(`# ${'x'.repeat(300_000)}\n`)).toThrow(/larger than/);
  });

  it('is found from a folder upwards, and not with --config none', () => {
    const path = written('depth: quick\n');
    const below = join(path, '..', 'a', 'b');
    mkdirSync(below, { recursive: true });
    expect([findConfig(join(path, '..'), undefined), findConfig(below, undefined)]).toEqual([path, undefined]);
    mkdirSync(join(path, '..', '.git'));
    expect(findConfig(below, undefined)).toBe(path);
    expect(findConfig(below, 'none')).toBeUndefined();
    expect(() => findConfig(below, 'other.yaml')).toThrow(/does not exist/);
  });

  it('is looked for up to the home, and above a folder that is in neither home nor repository not at all', () => {
    const home = dirname(written(''));
    const deep = join(home, 'a', 'b');
    expect(searchedFolders(deep, '/nowhere')).toEqual([deep]);
    expect(searchedFolders(deep, home)).toEqual([deep, join(home, 'a'), home]);
  });

  it('is refused where somebody else owns it or can write it, unless it is named', () => {
    const path = written('depth: quick\n');
    const behind = join(mkdtempSync(join(folder, 'link-')), 'ers-harness.yaml');
    symlinkSync(path, behind);
    expect(findConfig(dirname(behind), undefined)).toBe(behind);
    for (const mode of [0o666, 0o602]) {
      chmodSync(path, mode);
      for (const found of [path, behind])
        expect(() => findConfig(dirname(found), undefined)).toThrow(/can be written by others/);
    }
    expect(findConfig(folder, path)).toBe(path);
    chmodSync(path, 0o600);
    if (process.getuid?.() !== 0) return;
    chownSync(path, 12345, 12345);
    expect(() => findConfig(join(path, '..'), undefined)).toThrow(/belongs to somebody else/);
  });

  it('may make a run less careful only from the working folder, or by name', () => {
    const layer = (text: string) => resolveOptions(COMMAND_SPECS.conformance, [read(text).shared]).effective;
    const both = layer('mode: own-data\ninsecure: true\n');
    expect(() => refuseFromAbove('x', both)).toThrow(/insecure .*line 2.*mode .*line 1/);
    for (const line of ['ca: a.pem', 'history: a', 'allow-residue: 9', 'policy: a'])
      expect(() => refuseFromAbove('x', layer(`${line}\n`)), line).toThrow(/lies above/);
    const { effective } = resolveOptions(COMMAND_SPECS.load, [read('k6-out: json=a\n').shared]);
    expect(loosened(effective).map(({ option }) => option.name)).toEqual(['k6-out']);
    expect(() => refuseFromAbove('x', layer('mode: read-only\ndepth: quick\n'))).not.toThrow();
  });

  it('is described by its schema, which takes what the reader takes and refuses what it refuses', () => {
    const valid = new Ajv2020({ strict: false }).compile(configJsonSchema());
    expect([valid(parse(WHOLE)), valid.errors]).toEqual([true, null]);
    for (const wrong of ['detph: quick', 'depth: slow', 'targets: { a: { credentials: { username: me } } }']) {
      expect([wrong, valid(parse(wrong))]).toEqual([wrong, false]);
    }
  });

  it('as init writes it is read again, whatever the target answered', () => {
    const name = 'policy.example.com';
    const reached = { ca: '/etc/ca #1.pem', 'allow-http': true } as const;
    const facts = { name, baseUrl: `https://${name}:9060`, reached };
    const found = ['nodes: a\ndepth: deep\u001b[2J\u0085mode: full'];
    const text = configText({ ...facts, found, version: '1.0.0' });
    expect(text.includes('\u001b') || text.includes('\u0085')).toBe(false);
    const { target, shared, targets } = read(text);
    expect([target, shared.get('mode')?.value, shared.has('depth')]).toEqual([name, 'read-only', false]);
    expect(Object.keys(reached).map((flag) => targets.get(name)?.options.get(flag)?.value)).toEqual(
      Object.values(reached),
    );
  });
});

const layer = (values: Record<string, unknown>, from: string): Layer =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, from }]));

describe('effective options', () => {
  it('come from the flag, then the environment, then the default', () => {
    const env = environmentLayer(LoadSpec, { ERS_DEPTH: 'full', ERS_TIMEOUT: '5s', ERS_SEED: '' });
    const { options, effective } = resolveOptions(LoadSpec, [layer({ depth: 'normal' }, 'flag'), env]);
    expect([options.depth, options.timeoutMs, options.seed]).toEqual(['normal', 5000, 1]);
    const from = (name: string) => effective.find(({ option }) => option.name === name)?.from;
    expect([from('depth'), from('timeout'), from('seed')]).toEqual(['flag', 'environment ERS_TIMEOUT', 'default']);
  });

  it('are refused together, each with the place it came from', () => {
    const env = environmentLayer(LoadSpec, { ERS_DEPTH: 'slow', ERS_TIMEOUT: 'soon' });
    expect(() => resolveOptions(LoadSpec, [env])).toThrow(
      /depth \(environment ERS_DEPTH\): expected one of .*timeout \(environment ERS_TIMEOUT\): expected a time/,
    );
  });
});
