import * as z from 'zod';
import { ANC_OPERATION_NAMES, PROFILE_NAMES } from '../contract/anc.ts';
import { NEWEST_SET, REQUIREMENT_SETS } from '../contract/requirement-sets.ts';
import { choice, flag, list, option, readOptions, tenths, text, whole } from '../option.ts';
import type { RunHeader } from './run.ts';
import { Depth } from './vocabulary.ts';

/** Most requests per second that any option asks for: nobody means more than this against an access-control system. */
export const MOST_PER_SECOND = 5000;

/** The one option for how much is asked and for how long; each command says what it means there. */
export const depthOption = (text: string, usual: Depth) =>
  option('--depth <depth>', text, choice(Depth.options).default(usual), { env: 'ERS_DEPTH' });

/** The options that judgements and reports read from the record of a run. The commands take them from here: both share one schema. */
export const RunOptions = z.object({
  families: option('--family <name>', 'only these families; repeatable', list(text()).optional(), { otherwise: 'all' }),
  familyFiles: option(
    '--families <file>',
    'families beside the twelve, as `ers-harness families import` writes them; repeatable',
    list(text()).optional(),
    { otherwise: 'none', env: 'ERS_FAMILIES', path: true, help: 'all' },
  ),
  checks: option(
    '--check <id>',
    'only these checks, or those with a prefix such as list/; repeatable',
    list(text()).optional(),
    { otherwise: 'all' },
  ),
  exclude: option(
    '--exclude <id>',
    'not these checks, or those with a prefix such as list/; repeatable',
    list(text()).optional(),
    { otherwise: 'none', help: 'all' },
  ),
  depth: depthOption(
    'quick: each requirement once; normal: also after every kind of write; deep: in more ways after each',
    'normal',
  ),
  allowInconclusive: option(
    '--allow-inconclusive <n>',
    'number of stated results that may stay undecided with exit 0',
    whole(0).default(0),
    { help: 'all' },
  ),
  allowResidue: option(
    '--allow-residue <n>',
    'number of records that may be left on the target with exit 0; a baseline accepts none',
    whole(0).default(0),
    { help: 'all' },
  ),
  requirements: option(
    '--requirements <set>',
    `judge by this set of requirements, and tell what came later without counting it: ${Object.keys(REQUIREMENT_SETS).join(', ')}`,
    choice(Object.keys(REQUIREMENT_SETS)).default(NEWEST_SET),
    { env: 'ERS_REQUIREMENTS', help: 'all' },
  ),
  strict: flag('--strict', 'a violated implied requirement fails the run', { help: 'all' }),
  profiles: option(
    '--profile <name>',
    `size of the deployment: ${PROFILE_NAMES.join(', ')}; repeatable`,
    list(choice(PROFILE_NAMES)).optional(),
    { otherwise: '60k on the embedded deployment, all three in verify; else none', env: 'ERS_PROFILE' },
  ),
  /** A search for the capacity records the one operation that it was given under the same name. */
  operations: option(
    '--operation <name>',
    `ANC operations: ${ANC_OPERATION_NAMES.join(', ')}; repeatable`,
    list(choice(ANC_OPERATION_NAMES)).default([...ANC_OPERATION_NAMES]),
    { otherwise: 'all' },
  ),
  ratePerSecond: option(
    '--rate <n>',
    `arrivals per second, up to ${MOST_PER_SECOND}, such as 62.5`,
    tenths(1, MOST_PER_SECOND).optional(),
    { otherwise: '250, as the specification says' },
  ),
  endpoints: option(
    '--endpoints <file|range>',
    'endpoints that ANC may touch: a file of MAC[,IP] lines, or 02:00:00:00:00:00+60000[@10.0.0.0]',
    text().optional(),
    { env: 'ERS_ENDPOINTS', path: true },
  ),
  policies: option(
    '--policy <name>',
    'ANC policy to apply to the endpoints; repeatable',
    list(text(), { commas: false }).optional(),
    { env: 'ERS_POLICY' },
  ),
  ca: option('--ca <file>', 'PEM file of the authority of its certificate', text().optional(), {
    env: 'ERS_CA',
    path: true,
  }),
  cert: option(
    '--cert <file>',
    'PEM file with the certificate to show to a deployment that asks for one',
    text().optional(),
    { env: 'ERS_CERT', path: true, help: 'all' },
  ),
  key: option(
    '--key <file>',
    'PEM file with its private key, mode 0600; ERS_KEY_PASSPHRASE opens it',
    text().optional(),
    { env: 'ERS_KEY', path: true, help: 'all' },
  ),
  insecure: flag('--insecure', 'accept any certificate; stamped in the report', { env: 'ERS_INSECURE' }),
  allowHttp: flag(
    '--allow-http',
    'send the login over plain HTTP to another machine: anybody on the network can read it',
    { env: 'ERS_ALLOW_HTTP', help: 'all' },
  ),
});
export type RunOptions = Partial<z.output<typeof RunOptions>>;

export const runOptions = ({ options }: Pick<RunHeader, 'options'>): RunOptions => readOptions(RunOptions, options);

/** Options that make a run another plan, by the names under which they are recorded. */
export const PLAN_OPTIONS: readonly string[] = [
  ...['family', 'check', 'exclude', 'strict', 'profile', 'operation', 'rate', 'depth', 'duration', 'ramp'],
  ...['connections', 'segments'],
];

/** The recorded options that make a run another plan, as they are: they are only compared. */
export const planOptions = ({ options }: Pick<RunHeader, 'options'>): readonly (readonly [string, unknown])[] =>
  PLAN_OPTIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
