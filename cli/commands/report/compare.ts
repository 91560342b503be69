import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { UsageError } from '../../../lib/errors.ts';
import { EXIT, type ExitCode } from '../../../lib/exit-codes.ts';
import { choice, list, option, text, whole } from '../../../lib/option.ts';
import { present } from '../../../lib/present.ts';
import { makeFolder, writeWhole } from '../../../lib/records/folder/disk.ts';
import { type Comparison, compareRuns, OUTCOMES, runsGivenTwice } from '../../../reports/compare/comparison.ts';
import { comparisonSections } from '../../../reports/compare/document.ts';
import {
  comparePairs,
  type LoadRun,
  PAIR_PERCENTILES,
  type PairPercentile,
  pairLines,
  type RunPair,
} from '../../../reports/compare/load.ts';
import { renderComparison } from '../../../reports/html/compare/page.tsx';
import { documentLines } from '../../../reports/render/markdown-blocks.ts';
import { bindLocal } from '../../options/bind.ts';
import { RUNS_FOLDER, runId } from '../../options/runs.ts';
import { JsonSpec } from '../../options/specs.ts';
import { createOutput, type Output, writing } from '../../output/output.ts';
import { readLoadRun } from '../../session/judged-again.ts';
import { watchSignals } from '../../session/signals.ts';

const PERCENTILES = Object.keys(PAIR_PERCENTILES) as PairPercentile[];

const CompareSpec = z.object({
  html: option(
    '--html <file>',
    'write the comparison as one HTML page, with the charts of both runs over each other',
    text().optional(),
  ),
  alsoBefore: option(
    '--also-before <dir>',
    'a further run of the first kind; from three on each side a cell may be called worse; repeatable',
    list(text()).optional(),
  ),
  alsoAfter: option('--also-after <dir>', 'a further run of the second kind; repeatable', list(text()).optional()),
  pairs: option(
    '--pairs <n>',
    'load two targets in turn, in at most this many pairs of runs, such as 12; before and after are URLs',
    whole(2, 20).optional(),
  ),
  withinPercent: option(
    '--within <n>',
    'with --pairs: percent within which the targets count as equivalent; half of it where chance does not explain the difference',
    whole(1, 100).default(10),
    { help: 'all' },
  ),
  percentile: option(
    '--percentile <name>',
    `with --pairs: of the service time: ${PERCENTILES.join(', ')}`,
    choice(PERCENTILES).default('p50'),
    { help: 'all' },
  ),
  out: option('--out <dir>', 'with --pairs: folder for the runs', text().optional(), {
    otherwise: 'runs/compare-<time>',
    help: 'all',
  }),
  ...JsonSpec.shape,
});
type CompareSpec = z.output<typeof CompareSpec>;

/** What is compared: URLs, or for `a` the folder of an earlier comparison without `b`; options of the loads as typed. */
type PairSides = ReturnType<typeof sidesOf>;
type Side = 'a' | 'b';

const folderOf = (out: string, pair: number, side: Side) => join(out, `pair-${String(pair).padStart(2, '0')}-${side}`);

function runLoad(baseUrl: string, out: string, given: readonly string[]): Promise<number | null> {
  const program = process.argv[1] ?? '';
  const args = [...process.execArgv, program, 'load', ...given, '--base-url', baseUrl, '--out', out];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => child.once('close', resolve));
}

/** Exit codes of a load that leave cells behind: it ran, whatever its result. */
const RAN: ReadonlySet<number | null> = new Set([EXIT.ok, EXIT.failed, EXIT.inconclusive]);

async function runPairs(
  { a, b, load }: PairSides,
  most: number,
  out: string,
  output: Output,
  isDecided: (pairs: number) => boolean,
): Promise<void> {
  const signals = watchSignals(output.say);
  const sides = present<Side>(!existsSync(a) && 'a', b !== undefined && 'b');
  try {
    for (let pair = 1; pair <= most; pair += 1) {
      // A B, B A, A B, so that a drift of the machine falls on both sides alike.
      for (const side of pair % 2 === 1 ? sides : sides.toReversed()) {
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

/** Judges the pairs as soon as they decide. Exit 0: better or equivalent; 1: worse; 4: undecided or not comparable. */
async function compareByPairs(sides: PairSides, pairs: number, options: CompareSpec): Promise<void> {
  const output = createOutput({});
  const { percentile, withinPercent, json, out = join(RUNS_FOLDER, `compare-${runId(new Date())}`) } = options;
  const margin = withinPercent / 100;
  const judged = () => comparePairs(readPairs(sides.a, pairs, out), percentile, margin);
  // What is recorded for later has nothing to be compared with yet.
  const isDecided = (done: number) =>
    sides.b !== undefined &&
    done > 1 &&
    judged().every(({ verdict }) => verdict !== 'undecided' && verdict !== 'not comparable');
  await runPairs(sides, pairs, out, output, isDecided);
  if (sides.b === undefined)
    return output.say(`recorded in ${out}; compare later with: ers-harness report compare ${out} URL --pairs ${pairs}`);
  const cells = judged();
  if (json) output.data(JSON.stringify({ percentile, within: withinPercent, cells }));
  for (const line of pairLines(cells, percentile, margin)) output.say(line);
  if (cells.length === 0) output.warn('no pair could be compared: a run left no cells');
  process.exitCode = exitOf(cells.map(({ verdict }) => verdict));
}

function answerLines({ reasons, outcome }: Comparison): readonly string[] {
  return [
    `${OUTCOMES[outcome].words}${reasons.length === 0 ? '' : `: ${reasons.slice(0, 5).join('; ')}`}`,
    ...(reasons.length > 5 ? [`  and ${reasons.length - 5} more reasons`] : []),
  ];
}

/** Operands as typed: what begins with a dash stood behind `--` and belongs to the loads of the pairs. */
function sidesOf([a = '', ...rest]: readonly string[]) {
  const at = rest.findIndex((word) => word.startsWith('-'));
  const [b] = at === -1 ? rest : rest.slice(0, at);
  return { a, b, load: at === -1 ? [] : rest.slice(at) };
}

function compareFolders(first: string, second: string, options: CompareSpec): void {
  const output = createOutput(options);
  const sideOf = (one: string, others: readonly string[] = []) =>
    [readLoadRun(one), ...others.map(readLoadRun)] as [LoadRun, ...LoadRun[]];
  const [before, after] = [sideOf(first, options.alsoBefore), sideOf(second, options.alsoAfter)];
  const twice = runsGivenTwice([...before, ...after]);
  if (twice.length > 0) {
    throw new UsageError(
      'same-run',
      `run ${twice.join(', ')} is given more than once: a run is not compared with itself`,
      { hint: '`ers-harness report list` shows all runs; runs/latest is the newest one' },
    );
  }
  const comparison = compareRuns(before, after);
  const { outcome, reasons, circumstances, conformance, load, capacity } = comparison;
  if (options.json) {
    const runs = { before: comparison.before.run.runId, after: comparison.after.run.runId };
    output.data(JSON.stringify({ ...runs, outcome, reasons, circumstances, conformance, load, capacity }));
  }
  const lines = [...documentLines(comparisonSections(comparison)), ...answerLines(comparison)];
  for (const line of lines) output.result(line);
  const { html } = options;
  if (html !== undefined) {
    const reports = (side: readonly LoadRun[]) => side.map(({ report }) => report);
    writing(html, '--html', () => {
      makeFolder(dirname(resolve(html)));
      writeWhole(html, renderComparison(comparison, reports(before), reports(after)));
    });
    output.result(`page: ${html}`);
  }
  process.exitCode = OUTCOMES[outcome].exit;
}

function compare(given: readonly string[], options: CompareSpec): void | Promise<void> {
  const { pairs } = options;
  if (pairs !== undefined) return compareByPairs(sidesOf(given), pairs, options);
  const [before, after, further] = given;
  if (before !== undefined && after !== undefined && further === undefined)
    return compareFolders(before, after, options);
  throw new UsageError('two-runs', 'two runs are compared: one before and one after', {
    hint: 'name two folders, further ones with --also-before and --also-after; two deployments are loaded in turn with --pairs',
  });
}

/** `ers-harness report compare A B`: what changed between two runs, or how two targets differ. */
export function reportCompareCommand(report: Command): void {
  const command = report
    .command('compare')
    .argument('<runs...>', 'before and after: two folders of runs, or their report.json; with --pairs two URLs')
    .summary('list what changed for the worse or the better between two runs');
  bindLocal(command, CompareSpec, compare, {
    does: 'list what newly fails, is fixed or is no longer proven between two runs, and which load cells and capacity got better or worse',
    notes: [
      'Exit 1: something that passed before fails now, fails in another way, or got slower. 4: a part cannot be',
      'compared, such as what fails now and was not tested before. 6: nothing can be compared.',
      '',
      'With --pairs, what stands behind -- goes to load; one URL alone is recorded for a later comparison.',
    ],
    examples: [
      'report compare runs/20260131-020000-abcd runs/latest --html compare.html',
      'report compare https://old.example.com https://new.example.com --pairs 12 \\',
      '  -- --profile 60k --operation apply-by-mac --endpoints 02:00:00:00:00:00+60000 --policy Load-Test',
    ],
  });
}
