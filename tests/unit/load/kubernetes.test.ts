import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPool } from '../../../lib/client/anc/pool.ts';
import { SCENARIO_ENV } from '../../../lib/wire/scenario.ts';
import { K6_SETTINGS, K6_TUNING, scenarioParameters } from '../../../load/k6/command.ts';
import { judgeCollected } from '../../../load/kubernetes/judge-collected.ts';
import { type EmitOptions, kubernetesManifests } from '../../../load/kubernetes/manifests.ts';
import { TestRun } from '../../../load/kubernetes/test-run-schema.ts';
import { cellSpecOf } from '../../../load/plan/cell-spec.ts';
import { type LoadOptions, planLoad } from '../../../load/plan/plan.ts';
import { aCell } from '../../helpers/a-cell.ts';

const folder = mkdtempSync(join(tmpdir(), 'ers-emit-'));
const bundle = join(folder, 'bundle.js');
writeFileSync(bundle, 'export default function () {}\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

function planned(overrides: Partial<LoadOptions> = {}) {
  return planLoad({
    ...{ profiles: ['60k'], operations: ['apply-by-mac'], tier: 'quick', policy: 'Quarantine', timeoutMs: 2000 },
    ...{ pool: readPool('02:00:00:00:00:00+9000@10.0.0.0'), segments: 4, connections: 100, ...overrides },
  });
}

const SENDER = { baseUrl: 'https://policy.example.com:9060', insecure: false, csrf: false, userAgent: 'ers-harness/1' };

function emitted(overrides: Partial<EmitOptions> = {}, plan = planned()) {
  const files = kubernetesManifests(plan, {
    ...SENDER,
    segments: 4,
    k6Version: '2.2.0',
    bundle: () => bundle,
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
    ['with a new connection for each transaction', {}, { keepAlive: false }],
    ['with another rate and time limit', {}, { ratePerSecond: 100, timeoutMs: 700 }],
    ['with a ramp-up', {}, { rampSeconds: 5 }],
  ] as const)('is told what a local cell is told, %s', (_name, sender, options) => {
    const plan = planned(options);
    const [cell] = plan.cells;
    if (cell === undefined) throw new Error('a cell is planned');
    const local = scenarioParameters(cellSpecOf(plan, cell, { ...SENDER, ...sender, credentials: null }));
    const { env } = emitted(sender, plan);
    for (const [name, value] of Object.entries(local)) {
      if (name !== 'username' && name !== 'password')
        expect([name, env.get(SCENARIO_ENV[name as keyof typeof local])]).toEqual([name, value]);
    }
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
  });
});

describe('the verdict on what runners wrote', () => {
  const judged = (...given: Parameters<typeof aCell>) => {
    const { facts, samples } = aCell(...given);
    return judgeCollected(facts, samples);
  };

  it('is invalid where nothing speaks against the target: what would speak for it was not measured', () => {
    const { verdict, rules, reasons } = judged();
    expect(verdict).toBe('invalid');
    expect(reasons).toEqual([expect.stringMatching(/^not measured on the runners: /)]);
    const unmeasured = rules.filter(({ measured }) => measured === 'not measured');
    expect(unmeasured.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['k6-ended', 'k6-cpu', 'collector-cpu', 'clock', 'read-back-done', 'effect-proven']),
    );
    expect(unmeasured.every(({ holds, effect }) => !holds && effect === 'invalid')).toBe(true);
  });

  it('is violated where transactions failed, or the connections were exhausted, on generators that were on time', () => {
    const failed = judged((tick) => (tick === 800 ? { status: 500 } : {}));
    expect(failed.verdict).toBe('violated');
    expect(failed.reasons[0]).toContain('1 of 1000 (1 server-error)');
    const exhausted = (tick: number) => (tick % 50 < 30 ? { serviceUs: 200_000 } : { dropped: true });
    expect(judged(exhausted, { plan: { connections: 30 } }).verdict).toBe('violated');
  });

  it('is invalid where the generators were late, whatever the target did', () => {
    const late = (tick: number) => ({ lagUs: 60_000, ...(tick === 800 ? { status: 500 } : {}) });
    expect(judged(late).verdict).toBe('invalid');
  });
});
