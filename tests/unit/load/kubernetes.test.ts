import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import { packageRoot } from '../../../lib/package-root.ts';
import { SCENARIO_ENV } from '../../../lib/wire/scenario.ts';
import { K6_SETTINGS, K6_TUNING, scenarioCell } from '../../../load/k6/command.ts';
import { gatherRunners } from '../../../load/kubernetes/cluster-cell.ts';
import {
  type CollectedEvidence,
  checkEvidence,
  generatorOf,
  type RunnerFile,
  readRun,
} from '../../../load/kubernetes/evidence.ts';
import { type EmitOptions, kubernetesManifests } from '../../../load/kubernetes/manifests.ts';
import { cellSpecOf } from '../../../load/plan/cell-spec.ts';
import { type PlannedCell, planLoad } from '../../../load/plan/plan.ts';
import type { LoadGiven } from '../../../load/plan/spec.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { folderOfTests } from '../../helpers/folder.ts';
import { k6Csv } from '../../helpers/k6-csv.ts';
import { TestRun } from '../../helpers/test-run-schema.ts';

const folder = folderOfTests();
const bundle = join(folder, 'bundle.js');
writeFileSync(bundle, 'export default function () {}\n');

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

const POOL = readPool('02:00:00:00:00:00+9000@10.0.0.0');

function planned(overrides: LoadGiven & { readonly pool?: typeof POOL } = {}) {
  const { pool = POOL, ...given } = overrides;
  const usual = { profiles: ['60k'], operations: ['apply-by-mac'], timeoutMs: 2000 } as const;
  return planLoad({ ...usual, segments: 4, connections: 100, ...given }, { pool, policy: 'Quarantine' });
}

const SENDER = { baseUrl: 'https://policy.example.com:9060', insecure: false, csrf: false, userAgent: 'ers-harness/1' };

function emitted(overrides: Partial<EmitOptions> = {}, plan = planned()) {
  const files = kubernetesManifests(plan, {
    ...SENDER,
    k6Version: '2.2.0',
    bundle: () => bundle,
    scripts: join(packageRoot(), 'load', 'kubernetes', 'pod'),
    ...overrides,
  });
  const run = files.find(({ name }) => name.startsWith('ers-'));
  const manifest = TestRun.parse(parse(run?.content ?? ''));
  const env = new Map(
    (manifest.spec.runner?.env ?? []).flatMap((one) => ('value' in one ? [[one.name, one.value]] : [])),
  );
  return { files, manifest, env };
}

describe('an emitted cell', () => {
  it.each([
    ['as it is by default', {}, {}],
    ['with CSRF tokens', { csrf: true }, {}],
    ['with another rate and time limit', {}, { ratePerSecond: 100, timeoutMs: 700 }],
    ['with a ramp-up', {}, { rampSeconds: 5 }],
  ] as const)('is told what a local cell is told, %s', (_name, sender, options) => {
    const plan = planned(options);
    const [cell] = plan.cells;
    if (cell === undefined) throw new Error('a cell is planned');
    const local = scenarioCell(cellSpecOf(plan, cell, { ...SENDER, ...sender, credentials: null }));
    const { env } = emitted(sender, plan);
    // Nobody watches the clock of a runner from outside.
    expect(JSON.parse(env.get(SCENARIO_ENV.cell) ?? '')).toEqual({ ...local, markClock: true });
    for (const [name, value] of Object.entries({ ...K6_TUNING, ...K6_SETTINGS })) expect(env.get(name)).toBe(value);
  });

  it('trusts the certificate authority of the target, which is a ConfigMap in its place', () => {
    const { files, manifest, env } = emitted({ ca: PEM });
    expect(files.find(({ name }) => name === 'ca.pem')?.content).toBe(PEM);
    const kustomization = parse(files.find(({ name }) => name === 'kustomization.yaml')?.content ?? '');
    expect(kustomization.configMapGenerator).toContainEqual({ name: 'ers-harness-ca', files: ['ca.pem'] });
    const { volumes, volumeMounts } = manifest.spec.runner ?? {};
    expect(volumes).toContainEqual({ name: 'authority', configMap: { name: 'ers-harness-ca' } });
    const at = volumeMounts?.find(({ name }) => name === 'authority')?.mountPath;
    expect(env.get('SSL_CERT_FILE')).toBe(`${at}/ca.pem`);
    expect(emitted().env.has('SSL_CERT_FILE')).toBe(false);
    // The cluster has the login, and nobody else.
    expect(JSON.stringify(manifest.spec.runner?.env)).toContain('secretKeyRef');
  });
});

it.runIf(spawnSync('kubectl', ['version', '--client']).status === 0)(
  'all that is emitted is rendered by kubectl',
  () => {
    const emitting = emitted();
    for (const { name, content } of emitting.files) writeFileSync(join(folder, name), content);
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/(?<=^kind: ).*$/gm)?.sort()).toEqual(['ConfigMap', 'ConfigMap', 'PersistentVolumeClaim']);
  },
);

describe('the rows that the runners of a cell leave', () => {
  const plan = planned({ segments: 3, durationSeconds: 1, connections: 30 });
  const spec = cellSpecOf(plan, plan.cells[0] as PlannedCell, { ...SENDER, credentials: null });
  const files = [0, 1, 2].map((index): RunnerFile => {
    const share = { index, of: 3 };
    const csv = k6Csv(Array(260).fill({}), 12_000, { share, wholePeriodUs: 4000 });
    return { name: `pod-${index}.csv.gz`, bytes: gzipSync(csv) };
  });
  const [a, b, c] = files as [RunnerFile, RunnerFile, RunnerFile];
  const gathered = (given: readonly RunnerFile[]) => gatherRunners('cell', spec, given);

  it('add up to every arrival of the schedule, in whatever order they come', () => {
    const { counts, failures, podNames } = gathered([c, a, b]);
    expect([counts.scheduled, counts.started, failures]).toEqual([780, 780, []]);
    expect(podNames.toSorted()).toEqual(['pod-0', 'pod-1', 'pod-2']);
  });

  it.each<[string, string, readonly RunnerFile[]]>([
    ['is missing', 'segment-missing', [a, c]],
    ['is there twice', 'segment-doubled', [a, b, c, b]],
    ['is cut', 'segment-cut', [a, { ...b, bytes: b.bytes.subarray(0, b.bytes.length - 40) }, c]],
    ['is of a runner that was killed', 'segment-cut', [a, { ...b, bytes: b.bytes.subarray(0, 10) }, c]],
    ['is empty', 'segment-cut', [a, { name: 'none.csv', bytes: new Uint8Array() }, c]],
  ])('are not taken if a part %s', (_what, code, given) => {
    expect(() => gathered(given)).toThrowError(expect.objectContaining({ code }));
  });
});

describe('the verdict on what runners wrote', () => {
  const POD = { name: 'p-1', exitCode: 0, faults: [] };
  const USED = {
    ...{ pod: 'p-1', k6Sha256: 'a', scriptSha256: 'b', cores: 2, exitCode: 0 },
    ...{ cpuMean: 0.4, cpuMax: 0.6, swapKb: 0, throttled: 0 },
  };
  const ALL = { pods: [POD], probes: [USED], clockStepMs: 0.5 };
  const judged = (changes: Partial<CollectedEvidence>) => {
    const { facts, samples } = aCell();
    return judgeCell({ ...facts, generator: generatorOf({ ...ALL, ...changes }) }, samples);
  };

  it('is met with all of the evidence', () => {
    expect(judged({})).toMatchObject({ verdict: 'met', reasons: [] });
  });

  it('is not given where the runners left nothing but rows', () => {
    writeFileSync(join(folder, 'cell-1.csv'), '');
    const missing = expect.objectContaining({ code: 'evidence-missing' });
    expect(() => readRun('cell', folder)).toThrowError(missing);
  });

  it.each<[Partial<CollectedEvidence>, string]>([
    [{ clockStepMs: Number.NaN }, 'evidence-missing'],
    [{ pods: [] }, 'evidence-foreign'],
    [{ probes: [{ ...USED, pod: 'p-2' }] }, 'evidence-foreign'],
  ])('is not given on %j', (part, code) => {
    expect(() => checkEvidence('cell', ALL, ['p-1'])).not.toThrow();
    expect(() => checkEvidence('cell', { ...ALL, ...part }, ['p-1'])).toThrowError(expect.objectContaining({ code }));
  });

  it.each<[string, Partial<CollectedEvidence>, RegExp]>([
    ['killed for memory', { pods: [{ ...POD, exitCode: 137, faults: ['OOMKilled'] }] }, /p-1: OOMKilled/],
    ['restarted', { pods: [{ ...POD, faults: ['restarted 1 times'] }] }, /p-1: restarted/],
    ['still running', { pods: [{ ...POD, exitCode: null, faults: ['it has not ended (Running)'] }] }, /not ended/],
    ['ended by its own account with 107', { probes: [{ ...USED, exitCode: 107 }] }, /exit code 107/],
    ['cut off', { probes: [{ ...USED, exitCode: null }] }, /no exit code/],
    ['throttled', { probes: [{ ...USED, throttled: 0.04 }] }, /CPU limit: 4.0 %/],
    ['without room on its cores', { probes: [{ ...USED, cpuMean: 1.7 }] }, /cores that k6 used: 85 %/],
    ['swapped out', { probes: [{ ...USED, swapKb: 12 }] }, /k6 12 kB/],
    ['on a clock that stepped', { clockStepMs: 40 }, /clock: 40 ms/],
    ['of another k6', { probes: [USED, { ...USED, k6Sha256: 'c' }] }, /programs .*: 2/],
    ['not shown to be throttled or not', { probes: [{ ...USED, throttled: null }] }, /CPU limit: not measured/],
  ])('is invalid where a runner was %s', (_name, changes, reason) => {
    const { verdict, reasons, facts } = judged(changes);
    expect(verdict).toBe('invalid');
    expect([...facts.generator.warnings, ...reasons].join('; ')).toMatch(reason);
  });
});
