import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../lib/errors.ts';
import { EXIT, type ExitCode } from '../../../lib/exit-codes.ts';
import { comparePairs, pairLines, type RunPair } from '../../../reports/compare/pairs.ts';
import { createOutput, type Output } from '../../output/output.ts';
import { runId } from '../../session/run-id.ts';
import { watchSignals } from '../../session/signals.ts';
import { readLoadRun } from '../../stages/load-run.ts';
import type { CompareSpec } from './compare-spec.ts';

/** What is compared: URLs, or for `a` the folder of an earlier comparison without `b`. */
export interface PairSides {
  readonly a: string;
  readonly b: string | undefined;
  /** Options of the loads, as typed. */
  readonly load: readonly string[];
}

type PairOptions = CompareSpec & { readonly pairs: number };

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
  { a, b, load }: PairSides,
  most: number,
  out: string,
  { output, isDecided }: { readonly output: Output; readonly isDecided: (pairs: number) => boolean },
): Promise<void> {
  const signals = watchSignals(output.say);
  const recorded = existsSync(a);
  const sides: readonly Side[] = [...(recorded ? [] : ['a' as const]), ...(b === undefined ? [] : ['b' as const])];
  try {
    for (let pair = 1; pair <= most; pair += 1) {
      for (const side of orderOf(pair, sides)) {
        if (signals.abort.aborted) return;
        output.say(`pair ${pair} of at most ${most}, ${side}`);
        const url = side === 'a' ? a : (b ?? '');
        const code = await runLoad(url, folderOf(out, pair, side), load);
        // What was cut tells nothing; the pairs before it do.
        if (signals.abort.aborted) return;
        if (!RAN.has(code)) {
          throw new UsageError('pair-failed', `the run of pair ${pair}, ${side}, ended with exit code ${code}`, {
            hint: 'its output is above; what stands behind -- goes to load',
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
function readPairs(a: string, most: number, out: string): readonly RunPair[] {
  const from = existsSync(a) ? a : out;
  return Array.from({ length: most }, (_, at) => at + 1).flatMap((pair): RunPair[] => {
    const [before, after] = [folderOf(from, pair, 'a'), folderOf(out, pair, 'b')];
    return existsSync(before) && existsSync(after) ? [[readLoadRun(before).report, readLoadRun(after).report]] : [];
  });
}

function exitOf(words: readonly string[]): ExitCode {
  if (words.includes('worse')) return EXIT.failed;
  const open = words.length === 0 || words.includes('undecided') || words.includes('not comparable');
  return open ? EXIT.inconclusive : EXIT.ok;
}

/**
 * Loads two targets in turn and judges the pairs, as soon as they decide. Exit 0: better or equivalent; 1: worse; 4: undecided or not
 * comparable. Without a second target the first is only recorded, for a later comparison.
 */
export async function compareByPairs(sides: PairSides, options: PairOptions): Promise<void> {
  const output = createOutput({});
  const { percentile, withinPercent, pairs, json } = options;
  const out = options.out ?? join('runs', `compare-${runId(new Date(), Math.random)}`);
  const margin = withinPercent / 100;
  const judged = () => comparePairs(readPairs(sides.a, pairs, out), percentile, margin);
  // What is recorded for later has nothing to be compared with yet.
  const isDecided = (done: number) =>
    sides.b !== undefined &&
    done > 1 &&
    judged().every(({ verdict }) => verdict !== 'undecided' && verdict !== 'not comparable');
  await runPairs(sides, pairs, out, { output, isDecided });
  if (sides.b === undefined) {
    output.say(`recorded in ${out}; compare later with: ers-harness report compare ${out} URL --pairs ${pairs}`);
    return;
  }
  const cells = judged();
  if (json) output.data(JSON.stringify({ percentile, within: withinPercent, cells }));
  for (const line of pairLines(cells, percentile, margin)) output.say(line);
  if (cells.length === 0) output.warn('no pair could be compared: a run left no cells');
  process.exitCode = exitOf(cells.map(({ verdict }) => verdict));
}
