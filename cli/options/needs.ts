import type * as z from 'zod';
import { readCredentials } from '../../lib/client/http/credentials.ts';
import { UsageError } from '../../lib/errors.ts';
import type { LoadCommandSpec } from './specs.ts';

type Given = Partial<
  Pick<z.output<typeof LoadCommandSpec>, 'baseUrl' | 'profiles' | 'endpoints' | 'policies' | 'environment'>
>;

/** Everything that a command may need: whether it is given, what it is for, and how to give it. */
const NEEDS = {
  '--base-url': {
    isGiven: ({ baseUrl }: Given) => baseUrl !== undefined,
    hint: 'the deployment: --base-url URL (ERS_BASE_URL), or `ers-harness verify`, which brings its own',
  },
  '--profile': {
    isGiven: ({ profiles = [] }: Given) => profiles.length > 0,
    hint: 'the size of the deployment as you declare it: --profile NAME',
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
export type Need = keyof typeof NEEDS;

/** What ANC needs. */
export const POOL: readonly Need[] = ['--endpoints', '--policy'];

/** Throws one `UsageError` that names everything that is missing, with what to do about each; also where credentials cannot be used. */
export function checkNeeds(options: Given, needs: readonly Need[]): void {
  const missing = needs.filter((need) => !NEEDS[need].isGiven(options));
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new UsageError(
    'missing-options',
    `${names} ${missing.length === 1 && names !== 'credentials' ? 'is' : 'are'} missing`,
    { hint: missing.map((need) => NEEDS[need].hint).join('\n  ') },
  );
}
