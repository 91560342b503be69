import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../cli/options/config/keys.ts';
import { readPool } from '../../lib/client/anc/pool.ts';
import { packageRoot, packageVersion } from '../../lib/package-root.ts';
import { k6License, pinnedVersion } from '../../load/k6/binary/binary.ts';
import { kubernetesManifests } from '../../load/kubernetes/manifests.ts';
import { planLoad } from '../../load/plan/plan.ts';

const deploy = join(packageRoot(), 'deploy');
const text = (...path: string[]) => readFileSync(join(deploy, ...path), 'utf8');

/** Reads the stages of a Containerfile: instructions in their order, with their continued lines joined. */
function stagesOf(text: string) {
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stages: { name: string; from: string; instructions: { name: string; value: string }[] }[] = [];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const [from = '', as = ''] = value.split(' AS ');
    if (name === 'FROM') stages.push({ name: as, from, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}

/** Values of a line such as `ENV A=b C="d e"`. */
const pairsOf = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...value.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, key, a, b]) => [key, a ?? b ?? '']));

const valuesOf = (stage: ReturnType<typeof stagesOf>[number] | undefined, name: string): readonly string[] =>
  stage?.instructions.flatMap((one) => (one.name === name ? [one.value] : [])) ?? [];

describe('the files for deployments', () => {
  it('hold what the program emits, without the scenarios and the scripts', () => {
    const pool = readPool('02:00:00:00:00:00+20000@10.0.0.0');
    const what = { profiles: ['60k'], operations: ['apply-by-mac', 'clear-by-mac'], depth: 'normal' } as const;
    const plan = planLoad({ ...what, segments: 4 }, { pool, policy: 'Harness-Test' });
    const files = kubernetesManifests(plan, {
      ...{ baseUrl: 'https://policy.example.com:9060', insecure: false, csrf: false },
      ...{ k6Version: pinnedVersion(packageRoot()), userAgent: `ers-harness/${packageVersion()} (kubernetes)` },
      bundle: () => join(packageRoot(), 'package.json'),
      scripts: join(packageRoot(), 'load', 'kubernetes', 'pod'),
    });
    const held = readdirSync(join(deploy, 'kubernetes'));
    expect(held).toHaveLength(7);
    for (const name of held) expect(text('kubernetes', name)).toBe(files.find((file) => file.name === name)?.content);
  });

  it('hold a dashboard that reads metrics of k6 alone, by the tags that a load sets', () => {
    const dashboard = JSON.parse(text('grafana', 'ers-harness-load.json')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(8);
    for (const query of queries) {
      expect(query).toMatch(
        /k6_(http_req(s_total|_duration_p\d+|_failed_rate)|dropped_iterations_total|vus|vus_max)\b/,
      );
      for (const tag of ['profile', 'operation', 'run_id']) expect(query).toContain(`${tag}=~"$${tag}"`);
    }
  });

  it('hold pipelines that publish junit.xml and keep an inconclusive run apart from a failed one', () => {
    const gitlab = parse(text('ci', 'gitlab.yml'));
    expect(gitlab['ers-load'].allow_failure.exit_codes).toEqual([4]);
    const reports = { junit: 'runs/conformance/junit.xml' };
    expect(gitlab['ers-conformance'].artifacts).toEqual({ when: 'always', paths: ['runs/'], reports });
    expect(text('ci', 'Jenkinsfile')).toContain("junit testResults: 'runs/*/junit.xml'");
  });

  it('hold a container image of nobody that names k6 with the version that is pinned, its license and its source', () => {
    const image = stagesOf(text('container', 'Containerfile')).at(-1);
    expect(valuesOf(image, 'USER')).toEqual(['65532:65532']);
    expect(valuesOf(image, 'RUN')).toEqual([]);
    const version = pinnedVersion(packageRoot());
    expect(valuesOf(image, 'ARG')).toEqual([`K6_VERSION=${version}`]);
    const { spdx, source } = k6License(version);
    const labels = Object.assign({}, ...valuesOf(image, 'LABEL').map(pairsOf));
    expect(labels).toMatchObject({ 'k6.license': spdx, 'k6.source': source.replace(version, `$${'{K6_VERSION}'}`) });
  });

  it('hold a configuration file whose keys are known', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(configJsonSchema());
    validate(parse(text('ci', 'ers-harness.yaml')));
    expect(validate.errors).toBeNull();
  });

  it('hold pipelines that pass no input of the action that it does not have', () => {
    const action = parse(readFileSync(join(packageRoot(), 'action.yml'), 'utf8'));
    const { steps } = parse(text('ci', 'github.yml')).jobs.conformance as { steps: { with?: object }[] };
    const given = Object.keys(steps.at(-1)?.with ?? {});
    expect(given).toContain('config');
    expect(given.filter((name) => !(name in action.inputs))).toEqual([]);
  });
});
