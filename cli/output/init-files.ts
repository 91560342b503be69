import { stringify } from 'yaml';
import { PROFILES } from '../../lib/contract/anc.ts';
import { oneLine } from '../../lib/text.ts';

export interface InitFacts {
  readonly name: string;
  readonly baseUrl: string;
  /** How it is reached: options by the name of their flag. */
  readonly reached: Readonly<Record<string, string | true>>;
  readonly found: readonly string[];
  readonly version: string;
}

const quoted = (text: string): string => stringify(text, { lineWidth: 0 }).trim();
const comment = (text: string): string => `# ${oneLine(text)}`;

/** Text of ers-harness.yaml: what is known is set, what somebody has to decide is a comment. */
export function configText({ name, baseUrl, reached, found }: InitFacts): string {
  const sizes = Object.entries(PROFILES).map(([profile, { sessions }]) => `${profile}: ${sessions} sessions`);
  return [
    '# Options of ers-harness. `npx ers-harness config` shows every value and where it comes from.',
    '# A flag wins over the environment, the environment over this file. Keys are the names of the flags.',
    '',
    `target: ${quoted(name)}`,
    'targets:',
    `  ${quoted(name)}:`,
    ...found.map((line) => `    ${comment(line)}`),
    `    base-url: ${quoted(baseUrl)}`,
    ...('ca' in reached ? [] : ['    # ca: authority.pem']),
    ...Object.entries(reached).map(([flag, value]) => `    ${flag}: ${value === true ? value : quoted(value)}`),
    '    # Where the login comes from. The login itself never stands in this file.',
    '    credentials:',
    '      username: { env: ERS_USERNAME }',
    '      password: { env: ERS_PASSWORD }',
    '    # ANC acts on live endpoints: name those that may be used, and a policy made for tests.',
    '    # endpoints: 02:00:00:00:00:00+60000@10.0.0.0',
    '    # policy: Load-Test',
    '',
    '# read-only sends GET alone; own-data also writes records of its own; full also uses the endpoints above.',
    'mode: read-only',
    '',
    '# Failures that are expected: `npx ers-harness conformance --update-baseline expected.yaml` writes them.',
    '# baseline: expected.yaml',
    '',
    '# Size of the deployment, as you declare it. A load needs it.',
    comment(sizes.join(', ')),
    '# profile: [60k]',
    '',
    '# load:',
    '#   depth: normal',
    '#   abort-p99: 5s',
    '',
  ].join('\n');
}

/** Text of a GitHub workflow that runs conformance every night with the action of this project. */
export function workflowText({ version }: InitFacts): string {
  return [
    '# Checks the deployment every night, and keeps a line of each night, red ones too. Set the two secrets.',
    '# The runner must reach the deployment: name a self-hosted one if it is not public.',
    'name: ers-harness',
    "on: { schedule: [{ cron: '17 2 * * *' }], workflow_dispatch: {} }",
    'permissions: { contents: read }',
    'concurrency: { group: ers-harness }',
    'jobs:',
    '  conformance:',
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 60',
    `    env: { ERS_USERNAME: '\${{ secrets.ERS_USERNAME }}', ERS_PASSWORD: '\${{ secrets.ERS_PASSWORD }}' }`,
    '    steps:',
    '      - uses: actions/checkout@v4',
    "      - { uses: actions/setup-node@v4, with: { node-version: '24' } }",
    `      - { uses: ers-harness/ers-harness@v0, with: { version: '${version}' } }`,
    '',
  ].join('\n');
}
