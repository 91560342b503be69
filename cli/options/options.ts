import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Mode, Mode as ModeSchema } from '../../lib/records/vocabulary.ts';

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

/** A number above zero. */
export function positive(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('a number above 0 is needed');
  return value;
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** A time such as 500ms, 20s, 5m or 1h, in seconds; a bare number is seconds. */
export function seconds(text: string): number {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  const value = Number(found?.[1]) * (UNITS[found?.[2] ?? 's'] ?? 1);
  if (!found || !(value > 0)) throw new InvalidArgumentError('a time such as 20s, 5m or 1h is needed');
  return value;
}

/** A time, or 0 for none. */
export function secondsOrNone(text: string): number {
  return /^0(ms|s|m|h)?$/.test(text) ? 0 : seconds(text);
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

/** Options of every command that writes a run folder. */
export interface OutputOptions {
  readonly out?: string;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly json?: boolean;
  readonly debug?: boolean;
}

/** Options of every command that talks to a target. */
export interface TargetOptions extends OutputOptions {
  readonly baseUrl?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly timeout: number;
  readonly connections?: number;
  readonly maxRps?: number;
  readonly seed?: number;
}

export function withOutputOptions(command: Command): Command {
  return command
    .option('--out <dir>', 'folder for the records and reports (default: runs/<run-id>)')
    .option('--quiet', 'no progress, only errors and the result')
    .option('--no-color', 'no color')
    .option('--json', 'print report.json to stdout at the end')
    .option('--debug', 'show the stack of a fault');
}

export function withTargetOptions(command: Command): Command {
  return withOutputOptions(command)
    .option('--base-url <url>', 'the deployment, such as https://policy.example.com:9060')
    .option('--ca <file>', 'PEM file with the certificate authority of the deployment')
    .option('--insecure', 'accept any certificate; stamped in the report')
    .option('--timeout <time>', 'longest wait for one answer', seconds, 30)
    .option('--connections <n>', 'connections at most', integer(1, 5000))
    .option('--max-rps <n>', 'requests per second at most, for the conformance runner', positive)
    .option('--seed <n>', 'seed of generated data and order', integer(0, 0xffffffff));
}

export function modeOption(): Option {
  const parse = (text: string): Mode => {
    const parsed = ModeSchema.safeParse(text);
    if (!parsed.success) throw new InvalidArgumentError(`one of ${ModeSchema.options.join(', ')} is needed`);
    return parsed.data;
  };
  return new Option(
    '--mode <mode>',
    'read-only: GET only; own-data: also create, change and remove records of this run; full: also ANC on the pool, and bulk',
  ).argParser(parse);
}

export function withPoolOptions(command: Command): Command {
  return command
    .option(
      '--endpoints <file|range>',
      'endpoints that ANC may touch: a file of MAC[,IP] lines, or 02:00:00:00:00:00+60000[@10.0.0.0]',
    )
    .option('--policy <name>', 'ANC policy that may be put on them')
    .option('--allow-foreign-endpoints', 'take addresses that are not locally administered: they may be real devices');
}

/** Options that say when a load is stopped. */
export interface AbortOptions {
  /** Seconds. */
  readonly abortP99?: number;
  readonly abortErrors?: number;
}

/** The abort rules as given; the others stay as they are. */
export function abortLimits({ abortP99, abortErrors }: AbortOptions): { p99Ms?: number; serverErrorShare?: number } {
  return {
    ...(abortP99 === undefined ? {} : { p99Ms: abortP99 * 1000 }),
    ...(abortErrors === undefined ? {} : { serverErrorShare: abortErrors / 100 }),
  };
}

/** Options that lift a refusal of a load, each with what it risks, and those that say when it is stopped. */
export function withRiskOptions(command: Command): Command {
  return command
    .option('--take-over', 'use endpoints that already hold a policy: that policy is lost')
    .option('--allow-disruptive-policy', 'use a policy whose name says that it shuts or bounces ports')
    .option(
      '--abort-p99 <time>',
      'stop when the p99 of service time stays above this for 5 s (default: never)',
      seconds,
    )
    .option(
      '--abort-errors <percent>',
      'stop when more than this share of 5 s is answered 5xx (default: 50)',
      positive,
    );
}
