import { readCredentials } from '../../lib/client/http/credentials.ts';
import { UsageError } from '../../lib/errors.ts';

/** Something a command cannot do without. */
export interface Need {
  readonly name: string;
  readonly given: boolean;
  /** What it is for, and how to give it. */
  readonly hint: string;
}

const TARGET = 'the deployment: --base-url URL (ERS_BASE_URL), or `ers-harness verify`, which brings its own';
const PROFILE = 'the size of the deployment as you declare it: --profile NAME';
const ENDPOINTS =
  'what ANC may touch: --endpoints FILE|RANGE (ERS_ENDPOINTS); it acts on live endpoints, so there is no default';
const POLICY = 'the ANC policy to apply to the endpoints: --policy NAME (ERS_POLICY)';
const CREDENTIALS = 'set ERS_USERNAME and ERS_PASSWORD, or name a file with ERS_CREDENTIALS_FILE';

export function targetNeed(baseUrl: string | undefined): Need {
  return { name: '--base-url', given: baseUrl !== undefined, hint: TARGET };
}

export function profileNeed(profiles: readonly string[] | undefined): Need {
  return { name: '--profile', given: (profiles ?? []).length > 0, hint: PROFILE };
}

export function poolNeeds({
  endpoints,
  policy,
}: {
  endpoints?: string | undefined;
  policy?: string | undefined;
}): Need[] {
  return [
    { name: '--endpoints', given: endpoints !== undefined, hint: ENDPOINTS },
    { name: '--policy', given: policy !== undefined, hint: POLICY },
  ];
}

/** Credentials of the target. Throws `UsageError` where they are given and cannot be used. */
export function credentialsNeed(env: NodeJS.ProcessEnv = process.env): Need {
  return { name: 'credentials', given: readCredentials(env) !== null, hint: CREDENTIALS };
}

/** Throws one `UsageError` that names everything that is missing, with what to do about each. */
export function checkNeeds(needs: readonly Need[]): void {
  const missing = needs.filter(({ given }) => !given);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw new UsageError(
    'missing-options',
    `${names} ${missing.length === 1 && names !== 'credentials' ? 'is' : 'are'} missing`,
    {
      hint: missing.map(({ hint }) => hint).join('\n  '),
    },
  );
}
