import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../lib/errors.ts';
import { EXIT, type ExitCode } from '../../lib/exit-codes.ts';
import {
  comparePairs,
  PAIR_PERCENTILES,
  type PairPercentile,
  pairLines,
  type RunPair,
} from '../../reports/compare/pairs.ts';
import { integer } from '../options/options.ts';
import { createOutput, type Output } from '../output/output.ts';
import { runId } from '../session/run-id.ts';
import { watchSignals } from '../session/signals.ts';
import { readLoadRun } from '../stages/load-run.ts';

interface CompareAbOptions {
  readonly a: string;
  readonly b?: string;
  readonly pairs: number;
  readonly within: number;
  readonly percentile: string;
  readonly out?: string;
  readonly json?: boolean;
}

type Side = 'a' | 'b';

const folderOf = (out: string, pair: number, side: Side) => join(out, `pair-${String(pair).padStart(2, '0')}-${side}`);

/** Order of the runs: A B, B A, A B, so that a drift of the machine falls on both sides alike. */
function orderOf(pair: number, sides: readonly Side[]): readonly Side[] {
  return pair % 2 === 1 ? sides : [...sides].reverse();
}

/** Runs one load in a process of its own, as if it were typed; what it says goes to our standard error. */
function runLoad(baseUrl: string, out: string, given: readonly string[]): Promise<number | null> {
  const program = process.argv[1] ?? '';
  const args = [...process.execArgv, program, 'load', ...given, '--base-url', baseUrl, '--out', out];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => child.once('close', resolve));
}

/** Exit codes of a load that leave cells behind: it ran, whatever came of it. */
const RAN: ReadonlySet<number | null> = new Set([EXIT.ok, EXIT.failed, EXIT.inconclusive]);

async function runPairs(
  options: CompareAbOptions,
  out: string,
  given: readonly string[],
  { output, isDecided }: { readonly output: Output; readonly isDecided: (pairs: number) => boolean },
): Promise<void> {
  const signals = watchSignals(output.say);
  const recorded = existsSync(options.a);
  const sides: readonly Side[] = [
    ...(recorded ? [] : ['a' as const]),
    ...(options.b === undefined ? [] : ['b' as const]),
  ];
  try {
    for (let pair = 1; pair <= options.pairs; pair += 1) {
      for (const side of orderOf(pair, sides)) {
        if (signals.abort.aborted) return;
        output.say(`pair ${pair} of at most ${options.pairs}, ${side}`);
        const url = side === 'a' ? options.a : (options.b ?? '');
        const code = await runLoad(url, folderOf(out, pair, side), given);
        // What was cut tells nothing; the pairs before it do.
        if (signals.abort.aborted) return;
        if (!RAN.has(code)) {
          throw new UsageError('pair-failed', `the run of pair ${pair}, ${side}, ended with exit code ${code}`, {
            hint: 'its output is above; compare-ab passes its other options on to load',
          });
        }
      }
      if (isDecided(pair)) return;
    }
  } finally {
    signals.stop();
  }
}

/** The pairs whose runs are both there; a cut comparison is judged by those. */
function readPairs(options: CompareAbOptions, out: string): readonly RunPair[] {
  const from = existsSync(options.a) ? options.a : out;
  return Array.from({ length: options.pairs }, (_, at) => at + 1).flatMap((pair): RunPair[] => {
    const [a, b] = [folderOf(from, pair, 'a'), folderOf(out, pair, 'b')];
    return existsSync(a) && existsSync(b) ? [[readLoadRun(a).report, readLoadRun(b).report]] : [];
  });
}

function exitOf(words: readonly string[]): ExitCode {
  if (words.includes('worse')) return EXIT.failed;
  const open = words.length === 0 || words.includes('undecided') || words.includes('not comparable');
  return open ? EXIT.inconclusive : EXIT.ok;
}

async function compareAb(options: CompareAbOptions, command: Command): Promise<void> {
  const output = createOutput({});
  if (!Object.hasOwn(PAIR_PERCENTILES, options.percentile)) {
    throw new UsageError('bad-percentile', `there is no percentile ${options.percentile}`, {
      hint: `one of ${Object.keys(PAIR_PERCENTILES).join(', ')}`,
    });
  }
  const percentile = options.percentile as PairPercentile;
  const out = options.out ?? join('runs', `compare-${runId(new Date(), Math.random)}`);
  const margin = options.within / 100;
  const judged = () => comparePairs(readPairs(options, out), percentile, margin);
  // What is recorded for later has nothing to be compared with yet.
  const isDecided = (pairs: number) =>
    options.b !== undefined &&
    pairs > 1 &&
    judged().every(({ verdict }) => verdict !== 'undecided' && verdict !== 'not comparable');
  await runPairs(options, out, command.args, { output, isDecided });
  if (options.b === undefined) {
    output.say(`recorded in ${out}; compare later with --a ${out} --b <url>`);
    return;
  }
  const cells = judged();
  if (options.json === true) output.data(JSON.stringify({ percentile, within: options.within, cells }));
  for (const line of pairLines(cells, percentile, margin)) output.say(line);
  if (cells.length === 0) output.warn('no pair could be compared: a run left no cells');
  process.exitCode = exitOf(cells.map(({ verdict }) => verdict));
}

/** `ers-harness compare-ab --a URL --b URL`: two targets, or one before and after a change, by pairs of runs. */
export function compareAbCommand(program: Command): void {
  program
    .command('compare-ab')
    .description('compare two targets by interleaved pairs of loads: worse, better or equivalent')
    .requiredOption('--a <url>', 'first target, or the folder of an earlier compare-ab run without --b')
    .option('--b <url>', 'second target; without it, record the first for a later comparison')
    .option('--pairs <n>', 'pairs of runs at most; fewer where they decide', integer(2, 20), 12)
    .option(
      '--within <n>',
      'percent within which the targets count as equivalent; half of it where chance does not explain the difference',
      integer(1, 100),
      10,
    )
    .option('--percentile <name>', `of the service time: ${Object.keys(PAIR_PERCENTILES).join(', ')}`, 'p50')
    .option('--out <dir>', 'folder for the runs (default: runs/compare-<time>)')
    .option('--json', 'print the comparison to stdout')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      'after',
      '\nAll other options are those of load. Exit 0: better or equivalent; 1: worse; 4: undecided or not comparable.' +
        '\n\nExample:\n  ers-harness compare-ab --a https://old.example.com --b https://new.example.com \\\n' +
        '    --profile 60k --operation apply-by-mac --endpoints 02:00:00:00:00:00+60000 --policy Load-Test',
    )
    .action(compareAb);
}
