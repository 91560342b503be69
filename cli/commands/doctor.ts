import type { Command } from 'commander';
import { createClient } from '../../lib/client/http/create-client.ts';
import { preflight } from '../../lib/client/http/preflight.ts';
import { systemClock } from '../../lib/clock.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { defined } from '../../lib/defined.ts';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import { EXIT, type ExitCode, worstExit } from '../../lib/exit-codes.ts';
import { findK6 } from '../../load/k6/binary/binary.ts';
import { bind } from '../options/bind.ts';
import { TargetCommandSpec, type TargetOptions } from '../options/options.ts';
import { credentialsNeeded, targetConfig } from '../options/target.ts';
import { clockOffset, csrfAnswer, rolesOf } from '../output/diagnosis.ts';
import { createOutput, type Output } from '../output/output.ts';
import { paintVerdict } from '../output/summary.ts';
import { exitOf } from '../session/exit.ts';

/** One thing that was looked at. */
interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about it. */
  readonly mend?: string;
  readonly exit: ExitCode;
}

async function look(subject: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { subject, ok: true, found: await work(), exit: EXIT.ok };
  } catch (fault) {
    const hint = fault instanceof HarnessError ? fault.hint : undefined;
    return {
      subject,
      ok: false,
      found: messageOf(fault),
      exit: exitOf(fault),
      ...defined({ mend: hint }),
    };
  }
}

async function findings(options: TargetOptions, output: Output): Promise<readonly Finding[]> {
  const k6 = await look('k6', async () => {
    const { version, path } = await findK6({ onProgress: output.say, onWarning: output.warn });
    return `${version} at ${path}`;
  });
  if (options.baseUrl === undefined) return [k6];
  const client = createClient(
    {
      target: targetConfig(options.baseUrl, options, credentialsNeeded(options.environment)),
      mode: 'read-only',
      runId: 'doctor',
      table: FAMILIES,
      onExchange: () => undefined,
      onJournal: () => undefined,
    },
    { clock: systemClock },
  );
  try {
    const reach = await look('target', async () => {
      const answer = await preflight(client);
      return `reachable, login accepted, JSON (versioninfo ${answer.versionStatus}, list of ${answer.family} ${answer.listStatus})`;
    });
    // Everything after this would only repeat the same fault, and a wrong login must not be tried twice.
    if (!reach.ok) return [k6, reach];
    return [
      k6,
      reach,
      await look('clock', () => clockOffset(client, systemClock)),
      await look('csrf', () => csrfAnswer(client)),
      await look('role of the node', () => rolesOf(client)),
    ];
  } finally {
    await client.close();
  }
}

async function doctor(options: TargetOptions): Promise<void> {
  const output = createOutput(options);
  if (options.baseUrl === undefined && !options.json) output.say('no --base-url: checking only this machine');
  const found = await findings(options, output);
  if (options.json) output.data(JSON.stringify(found.map(({ exit: _exit, ...finding }) => finding)));
  for (const { subject, ok, found: text, mend } of found) {
    output.result(`${paintVerdict(ok ? 'ok' : 'fault', output.resultPaint)}${ok ? '   ' : ''} ${subject}: ${text}`);
    if (mend !== undefined) output.result(`      ${mend}`);
  }
  const faults = found.filter(({ ok }) => !ok).length;
  output.result(
    faults === 0
      ? `next: ${options.baseUrl === undefined ? 'ers-harness verify' : 'ers-harness conformance'}`
      : 'next: mend this, then run `ers-harness doctor` again',
  );
  process.exitCode = worstExit(found.map(({ exit }) => exit));
}

/** `ers-harness doctor`: names what keeps a run from working, and the mend. Sends GET only. */
export function doctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('check what a run needs: k6, reachability, login, clock, CSRF, role')
    .addHelpText('after', '\nExample:\n  ers-harness doctor --base-url https://policy.example.com:9060');
  bind(command, TargetCommandSpec, doctor);
}
