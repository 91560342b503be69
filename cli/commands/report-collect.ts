import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { messageOf, ResultsError } from '../../lib/errors.ts';
import { EXIT } from '../../lib/exit-codes.ts';
import { collectRunners } from '../../load/kubernetes/collect.ts';
import { TestRun } from '../../load/kubernetes/test-run-schema.ts';
import { createOutput } from '../output/output.ts';

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new ResultsError('segment-missing', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function manifestOf(path: string): TestRun {
  try {
    return TestRun.parse(parse(Buffer.from(readBytes(path)).toString('utf8')));
  } catch (cause) {
    if (cause instanceof ResultsError) throw cause;
    throw new ResultsError('bad-manifest', `${path} is no TestRun of this program: ${messageOf(cause).slice(0, 300)}`, {
      cause,
      hint: 'name the manifest that the runners were started with',
    });
  }
}

function collect(manifest: string, files: readonly string[]): void {
  const output = createOutput({});
  const twice = files.find((file, at) => files.findIndex((other) => resolve(other) === resolve(file)) !== at);
  if (twice !== undefined) throw new ResultsError('segment-doubled', `${twice} is named twice`);
  const runners = files.map((path) => ({ name: basename(path), bytes: readBytes(path) }));
  const collected = collectRunners(runners, manifestOf(manifest));
  output.data(JSON.stringify(collected));
  const { counts, serviceTime, verdict, reasons } = collected;
  const p99 = serviceTime.p99Ms?.toFixed(2) ?? '-';
  output.say(`${verdict}: ${counts.scheduled} arrivals, ${counts.dropped} dropped, service p99 ${p99} ms`);
  for (const reason of reasons) output.say(`  ${reason}`);
  process.exitCode = verdict === 'violated' ? EXIT.failed : EXIT.inconclusive;
}

/** `ers-harness report collect MANIFEST CSV...`: figures from what the runners of a TestRun wrote. */
export function reportCollectCommand(report: Command): void {
  report
    .command('collect')
    .argument('<manifest>', 'TestRun that the runners were started with')
    .argument('<csv...>', 'what each runner wrote: all of them, each once')
    .description(
      'add up what the runners of a TestRun wrote, and judge it as far as that goes: violated (exit 1), else invalid (exit 4), never met, ' +
        'because nobody measured the runners or read endpoints back; a missing, doubled, foreign or cut file ends with exit 3',
    )
    .addHelpText(
      'after',
      '\nExample:\n  ers-harness report collect k8s/ers-60k-apply-by-mac.yaml ers-60k-apply-by-mac-*.csv',
    )
    .action(collect);
}
