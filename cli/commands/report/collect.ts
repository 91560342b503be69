import { resolve } from 'node:path';
import type { Command } from 'commander';
import { parseDocument } from 'yaml';
import * as z from 'zod';
import { messageOf, ResultsError } from '../../../lib/errors.ts';
import { EXIT } from '../../../lib/exit-codes.ts';
import { option } from '../../../lib/option.ts';
import { text } from '../../../lib/option-values.ts';
import { collectRunners } from '../../../load/kubernetes/judge-collected.ts';
import { readBytes, readRun, runPaths } from '../../../load/kubernetes/run-files.ts';
import { TestRun } from '../../../load/kubernetes/test-run-schema.ts';
import { bindLocal } from '../../options/bind.ts';
import { createOutput } from '../../output/output.ts';

const CollectSpec = z.object({
  pods: option('--pods <file>', 'how the runners ended: kubectl get pods -o json', text().optional(), {
    otherwise: 'that of the folder',
  }),
});

/** The largest manifest that is read. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Value of a YAML file. A fault names the place and quotes nothing of the file; aliases are bounded by the library. */
function yamlOf(path: string): unknown {
  const document = parseDocument(Buffer.from(readBytes(path, MOST_BYTES)).toString('utf8'));
  const [fault] = document.errors;
  if (fault === undefined) return document.toJS();
  throw new Error(`line ${fault.linePos?.[0].line ?? 1}: ${fault.code}`);
}

function manifestOf(path: string): TestRun {
  try {
    return TestRun.parse(yamlOf(path));
  } catch (cause) {
    if (cause instanceof ResultsError) throw cause;
    throw new ResultsError(
      'bad-manifest',
      `${path} is not a TestRun of this program: ${messageOf(cause).slice(0, 300)}`,
      {
        cause,
        hint: 'name the manifest that started the runners',
      },
    );
  }
}

const EXIT_OF = { met: EXIT.ok, violated: EXIT.failed, invalid: EXIT.inconclusive } as const;

function collect(manifestPath: string, given: readonly string[], options: z.output<typeof CollectSpec>): void {
  const output = createOutput({});
  const manifest = manifestOf(manifestPath);
  const cell = manifest.metadata.name;
  const paths = runPaths(cell, given, options.pods);
  const { rows } = paths;
  if (rows.length === 0) {
    throw new ResultsError('segment-missing', `${given.join(', ')} has no rows of ${cell}`, {
      hint: 'name the folder into which run.sh copied, or the files of all runners',
    });
  }
  const twice = rows.find((file, at) => rows.findIndex((other) => resolve(other) === resolve(file)) !== at);
  if (twice !== undefined) throw new ResultsError('segment-doubled', `${twice} is named twice`);
  const run = readRun(cell, paths);
  const collected = collectRunners(run.rows, manifest, run.evidence);
  output.data(JSON.stringify(collected));
  const { counts, serviceTime, verdict, reasons } = collected;
  const p99 = serviceTime.p99Ms?.toFixed(2) ?? '-';
  output.say(`${verdict}: ${counts.scheduled} arrivals, ${counts.dropped} dropped, service p99 ${p99} ms`);
  for (const reason of reasons) output.say(`  ${reason}`);
  process.exitCode = EXIT_OF[verdict];
}

/** `ers-harness report collect MANIFEST FILES...`: figures and verdict from what the runners of a TestRun left. */
export function reportCollectCommand(report: Command): void {
  const command = report
    .command('collect')
    .argument('<manifest>', 'TestRun that the runners were started with')
    .argument(
      '<files...>',
      'folder that run.sh copied into, or the rows of all runners, each once; probes lie beside them',
    )
    .summary('collect and judge what the runners of a TestRun wrote')
    .description(
      'collect and judge what the runners of a TestRun wrote; met (exit 0) needs rows, probes, pods and read-back; ' +
        'exit 1 if violated, 4 if evidence is missing (the reason names it), ' +
        '3 if a file is missing, doubled, foreign or cut off',
    )
    .addHelpText(
      'after',
      '\nExample:\n  ers-harness report collect k8s/ers-60k-apply-by-mac.yaml k8s/20261121t213000z',
    );
  bindLocal<typeof CollectSpec, [string, string[]]>(command, CollectSpec, collect);
}
