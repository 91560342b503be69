import type { Command } from 'commander';
import type * as z from 'zod';
import { preflight } from '../../lib/client/http/preflight.ts';
import type { ErsClient, Recordable } from '../../lib/client/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import { EXIT, worstExit } from '../../lib/exit-codes.ts';
import { commandLine } from '../../lib/records/answer.ts';
import { median } from '../../lib/stats/trend.ts';
import { findK6 } from '../../load/k6/binary/binary.ts';
import { bind } from '../options/bind.ts';
import { checkNeeds, POOL, requiredPool } from '../options/needs.ts';
import { DoctorCommandSpec } from '../options/specs.ts';
import { givenTarget } from '../options/target.ts';
import { readTemplates } from '../options/templates.ts';
import { clockOffset, csrfAnswer, rolesOf } from '../output/diagnosis.ts';
import { bad, type Finding, good, leftFindings } from '../output/finding.ts';
import { firstContactFindings, NOT_TRIED } from '../output/first-contact-findings.ts';
import { createOutput, type Output } from '../output/output.ts';
import { paintVerdict } from '../output/summary.ts';
import { look, withClient } from '../session/client.ts';
import { startSession } from '../session/run-session.ts';
import { exitOf, exitOfSignal } from '../session/signals.ts';
import { makeFirstContact, operationFindings } from '../stages/first-contact.ts';

type Options = z.output<typeof DoctorCommandSpec>;

async function finding(subject: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return good(subject, await work());
  } catch (fault) {
    return bad(subject, messageOf(fault), exitOf(fault), fault instanceof HarnessError ? fault.hint : undefined);
  }
}

/** What GETs alone show of a target; the first fault ends it, because the others would only repeat it. */
async function readFindings(client: ErsClient): Promise<readonly Finding[]> {
  const reach = await finding('target', async () => {
    const answer = await preflight(client);
    return `reachable, login accepted, JSON (versioninfo ${answer.versionStatus}, list of ${answer.family} ${answer.listStatus})`;
  });
  if (!reach.ok) return [reach];
  return [
    reach,
    await finding('clock', () => clockOffset(client, systemClock)),
    await finding('csrf', () => csrfAnswer(client)),
    await finding('role of the node', () => rolesOf(client)),
  ];
}

const namesPool = ({ endpoints, policies }: Options) => endpoints !== undefined || policies !== undefined;

/** A mode that was given is a limit: endpoints that stand beside it, as in a file, do not lift it. */
const triesAnc = (options: Options) => options.mode === 'full' || (options.mode === undefined && namesPool(options));

async function targetFindings(options: Options, output: Output): Promise<readonly Finding[]> {
  const { seed } = options;
  const wantsPool = triesAnc(options);
  const mode = options.mode ?? 'read-only';
  checkNeeds(options, [...(wantsPool ? POOL : []), 'credentials']);
  const target = givenTarget(options);
  if (mode === 'read-only' && !wantsPool) {
    const read = await look(target, 'doctor', readFindings);
    return namesPool(options) ? [...read, good('ANC', NOT_TRIED)] : read;
  }
  const pool = wantsPool ? requiredPool(options) : undefined;
  const templates = readTemplates(options.templates);
  const started = { command: 'doctor', mode, spec: DoctorCommandSpec, options, target, replay: true } as const;
  const session = startSession(started, output);
  const times: number[] = [];
  const onExchange = (sent: Recordable) => void times.push(sent.record().durationMs);
  const ours = { target, mode: pool === undefined ? mode : 'full', pool, onExchange };
  const tried = async (own: ErsClient) => {
    const read = await readFindings(own);
    if (read.some(({ ok }) => !ok)) return read;
    const operations = pool === undefined ? [] : await operationFindings(session, own, pool);
    if (mode === 'read-only') return [...read, ...operations];
    const contact = await makeFirstContact(own, session, { seed, templates });
    session.writer.dialect(contact.dialect);
    return [...read, ...operations, ...firstContactFindings(contact, pool !== undefined, median(times))];
  };
  const found: Finding[] = [];
  try {
    found.push(...(await withClient(session, ours, tried)));
  } catch (fault) {
    if (session.signals.received() === undefined) throw fault;
  } finally {
    session.end();
  }
  const signal = session.signals.received();
  const ended = signal === undefined ? found : [bad('doctor', `ended by ${signal}`, exitOfSignal(signal))];
  return [...ended, ...leftFindings(session.cleanup())];
}

async function findings(options: Options, output: Output): Promise<readonly Finding[]> {
  const k6 = await finding('k6', async () => {
    const { version, path } = await findK6({ onProgress: output.say, onWarning: output.warn });
    return `${version} at ${path}`;
  });
  return options.baseUrl === undefined ? [k6] : [k6, ...(await targetFindings(options, output))];
}

/** The command line again, as another command or the same. Its folder may hold a run by now. */
const again = (command: string): readonly string[] => [
  command,
  ...process.argv.slice(3).filter((word, at, words) => !/^--out(=|$)/.test(word) && words[at - 1] !== '--out'),
];

function onward(options: Options): readonly string[] {
  if (options.baseUrl === undefined) return ['verify'];
  return [...again('conformance'), ...(options.mode === undefined && triesAnc(options) ? ['--mode', 'full'] : [])];
}

async function doctor(options: Options): Promise<void> {
  const output = createOutput(options);
  if (options.baseUrl === undefined && !options.json) output.say('no --base-url: checking only this machine');
  const found = await findings(options, output);
  if (options.json) output.data(JSON.stringify(found.map(({ exit: _exit, ...finding }) => finding)));
  for (const { subject, ok, found: text, mend } of found) {
    output.result(`${paintVerdict(ok ? 'ok' : 'fault', output.resultPaint)}${ok ? '   ' : ''} ${subject}: ${text}`);
    for (const line of mend?.split('\n') ?? []) output.result(`      ${line}`);
  }
  // What a target refuses at any rate is told of by a run: nobody has to mend it first.
  const isReady = found.every(({ ok, exit }) => ok || exit === EXIT.refused);
  const exit = worstExit(found.map((each) => each.exit));
  if (!isReady && exit !== EXIT.interrupted && exit !== EXIT.terminated) output.result('mend this, then look again');
  output.result(`next: ${commandLine(isReady ? onward(options) : again('doctor'), '')}`);
  process.exitCode = exit;
}

export const doctorCommand = (program: Command): Command =>
  bind(program.command('doctor'), DoctorCommandSpec, doctor, {
    does: 'check what a run needs: k6, reachability, login, clock, CSRF, role',
    notes: [
      'It tries each ANC operation once, if --endpoints and --policy are given, unless --mode is less than full.',
    ],
    examples: [
      'doctor --base-url https://policy.example.com:9060',
      'doctor --base-url https://policy.example.com:9060 --endpoints pool.txt --policy Load-Test',
      'doctor --base-url https://policy.example.com:9060 --mode own-data',
    ],
  });
