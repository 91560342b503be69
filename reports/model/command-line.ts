import { curlParts, shellQuoted } from '../../lib/curl.ts';
import { defined } from '../../lib/defined.ts';
import { shellWord } from '../../lib/records/answer.ts';
import type { ExchangeRecord } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';

/** Options that say where output goes or that hold no choice about the run. */
const LEFT_OUT = new Set(['--out', '--quiet', '--color', '--json', '--debug', '--base-url', '--mode', '--seed']);

/** Commands that only put load on a target know no mode. */
const WITHOUT_MODE = new Set(['load', 'capacity']);

/** It is on unless `--no-…` is given: only that form is known to the command line. */
const ON_UNLESS = '--retry';

const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function written(name: string, value: unknown): string[] {
  if (flag(name) === ON_UNLESS) return value === false ? ['--no-retry'] : [];
  if (value === true) return [flag(name)];
  if (typeof value === 'string' || typeof value === 'number') return [`${flag(name)} ${shellWord(String(value))}`];
  if (Array.isArray(value)) return value.flatMap((item) => written(name, item));
  return [];
}

/** The command that runs the same again; credentials come from the environment and are not part of it. */
export function reproduceCommand({ run }: Report): string {
  const { command, mode, seed, target, options } = run;
  return [
    `npx ers-harness ${command}`,
    ...(target.embedded ? [] : [`--base-url ${shellWord(target.baseUrl)}`]),
    ...(WITHOUT_MODE.has(command) || target.embedded ? [] : [`--mode ${mode}`]),
    `--seed ${seed}`,
    ...Object.entries(options)
      .filter(([name]) => !LEFT_OUT.has(flag(name)))
      .flatMap(([name, value]) => written(name, value)),
  ].join(' ');
}

/** Headers that curl sets by itself, and those whose values were redacted. */
export const REPLACED_BY_CLIENT: ReadonlySet<string> = new Set([
  'authorization',
  'host',
  'connection',
  'content-length',
  'cookie',
  'user-agent',
  'accept-encoding',
]);

/** Where a command is pasted: the target as a word of a shell, and options of curl. */
interface CurlPlace {
  readonly base: string;
  readonly flags?: readonly string[];
}

export function curlOf(
  { method, path, requestHeaders, requestBody }: ExchangeRecord,
  { base, flags = [] }: CurlPlace = { base: '"$ERS_BASE"' },
): string {
  const headers = requestHeaders.filter(([name]) => !REPLACED_BY_CLIENT.has(name.toLowerCase()));
  // Without its slash a path could make the base URL the login of another host.
  const url = `${base}${shellQuoted(path.startsWith('/') ? path : `/${path}`)}`;
  const request = { flags: ['-sS', '-i', ...flags], method, headers, url, ...defined({ body: requestBody }) };
  return curlParts(request).join(' \\\n  ');
}
