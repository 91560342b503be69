import type { Command } from 'commander';
import * as z from 'zod';
import { CHECK_IDS } from '../../../conformance/catalog.ts';
import { ConformanceSpec } from '../../../conformance/engine/spec.ts';
import { PoolSpec } from '../../../lib/client/anc/pool.ts';
import { defined } from '../../../lib/defined.ts';
import { UsageError } from '../../../lib/errors.ts';
import { option, text, time } from '../../../lib/option.ts';
import { statementText } from '../../../lib/records/answer.ts';
import { type ConformanceResult, type ExchangeRecord, resultKey } from '../../../lib/records/conformance.ts';
import { type RunRecords, readRunFolder } from '../../../lib/records/folder/reader.ts';
import { runOptions } from '../../../lib/records/run-options.ts';
import type { Mode } from '../../../lib/records/vocabulary.ts';
import { excerpt, visibleText, withoutIds } from '../../../lib/text.ts';
import { bind } from '../../options/bind.ts';
import { withRoots } from '../../options/failed-checks.ts';
import { poolIn } from '../../options/needs.ts';
import { RUNS_FOLDER, runFolder } from '../../options/runs.ts';
import { NO_HISTORY, RunTargetSpec } from '../../options/specs.ts';
import { baseUrlNamed, givenTarget } from '../../options/target.ts';
import { createOutput, type Output } from '../../output/output.ts';
import { finish } from '../../session/finish.ts';
import { startSession } from '../../session/run-session.ts';
import { conformanceStage } from '../../stages/conformance.ts';

const RUN_NAME = /cfm(?:-[0-9a-z]{8}-|[0-9a-z]{8})/gi;

/** An exchange without what differs between any two runs: ids of records and the prefix of names. */
function stepOf({ method, path, status, fault }: ExchangeRecord): string {
  const plain = withoutIds(path).replace(RUN_NAME, 'cfm{run}');
  return `${method} ${plain} → ${fault ?? status}`;
}

/** Everything that decides where a replay goes and what it writes: a run folder is only compared with it. */
const ReplaySpec = z.object({
  family: option('--family <name>', 'family of the result', text(), { once: true }),
  variant: option('--variant <name>', 'variant of the result, such as name.EQ', text().optional(), {
    otherwise: 'the first',
    once: true,
  }),
  deadlineSeconds: option('--deadline <time>', 'end the checks after this time', time('s').default(600), {
    once: true,
    help: 'all',
  }),
  ...RunTargetSpec.shape,
  ...PoolSpec.shape,
  mode: ConformanceSpec.shape.mode,
});
type ReplayOptions = z.output<typeof ReplaySpec>;

/** What is recorded of a replay: also what is asked of the checks again, which no option of the command gives. */
const RecordedSpec = z.object({
  ...ReplaySpec.shape,
  ...ConformanceSpec.pick({ families: true, checks: true, depth: true }).shape,
});

function resultOf({ results }: RunRecords, checkId: string, options: ReplayOptions): ConformanceResult | undefined {
  const { family, variant } = options;
  const own = results.filter((result) => result.checkId === checkId && result.family === family);
  return own.find((result) => variant === undefined || result.variant === variant);
}

function chainOf({ exchanges }: RunRecords, { evidence }: ConformanceResult) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return evidence.flatMap((id) => byId.get(id) ?? []);
}

const NOT_KEPT = 'the run kept no exchanges of it: it keeps those of what is no pass, and of one pass of each check';
const NOTHING_OWN = 'what it looks at was sent for several checks together';

function seenIn({ witness }: ConformanceResult): string | undefined {
  const counts = Object.entries(witness ?? {}).map(([name, count]) => `${name} ${count}`);
  return witness && counts.join(', ');
}

function show(before: [RunRecords, ConformanceResult], after: [RunRecords, ConformanceResult], output: Output): void {
  const [old, now] = [before[1], after[1]];
  const mark = (name: string, a: string | undefined, b: string | undefined) => {
    if (a === undefined && b === undefined) return;
    const line = a === b ? `  ${name}: ${a}` : `* ${name}: ${a ?? 'nothing'} → ${b ?? 'nothing'}`;
    output.result(visibleText(excerpt(line, 500)));
  };
  output.result(`replay of ${resultKey(now)}: ${old.verdict === now.verdict ? 'the same verdict' : 'another verdict'}`);
  for (const name of ['verdict', 'expected', 'observed', 'reason'] as const) mark(name, old[name], now[name]);
  mark('seen', seenIn(old), seenIn(now));
  const [then, again] = [chainOf(...before), chainOf(...after)];
  // Without anything to compare with, what was sent now is shown as it is: it did not change, it was not kept.
  const isKept = then.length > 0;
  if (!isKept) output.result(`  ${NOT_KEPT}${again.length > 0 ? '; sent now:' : `; ${NOTHING_OWN}`}`);
  for (let at = 0; at < Math.max(then.length, again.length); at += 1) {
    const [was, is] = [(isKept ? then : again)[at], again[at]].map((exchange) => exchange && stepOf(exchange));
    mark(`step ${at + 1}`, was, is);
  }
}

/** The mode that the operator named, which has to be that of the run: what may be written is never read from a folder. */
function modeNamed({ mode = 'read-only' }: ReplayOptions, { header }: RunRecords): Mode {
  if (mode === header.mode) return mode;
  throw new UsageError('other-mode', `the run was made in mode ${header.mode}, and this is mode ${mode}`, {
    hint: `give --mode ${header.mode} if the replay may write as much as the run`,
  });
}

async function replay(id: string, checkId: string, options: ReplayOptions): Promise<void> {
  const output = createOutput(options);
  const records = readRunFolder(runFolder(id, RUNS_FOLDER));
  const before = resultOf(records, checkId, options);
  if (before === undefined || !CHECK_IDS.includes(checkId)) {
    throw new UsageError('no-such-result', `the run holds no result of ${checkId} on ${options.family}`, {
      hint: 'ids, families and variants of results are in records/results.ndjson and in the report',
    });
  }
  const mode = modeNamed(options, records);
  const seed = options.seed ?? records.header.seed;
  const target = givenTarget(options, baseUrlNamed(options));
  if (target.baseUrl !== records.header.target.baseUrl) output.warn('replay: the run was against another deployment');
  const pool = poolIn(mode, { ...options, families: [options.family] });
  const { depth = 'normal' } = runOptions(records.header);
  const selection = { families: [options.family], checks: withRoots([checkId]), mode, depth, seed };
  const started = { command: 'conformance', mode, spec: RecordedSpec, options: { ...options, ...selection }, target };
  const session = startSession({ ...started, checks: CHECK_IDS, replay: true }, output);
  await conformanceStage(
    session,
    { target, ...selection, pool, deadlineSeconds: options.deadlineSeconds, keep: [checkId], retry: false },
    output,
  );
  // A repeat of one result is no night.
  const { answer } = finish(session, { ...options, brief: true, history: NO_HISTORY }, output);
  const again = readRunFolder(session.writer.folder);
  const after = resultOf(again, checkId, { ...options, ...defined({ variant: before.variant }) });
  if (after === undefined)
    output.result(`replay: no result of ${resultKey(before)}: ${statementText(answer.sentence)}`);
  else show([records, before], [again, after], output);
}

/** `ers-harness report replay RUN CHECK`: repeats one result of a run, and marks what is different. */
export function reportReplayCommand(report: Command): void {
  const command = report
    .command('replay')
    .argument('<run>', 'run id, its first characters, or its folder')
    .argument('<check>', 'id of the check');
  bind(command, ReplaySpec, replay, {
    does: 'repeat one result of a run and show what changed',
    notes: [
      'Deployment, mode, endpoints and policy are named here, as the run was given them.',
      'Without --mode only GET is sent.',
    ],
    examples: [
      'report replay runs/latest filter/operator --family sgt --variant name.EQ \\',
      '  --base-url https://policy.example.com:9060 --mode own-data',
    ],
  });
}
