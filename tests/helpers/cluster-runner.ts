import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { segmentArguments } from '../../load/k6/command.ts';
import type { TestRun } from './test-run-schema.ts';

/** What a runner pod needs of its node: the folder of the emitted files, where the volume is mounted, the k6 of the image, and the folder of the run on the volume. */
type RunnerNode = Readonly<Record<'folder' | 'k6' | 'run', string>>;

/** Runs the command of a runner pod as the operator writes it, with what the kubelet puts in; the probe comes first on PATH. */
export async function runRunner(manifest: TestRun, index: number, { folder, k6, run }: RunnerNode) {
  const of = manifest.spec.parallelism;
  const pod = `${manifest.metadata.name}-${index + 1}-x`;
  const env: Record<string, string> = { HOME: folder, POD_NAME: pod };
  const filled = (text: string) =>
    text.replace(/\$\((\w+)\)/g, (_, name) => env[name] ?? '').replace('/samples/', `${folder}/`);
  for (const one of manifest.spec.runner?.env ?? [])
    if ('value' in one) env[one.name] = one.name === 'ERS_RUN' ? run : filled(one.value);
  env['PATH'] = `${folder}:${process.env['PATH']}`;
  env['ERS_REAL_K6'] = k6;
  const { file } = (manifest.spec.script as { configMap: { file: string } }).configMap;
  const args = [
    ...['run', '--quiet', ...(of === 1 ? [] : segmentArguments({ index, of }))],
    ...(manifest.spec.arguments ?? '').split(' ').map(filled),
    ...[join(folder, file), `--address=127.0.0.1:0`],
    ...['--tag', `instance_id=${index + 1}`, '--tag', `testrun_name=${manifest.metadata.name}`],
  ];
  const child = spawn('k6', args, { env, stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const read = (ending: string) => readFileSync(join(folder, run, `${pod}.${ending}`));
  return { code, pod, rows: { name: `${pod}.csv.gz`, bytes: read('csv.gz') }, probe: read('probe').toString() };
}
