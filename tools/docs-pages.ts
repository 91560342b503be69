/** Pages that people write, each with the one question that it answers. A further page belongs into one of these. */
export const PAGES: Readonly<Record<string, string>> = {
  'docs/usage.md': 'How do I run it every day: baselines, configuration file, load options, limits?',
  'docs/results-schema.md': 'What does a run leave, and how do I read report.json?',
  'docs/measurement.md': 'What do the load and capacity figures mean?',
  'docs/history.md': 'What fails since when, and what changed over many runs?',
  'docs/explore.md': 'How does the search with random sequences work, and what is a finding?',
  'docs/families.md': 'How do I check a family beside the twelve of the specification?',
  'docs/kubernetes.md': 'How do I load from more than one machine?',
  'docs/architecture.md': 'How is the code laid out, and which folder may import which?',
};

/** Tables, all but the last generated from the code. */
export const TABLES: Readonly<Record<string, string>> = {
  'docs/tables/options.md': 'every option with default, environment variable and configuration key',
  'docs/tables/requirements.md': 'every requirement, its level, and the checks that decide it',
  'docs/tables/assumptions.md': 'what the embedded deployment chooses where the specification is silent',
  'docs/tables/personas.md': 'how the real product is publicly known to answer',
  'docs/tables/selftest.md': 'which seeded defects the suite finds: how much to trust green',
  'docs/tables/reported-faults.md': 'faults that were reported in public, and what provokes each',
};

const SCHEMAS: Readonly<Record<string, string>> = {
  'docs/report.schema.json': 'report.json, which `--json` of verify, conformance, load and capacity prints',
  'docs/output.schema.json': 'what `--json` of every other command prints, one definition each',
  'docs/history.schema.json': 'history.json of `history`',
  'docs/ers-harness.schema.json': 'the configuration file ers-harness.yaml',
  'docs/families.schema.json': 'a file of imported families',
};

const listed = (pages: Readonly<Record<string, string>>): string =>
  Object.entries(pages)
    .map(([path, words]) => `- [${path.replace(/^docs\//, '')}](${path}): ${words}`)
    .join('\n');

/** `llms.txt` of the package (https://llmstxt.org): where a program that reads finds what, and how it drives the command. */
export function llmsText(exits: Readonly<Record<number, string>>): string {
  return `# ers-harness

> Proves that a deployment of the Configuration Resource API does what its specification says, and holds the published ANC rate. A
> Node program and command line; loads run in k6.

- Start: \`npx ers-harness doctor --base-url URL\`, then \`conformance\`, then \`load\` or \`capacity\`. The default mode sends GET alone.
- \`--dry-run\` prints the plan and sends nothing. \`--json\` prints data to stdout, words go to stderr. \`--help-all\` has every option.
- The login comes from ERS_USERNAME and ERS_PASSWORD, never from a flag.
- \`ers-harness explain ID\` explains a check, a requirement, a rule, an exit code or the code of an error.
- Exit codes: ${Object.entries(exits)
    .map(([code, words]) => `${code} ${words.replaceAll('`', '')}`)
    .join('; ')}.

## Docs

- [README.md](README.md): what it does, first commands, families
${listed(PAGES)}

## Schemas

${listed(SCHEMAS)}

## Optional

${listed(TABLES)}
- [CHANGELOG.md](CHANGELOG.md): what each release brought
`;
}
