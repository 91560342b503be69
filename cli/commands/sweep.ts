import type { Command } from 'commander';
import * as z from 'zod';
import { PoolSpec } from '../../lib/client/anc/pool.ts';
import {
  earliest,
  findByJournal,
  findByPrefix,
  type JournalSearch,
  lateOf,
  removeFindings,
  residueOf,
  type SweepFindings,
} from '../../lib/client/cleanup/sweep.ts';
import { createClient } from '../../lib/client/http/create-client.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import { systemClock, timeLimit } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { TargetError, UsageError } from '../../lib/errors.ts';
import { EXIT, worstExit } from '../../lib/exit-codes.ts';
import { residueKinds, residueWords } from '../../lib/judge/left-as-found.ts';
import { flag, option, text, time } from '../../lib/option.ts';
import type { RunEnd } from '../../lib/records/run.ts';
import { beginsWith, NAME_START, namesOfRun, runOfName } from '../../lib/run-name.ts';
import { counted } from '../../lib/text.ts';
import { bind } from '../options/bind.ts';
import { requiredPool } from '../options/needs.ts';
import { RunTargetSpec } from '../options/specs.ts';
import { type JournalSource, readJournal } from '../options/sweep-source.ts';
import { baseUrlNamed, givenTarget } from '../options/target.ts';
import { createOutput, type Output } from '../output/output.ts';
import { exitOfSignal, watchSignals } from '../session/signals.ts';

/** Lists that are slow or have no end are not walked for longer. */
const DEADLINE_S = 900;

const SweepSpec = z.object({
  journal: option('--journal <file|dir>', 'journal of the run, or its folder', text().optional()),
  prefix: option(
    '--prefix <text>',
    `records whose name begins with this, such as ${NAME_START}; needs --older-than`,
    text().optional(),
  ),
  olderThanSeconds: option(
    '--older-than <time>',
    'with --prefix: only records of runs that began at least this long ago',
    time('s').optional(),
  ),
  deadlineSeconds: option(
    '--deadline <time>',
    'longest time until all is found; 60 s more for what is being removed then',
    time('s').default(DEADLINE_S),
    { help: 'all' },
  ),
  dryRun: flag('--dry-run', 'only look: GET is all that is sent'),
  ...RunTargetSpec.shape,
  ...PoolSpec.shape,
});
type SweepOptions = z.output<typeof SweepSpec>;

function checkOptions({ journal, prefix, olderThanSeconds }: SweepOptions): void {
  if ((journal === undefined) === (prefix === undefined)) {
    throw new UsageError('what-to-sweep', 'either a journal or a prefix is needed', {
      hint: 'give --journal RUN_DIR, or --prefix P --older-than 2h',
    });
  }
  if (prefix === undefined) return;
  if (!prefix.startsWith(NAME_START)) {
    throw new UsageError('foreign-prefix', `names of this program start with ${NAME_START}: others are not swept`, {
      hint: `--prefix ${NAME_START}`,
    });
  }
  if (olderThanSeconds === undefined) {
    throw new UsageError('no-age', 'a prefix may also match a run that is under way', {
      hint: 'say how old a run must be: --older-than 2h',
    });
  }
}

function baseUrlOf(options: SweepOptions, source: JournalSource | undefined): string {
  const baseUrl = baseUrlNamed(options);
  const bare = (url: string) => url.replace(/\/+$/, '');
  if (source?.baseUrl !== undefined && bare(source.baseUrl) !== bare(baseUrl)) {
    throw new UsageError('other-target', `the journal is of a run against another deployment than ${baseUrl}`, {
      hint: 'name the deployment that the run wrote to',
    });
  }
  return baseUrl;
}

/** Pool and policy of the operator, where the journal names endpoints; undefined if it names none. */
function ancOf(options: SweepOptions, source: JournalSource | undefined): JournalSearch['anc'] {
  if (source === undefined || source.trail.endpoints.length + source.trail.waves.length === 0) return undefined;
  const { pool, policies } = requiredPool(options);
  const { policies: used = policies } = source;
  if ([...used].sort().join('\n') !== [...policies].sort().join('\n')) {
    throw new UsageError(
      'other-policy',
      `the run used other policies than ${policies.map((name) => `"${name}"`).join(', ')}`,
      { hint: 'give --policy as the run was given it' },
    );
  }
  return { pool, policies };
}

/** What is swept: by the journal, or by a prefix if there is none. */
interface Task {
  readonly options: SweepOptions;
  readonly source: JournalSource | undefined;
  readonly anc: JournalSearch['anc'];
}

function openClient({ options, source, anc }: Task, signal: AbortSignal, marked: ReadonlySet<string>): ErsClient {
  const { dryRun, prefix = NAME_START } = options;
  const isOfRun =
    source === undefined
      ? (name: string) => beginsWith(name, prefix) && runOfName(name) !== undefined
      : namesOfRun(source.runId);
  return createClient(
    {
      target: givenTarget(options, baseUrlOf(options, source)),
      mode: dryRun ? 'read-only' : anc === undefined ? 'own-data' : 'full',
      runId: `sweep of ${source?.runId ?? prefix}`,
      table: FAMILIES,
      inherits: (name) => marked.has(name) || isOfRun(name),
      ...defined({ pool: anc?.pool, policies: anc?.policies }),
      onExchange: () => undefined,
      // What a sweep removes needs no journal: a sweep that is cut is run again.
      onJournal: () => undefined,
      signal,
    },
    { clock: systemClock },
  );
}

function search(client: ErsClient, { options, source, anc }: Task, now: Date): Promise<SweepFindings> {
  if (source !== undefined)
    return findByJournal(client, { trail: source.trail, runId: source.runId, ...defined({ anc }) });
  const { prefix = NAME_START, olderThanSeconds = 0 } = options;
  return findByPrefix(client, prefix, { now, olderThanMs: olderThanSeconds * 1000 });
}

type Swept = Pick<RunEnd['cleanup'], 'removed' | 'residue'> & { readonly findings: SweepFindings };

/** Endpoints that are named: a load has thousands. */
const MOST_NAMED = 10;

/** Told before anything is removed: that may take a while. */
function tellFound({ records, endpoints }: SweepFindings, output: Output): void {
  output.warn(
    `found: ${counted(records.length, 'record')} and ${counted(endpoints.length, 'endpoint')} with the policy of the run`,
  );
  for (const { family, id, name } of records) output.say(`  ${family} ${id} ${name ?? ''}`);
  for (const { macAddress, policy } of endpoints.slice(0, MOST_NAMED)) output.say(`  ${macAddress} holds "${policy}"`);
  const more = endpoints.length - MOST_NAMED;
  if (more > 0) output.say(`  and ${counted(more, 'more endpoint')}; --dry-run --json has all`);
}

function report({ findings, removed, residue }: Swept, options: SweepOptions, output: Output): void {
  const { records, endpoints, kept } = findings;
  const { dryRun } = options;
  if (options.json)
    output.data(JSON.stringify({ dryRun, found: { records, endpoints }, removed, kept, left: residue }));
  for (const { what, why } of kept) output.warn(`not touched: ${what}: ${why}`);
  output.warn(dryRun ? 'dry run: nothing was removed, only GET requests were sent' : `removed: ${removed}`);
  for (const { label, records: left } of residueKinds(residue))
    for (const { family, id, name, command, why } of left) {
      const reason = why === undefined ? '' : `: ${why}`;
      output.warn(`${label}: ${family} ${id}${name === undefined ? '' : ` (${name})`}${reason}; ${command}`);
    }
  const younger = kept.length === 0 ? '' : `, ${counted(kept.length, 'younger one')} not touched`;
  const clean =
    options.prefix === undefined
      ? 'nothing is left'
      : `no such record is left${younger}; endpoints were not looked at: --journal does that`;
  output.warn(residue.length === 0 ? clean : `${residueWords(residue)} (exit ${EXIT.residue})`);
}

async function sweep(options: SweepOptions): Promise<void> {
  checkOptions(options);
  const output = createOutput(options);
  const source = options.journal === undefined ? undefined : readJournal(options.journal);
  const task = { options, source, anc: ancOf(options, source) };
  const signals = watchSignals(output.warn);
  const { deadlineSeconds } = options;
  const end = timeLimit(deadlineSeconds * 1000, signals.abort);
  // Names of records that carry the mark of the run: they are known once these were looked at.
  const marked = new Set<string>();
  const client = openClient(task, end, marked);
  try {
    const { date } = await preflight(client);
    const lateMs = source === undefined ? 0 : lateOf(source.trail, systemClock.now());
    if (lateMs > 0) {
      output.warn(
        `waiting for ${Math.ceil(lateMs / 1000)} s: what the run sent last may still take effect, or the run may still be on`,
      );
      await systemClock.sleep(lateMs, end);
    }
    if (source?.goesOn())
      throw new UsageError('run-goes-on', 'the run of this journal is still on: it has written since', {
        hint: 'wait for its end, or end it with Ctrl-C: it then removes what it made',
      });
    const findings = await search(client, task, earliest(systemClock.now(), date));
    for (const { name } of findings.records) if (name !== undefined) marked.add(name);
    tellFound(findings, output);
    const swept = options.dryRun
      ? { removed: 0, residue: residueOf(client, findings) }
      : await removeFindings(client, findings, { clock: systemClock });
    report({ findings, ...swept }, options, output);
    process.exitCode = swept.residue.length === 0 ? EXIT.ok : EXIT.residue;
  } catch (fault) {
    if (end.aborted && !signals.abort.aborted)
      throw new TargetError('deadline', `the ${deadlineSeconds} s of the sweep were over before all was looked at`, {
        hint: 'nothing was removed; give it more time with --deadline, or find out why the target is slow',
      });
    if (!signals.abort.aborted) throw fault;
  } finally {
    const signal = signals.received();
    if (signal !== undefined) process.exitCode = worstExit([exitOfSignal(signal)]);
    signals.stop();
    await client.close();
  }
}

export function sweepCommand(program: Command): void {
  const command = program.command('sweep').description('remove what a crashed run left on a deployment');
  command.addHelpText(
    'after',
    '\nThe run folder lists what to look at. Name the deployment, endpoints and policy on the command line.\n' +
      'If the run applied a policy, --endpoints and --policy are required.\n' +
      '\nExit 0: nothing is left. Exit 5: something is, and is listed with the command that removes it.\n' +
      '\nExamples:\n  ers-harness sweep --journal runs/latest --base-url https://policy.example.com:9060 --dry-run\n' +
      '  ers-harness sweep --prefix cfm --older-than 2h --base-url https://policy.example.com:9060',
  );
  bind(command, SweepSpec, sweep);
}
