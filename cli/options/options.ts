import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { TargetSpec } from '../../lib/client/target-spec.ts';
import { durationMs } from '../../lib/duration.ts';
import { option } from '../../lib/option.ts';
import { text, whole } from '../../lib/option-values.ts';
import { RunOptions } from '../../lib/records/run-options.ts';
import { OutputSpec } from './output-spec.ts';

/** A whole number from `low` on; refuses anything else. */
export function integer(low: number, high = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < low || value > high) {
      throw new InvalidArgumentError(
        `a whole number from ${low}${high === Number.MAX_SAFE_INTEGER ? '' : ` to ${high}`} is needed`,
      );
    }
    return value;
  };
}

/** A time such as 500ms, 20s, 5m or 1h, in seconds; a bare number is seconds. */
export function seconds(text: string): number {
  const ms = durationMs(text) ?? 0;
  if (!(ms > 0)) throw new InvalidArgumentError('a time such as 20s, 5m or 1h is needed');
  return ms / 1000;
}

/** Collects a repeatable option whose values may also be joined by commas. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ];
}

/** Options of every command that talks to a target and writes a run folder. */
export const TargetCommandSpec = z.object({
  ...OutputSpec.shape,
  target: option(
    {
      flag: '--target <name>',
      text: 'target of the configuration file',
      otherwise: 'the one that it names',
      env: 'ERS_TARGET',
      once: true,
    },
    text().optional(),
  ),
  familyFiles: RunOptions.shape.familyFiles,
  ...TargetSpec.shape,
  /** Where the login is looked for: the environment, with what the configuration file refers to. It is no option. */
  environment: z.custom<NodeJS.ProcessEnv>().optional(),
});

/**
 * The same for commands that go back to the target of a run. Only a flag says which: neither the run folder nor a variable or a
 * configuration file decides where the login goes.
 */
export const RunTargetSpec = z.object({
  ...TargetCommandSpec.shape,
  baseUrl: option(
    { flag: '--base-url <url>', text: 'the deployment that the run wrote to; always needed', once: true },
    text().optional(),
  ),
  seed: option(
    { flag: '--seed <n>', text: 'seed of generated data and order', otherwise: 'that of the run', once: true },
    whole(0, 0xffffffff).optional(),
  ),
});
