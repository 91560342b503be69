// Plays kubectl, operator and kubelet for run.sh: starts the command of each runner pod as the operator writes it, with what
// the kubelet puts in, as a process of this machine. The state is files in STAND_IN; the volume is its folder samples/.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const home = process.env.STAND_IN;
const args = process.argv.slice(2);
const said = args.join(' ');
const pods = join(home, 'pods');
const samples = join(home, 'samples');
for (const folder of [pods, samples]) mkdirSync(folder, { recursive: true });

const podFiles = () => readdirSync(pods).filter((name) => name.endsWith('.json'));
const ending = (name) => {
  const file = join(pods, `${name}.exit`);
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
};
const listed = () =>
  podFiles().map((file) => ({ name: file.slice(0, -5), ...JSON.parse(readFileSync(join(pods, file))) }));

/** Runner `index` of `of`, in a shell that leaves the exit code in a file. */
function startRunner(manifest, index) {
  const { metadata, spec } = manifest;
  const of = spec.parallelism;
  const pod = `${metadata.name}-${index + 1}-x${process.pid}`;
  const env = { HOME: home, POD_NAME: pod, ERS_REAL_K6: process.env.STAND_IN_K6 };
  const filled = (text) =>
    text.replace(/\$\((\w+)\)/g, (_, name) => env[name] ?? '').replace('/samples/', `${samples}/`);
  const login = { username: process.env.ERS_USERNAME, password: process.env.ERS_PASSWORD };
  for (const one of spec.runner.env) {
    if ('value' in one) env[one.name] = filled(one.value);
    else if (one.valueFrom.secretKeyRef) env[one.name] = login[one.valueFrom.secretKeyRef.key];
  }
  env.PATH = `${process.env.STAND_IN_EMITTED}:${process.env.PATH}`;
  const edge = (at) => (at === 0 ? '0' : at === of ? '1' : `${at}/${of}`);
  const edges = Array.from({ length: of + 1 }, (_, at) => edge(at)).join(',');
  const share =
    of === 1 ? [] : [`--execution-segment=${edge(index)}:${edge(index + 1)}`, `--execution-segment-sequence=${edges}`];
  const script = join(process.env.STAND_IN_EMITTED, spec.script.configMap.file);
  const given = spec.arguments.split(' ').map(filled);
  const command = ['k6', 'run', '--quiet', ...share, ...given, script, '--address=127.0.0.1:0'];
  writeFileSync(join(pods, `${pod}.json`), JSON.stringify({ cell: metadata.name, of }));
  const quoted = command.map((part) => `'${part}'`).join(' ');
  const file = join(pods, `${pod}.exit`);
  spawn('sh', ['-c', `${quoted}; echo $? >${file}.part; mv ${file}.part ${file}`], {
    env,
    detached: true,
    stdio: 'ignore',
  }).unref();
}

if (said === 'apply -f -') {
  const manifest = parse(readFileSync(0, 'utf8'));
  for (let index = 0; index < manifest.spec.parallelism; index += 1) startRunner(manifest, index);
} else if (said.startsWith('delete testrun')) {
  for (const file of readdirSync(pods)) rmSync(join(pods, file));
} else if (said.startsWith('get testrun')) {
  const all = listed();
  const done = all.length > 0 && all.every(({ name }) => ending(name) !== undefined);
  process.stdout.write(all.length === 0 ? '' : done ? 'finished' : 'started');
} else if (said.startsWith('get pods') && said.includes('jsonpath')) {
  for (const { name } of listed()) {
    const code = ending(name);
    const phase = code === undefined ? 'Running' : code === 0 ? 'Succeeded' : 'Failed';
    process.stdout.write(`${name}|true|${phase}||${code === undefined ? '' : 'Completed'}|${code ?? ''}|\n`);
  }
} else if (said.startsWith('get jobs,pods,services')) {
  for (const { name } of listed()) console.log(`pod/${name}`);
} else if (said.startsWith('get pods')) {
  const items = listed().map(({ name, cell }) => {
    const code = ending(name);
    const state =
      code === undefined ? {} : { terminated: { exitCode: code, reason: code === 0 ? 'Completed' : 'Error' } };
    const status = {
      phase: code === undefined ? 'Running' : 'Succeeded',
      containerStatuses: [{ restartCount: 0, state }],
    };
    return { metadata: { name, labels: { k6_cr: cell, runner: 'true' } }, spec: { nodeName: 'node' }, status };
  });
  process.stdout.write(JSON.stringify({ items }));
} else if (args[0] === 'exec') {
  process.exitCode = spawnSync('tar', ['-C', samples, '-cf', '-', args.at(-1)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  }).status;
}
