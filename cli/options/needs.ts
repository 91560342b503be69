import type * as z from 'zod';
import type { PoolSpec } from '../../lib/client/anc/pool.ts';
import { readPool } from '../../lib/client/anc/pool.ts';
import { readCredentials } from '../../lib/client/http/credentials.ts';
import { PROFILES } from '../../lib/contract/anc.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import { UsageError } from '../../lib/errors.ts';
import type { Mode } from '../../lib/records/vocabulary.ts';
import { ancFamily } from '../../lib/wire/anc.ts';
import type { NamedPolicyPool } from '../../load/plan/cell-spec.ts';
import type { LoadCommandSpec } from './specs.ts';

type Given = Partial<
  Pick<z.output<typeof LoadCommandSpec>, 'baseUrl' | 'profiles' | 'endpoints' | 'policies' | 'environment'>
>;

const NEEDS = {
  '--base-url': {
    isGiven: ({ baseUrl }: Given) => baseUrl !== undefined,
    hint: 'the deployment: --base-url URL (ERS_BASE_URL), or `ers-harness verify`, which brings its own',
  },
  '--profile': {
    isGiven: ({ profiles = [] }: Given) => profiles.length > 0,
    hint: `the size of the deployment as you declare it: --profile ${Object.keys(PROFILES).join('|')}`,
  },
  '--endpoints': {
    isGiven: ({ endpoints }: Given) => endpoints !== undefined,
    hint: 'what ANC may touch: --endpoints FILE|RANGE (ERS_ENDPOINTS); it acts on live endpoints, so there is no default',
  },
  '--policy': {
    isGiven: ({ policies = [] }: Given) => policies.length > 0,
    hint: 'the ANC policy to apply to the endpoints: --policy NAME (ERS_POLICY)',
  },
  credentials: {
    isGiven: ({ environment = process.env }: Given) => readCredentials(environment) !== null,
    hint: 'set ERS_USERNAME and ERS_PASSWORD, or name a file with ERS_CREDENTIALS_FILE',
  },
} as const;
type Need = keyof typeof NEEDS;

export const POOL: readonly Need[] = ['--endpoints', '--policy'];

/** Throws one `UsageError` that names everything that is missing, with what to do about each; also where credentials cannot be used. */
export function checkNeeds(options: Given, needs: readonly Need[]): void {
  const missing = needs.filter((need) => !NEEDS[need].isGiven(options));
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new UsageError(
    'missing-options',
    `${names} ${missing.length === 1 && names !== 'credentials' ? 'is' : 'are'} missing`,
    { hint: missing.map((need) => NEEDS[need].hint).join('\n') },
  );
}

/** The pool and the policy, both named outright: there is no default for what may be quarantined. Throws `UsageError`. */
export function requiredPool(options: Partial<PoolSpec>): NamedPolicyPool {
  const { endpoints, policies = [] } = options;
  checkNeeds(options, POOL);
  const [policy] = policies;
  if (endpoints === undefined || policy === undefined) throw new Error('unreachable');
  return { pool: readPool(endpoints, { allowForeign: options.allowForeignEndpoints === true }), policy, policies };
}

/** The pool of a load, which applies one policy. Throws `UsageError`. */
export function loadPool(options: Partial<PoolSpec>): NamedPolicyPool {
  const { policies = [] } = options;
  if (policies.length > 1)
    throw new UsageError('one-policy', `a load applies one policy, and --policy names ${policies.length}`, {
      hint: 'keep one --policy; conformance and verify take more',
    });
  return requiredPool(options);
}

type Selected = Partial<PoolSpec> & { readonly families?: readonly string[] | undefined };

/** What a run in the mode needs to put policies on endpoints: nothing if none of its families does that. */
export function poolNeeds(
  mode: Mode,
  { families = Object.keys(FAMILIES), endpoints, policies }: Selected,
): readonly Need[] {
  const appliesPolicies = families.includes(ancFamily(FAMILIES) ?? '');
  const isNamed = endpoints !== undefined || policies !== undefined;
  return mode === 'full' && (appliesPolicies || isNamed) ? POOL : [];
}

/** What a run in the mode may put policies on; undefined if it puts none on any. Throws `UsageError` if it is needed and not named. */
export const poolIn = (mode: Mode, options: Selected): NamedPolicyPool | undefined =>
  poolNeeds(mode, options).length > 0 ? requiredPool(options) : undefined;
