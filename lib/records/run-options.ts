import * as z from 'zod';
import { ANC_OPERATION_NAMES, PROFILE_NAMES } from '../contract/anc.ts';
import { option, readOptions } from '../option.ts';
import { choice, list, onOff, text, whole } from '../option-values.ts';
import type { RunHeader } from './run.ts';
import { Depth } from './vocabulary.ts';

/** Most requests per second that any option asks for: nobody means more than this against an access-control system. */
export const MOST_PER_SECOND = 5000;

/** The one option for how much is asked and for how long; each command says what it means there. */
export const depthOption = (text: string, usual: Depth) =>
  option({ flag: '--depth <depth>', text, env: 'ERS_DEPTH' }, choice(Depth.options).default(usual));

/** The options that judgements and reports read from the record of a run. The commands take them from here, so that both sides share one schema. */
export const RunOptions = z.object({
  families: option(
    { flag: '--family <name>', text: 'only these families; repeatable', otherwise: 'all' },
    list(text()).optional(),
  ),
  familyFiles: option(
    {
      flag: '--families <file>',
      text: 'families beside the twelve, as `ers-harness families import` writes them; repeatable',
      otherwise: 'none',
      env: 'ERS_FAMILIES',
      path: true,
      help: 'all',
    },
    list(text()).optional(),
  ),
  checks: option(
    {
      flag: '--check <id>',
      text: 'only these checks, or those with a prefix such as list/; repeatable',
      otherwise: 'all',
    },
    list(text()).optional(),
  ),
  exclude: option(
    {
      flag: '--exclude <id>',
      text: 'not these checks, or those with a prefix such as list/; repeatable',
      otherwise: 'none',
      help: 'all',
    },
    list(text()).optional(),
  ),
  depth: depthOption(
    'quick: each requirement once; normal: also after every kind of write; deep: in more ways after each',
    'normal',
  ),
  allowInconclusive: option(
    {
      flag: '--allow-inconclusive <n>',
      text: 'number of stated results that may stay undecided with exit 0',
      help: 'all',
    },
    whole(0).default(0),
  ),
  allowResidue: option(
    {
      flag: '--allow-residue <n>',
      text: 'number of records that may be left on the target with exit 0; a baseline accepts none',
      help: 'all',
    },
    whole(0).default(0),
  ),
  strict: option(
    { flag: '--strict', text: 'a violated implied requirement fails the run', help: 'all' },
    onOff().default(false),
  ),
  profiles: option(
    {
      flag: '--profile <name>',
      text: `deployment sizes: ${PROFILE_NAMES.join(', ')}; repeatable`,
      otherwise: '60k; for verify of the embedded deployment all; load has none',
      env: 'ERS_PROFILE',
    },
    list(choice(PROFILE_NAMES)).optional(),
  ),
  /** A search for the capacity records the one operation that it was given under the same name. */
  operations: option(
    {
      flag: '--operation <name>',
      text: `ANC operations: ${ANC_OPERATION_NAMES.join(', ')}; repeatable`,
      otherwise: 'all',
    },
    list(choice(ANC_OPERATION_NAMES)).default([...ANC_OPERATION_NAMES]),
  ),
  embeddedRate: option(
    {
      flag: '--embedded-rate <n>',
      text: 'without --base-url: how many requests of the searched operation the embedded deployment takes a second, so that there is a limit to find; 0: as many as it can',
      otherwise: '400',
      help: 'docs',
    },
    whole(0, MOST_PER_SECOND).optional(),
  ),
  endpoints: option(
    {
      flag: '--endpoints <file|range>',
      text: 'endpoints that ANC may touch: a file of MAC[,IP] lines, or 02:00:00:00:00:00+60000[@10.0.0.0]',
      env: 'ERS_ENDPOINTS',
      path: true,
    },
    text().optional(),
  ),
  policy: option(
    { flag: '--policy <name>', text: 'ANC policy to apply to the endpoints', env: 'ERS_POLICY' },
    text().optional(),
  ),
  title: option(
    { flag: '--title <text>', text: 'title of the report', otherwise: 'none', help: 'all' },
    text().optional(),
  ),
  author: option(
    { flag: '--author <text>', text: 'who made the report', otherwise: 'none', help: 'all' },
    text().optional(),
  ),
});
export type RunOptions = Partial<z.output<typeof RunOptions>>;

/** The options of a run; one that is missing or not well-formed is absent. */
export const runOptions = ({ options }: Pick<RunHeader, 'options'>): RunOptions => readOptions(RunOptions, options);

/** Options that make a run another plan, by the names under which they are recorded. */
export const PLAN_OPTIONS: readonly string[] = [
  ...['family', 'check', 'exclude', 'strict', 'profile', 'operation', 'rate', 'depth', 'duration', 'ramp'],
  ...['connections', 'segments', 'background', 'keep-alive', 'soak'],
];

/** The recorded options that make a run another plan, as they are: they are only compared. */
export const planOptions = ({ options }: Pick<RunHeader, 'options'>): readonly (readonly [string, unknown])[] =>
  PLAN_OPTIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
