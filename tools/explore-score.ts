import { parseArgs } from 'node:util';
import { type ExploreRun, explore } from '../explore/explore.ts';
import { stepText } from '../explore/report.ts';
import { readPool } from '../lib/client/anc/pool.ts';
import { createClient } from '../lib/client/http/create-client.ts';
import { preflight } from '../lib/client/http/preflight.ts';
import { systemClock } from '../lib/clock.ts';
import { FAMILIES } from '../lib/contract/families.ts';
import { defined } from '../lib/defined.ts';
import { percentile } from '../lib/stats/percentile.ts';
import { wilson } from '../lib/stats/wilson.ts';
import { familiesOf, generate, generatedLines, sampleLines } from '../reference/defects/generated/generated.ts';
import { lineId } from '../reference/defects/generated/line.ts';
import { DEFECTS } from '../reference/defects/table.ts';
import { type ReferenceOptions, startReference } from '../reference/server.ts';
import { VARIATIONS } from '../reference/variations/table.ts';

/** One deployment that is searched. */
interface Subject {
  readonly id: string;
  readonly deployment: () => ReferenceOptions & { readonly exposure?: () => unknown };
  readonly families?: readonly string[];
  /** True where nothing may be found. */
  readonly conforms: boolean;
}

const HELP = `tsx tools/explore-score.ts catalogue|conforming|generated [id ...]
  --seconds <n>  longest search of one deployment (120)
  --seed <n>     seed of the sequences and of the sample (1)
  --sample <n>   generated defects, with a trigger other than always (40)`;

function subjects(kind: string, ids: readonly string[], sample: number, seed: number): readonly Subject[] {
  const wanted = (id: string) => ids.length === 0 || ids.includes(id);
  if (kind === 'catalogue')
    return DEFECTS.filter(({ id }) => wanted(id)).map(({ id }) => ({
      id,
      conforms: false,
      deployment: () => ({ defects: [id] }),
    }));
  if (kind === 'conforming')
    return [{ id: 'clean', variations: [] }, ...VARIATIONS.map(({ id }) => ({ id, variations: [id] }))]
      .filter(({ id }) => wanted(id))
      .map(({ id, variations }) => ({ id, conforms: true, deployment: () => ({ variations }) }));
  const lines = generatedLines();
  const chosen =
    ids.length > 0
      ? lines.filter((line) => ids.includes(lineId(line)))
      : sampleLines(
          lines.filter(({ trigger }) => trigger !== 'always'),
          sample,
          seed,
        );
  return chosen.map((line) => ({
    id: lineId(line),
    conforms: false,
    families: familiesOf(line),
    deployment: () => {
      const { defect, exposure } = generate(line);
      return { deviations: [defect], exposure };
    },
  }));
}

interface Searched {
  readonly run?: ExploreRun;
  readonly fault?: unknown;
  readonly seconds: number;
  readonly requests: number;
  readonly exposure?: unknown;
}

/** Starts the deployment, searches it until the first finding or the end of the time, and throws it away. */
async function searchOne(subject: Subject, seconds: number, seed: number): Promise<Searched> {
  const { exposure, ...deployment } = subject.deployment();
  const server = await startReference({ sessions: 500, seed: 1, ...deployment });
  const { baseUrl, username, password, endpoints, policies } = server;
  const client = createClient(
    {
      target: { baseUrl, credentials: { username, password }, timeoutMs: 10_000, connections: 10 },
      mode: 'full',
      runId: `explore-${seed.toString(16).padStart(8, '0')}`,
      table: FAMILIES,
      pool: readPool(endpoints),
      policies,
      onExchange: () => undefined,
      onJournal: () => undefined,
    },
    { clock: systemClock },
  );
  const begun = systemClock.monotonicMs();
  const told = () => ({
    seconds: (systemClock.monotonicMs() - begun) / 1000,
    requests: server.requests(),
    ...defined({ exposure: exposure?.() }),
  });
  try {
    await preflight(client);
    const run = await explore(
      {
        ...{ seed, durationMs: seconds * 1000, most: 1, isExpected: () => false, cleanUp: subject.conforms },
        ...defined({ families: subject.families }),
      },
      { client, clock: systemClock },
    );
    return { run, ...told() };
  } catch (fault) {
    return { fault, ...told() };
  } finally {
    await client.close();
    await server.close();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '40' },
  },
});
const [kind = '', ...ids] = positionals;
if (!['catalogue', 'conforming', 'generated'].includes(kind)) {
  console.error(HELP);
  process.exit(2);
}
const seed = Number(values.seed);
const all = subjects(kind, ids, Number(values.sample), seed);
const lengths: number[] = [];
let faults = 0;
for (const subject of all) {
  const { run, fault, seconds, requests, exposure } = await searchOne(subject, Number(values.seconds), seed);
  const [finding] = run?.findings ?? [];
  if (finding !== undefined) lengths.push(finding.steps.length);
  if (fault !== undefined) faults += 1;
  const cost = `${seconds.toFixed(1)} s, ${Math.round(requests / seconds)} requests/s`;
  const state =
    fault === undefined ? (finding === undefined ? 'nothing' : `${finding.steps.length} steps`) : String(fault);
  console.log([subject.id, state, cost, ...(exposure === undefined ? [] : [JSON.stringify(exposure)])].join('\t'));
  if (finding === undefined) continue;
  const { requirement, family, about, expected, observed } = finding.difference;
  console.log(
    `  ${requirement} ${family}, ${about.operation} ${about.kind} ${about.subject}: expected ${expected}, observed ${observed}`.slice(
      0,
      400,
    ),
  );
  for (const step of finding.steps) console.log(`    ${stepText(step)}`);
}
const { low, high } = wilson(lengths.length, all.length);
const median = percentile(
  [...lengths].sort((a, b) => a - b),
  0,
  0.5,
);
console.log(
  `\n${lengths.length} of ${all.length} with a finding (95 % interval ${(100 * low).toFixed(1)} % to ${(100 * high).toFixed(1)} %), ` +
    `median ${median ?? 'no'} steps, ${faults} faults`,
);
