import { isSizedByLatency } from '../../lib/judge/cell/sizing.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';

/** What is measured or searched: `60k apply-by-mac`. */
export const nameOf = ({ profile, operation }: { readonly profile: string; readonly operation: string }): string =>
  `${profile} ${operation}`;

function loadedWith(facts: CellFacts) {
  const { plan, depth, background, newConnections, ramp, segments, generator } = facts;
  return {
    rate: `${plan.targetPerSecond}/s`,
    arrivals: plan.arrivals ?? 'even',
    connections: isSizedByLatency(facts) ? 'as the latency needs' : String(plan.connections),
    'keep-alive': newConnections === true ? 'no' : 'yes',
    depth,
    seconds: String(plan.durationSeconds),
    'warm-up': `${plan.warmupSeconds} s`,
    'ramp-up': `${ramp?.seconds ?? 0} s`,
    timeout: `${plan.timeoutMs} ms`,
    sessions: String(plan.sessions),
    pool: `${plan.poolSize} endpoints`,
    resident: `${plan.resident ?? 0} endpoints`,
    'background traffic': background === undefined ? 'no' : 'yes',
    generator: `k6 ${generator.k6Version}, scenario ${generator.bundleSha256.slice(0, 8)}`,
    segments: String(segments?.of ?? 1),
    processors: String(generator.cores),
  } satisfies Readonly<Record<string, string>>;
}

/** In what cells were not loaded alike, one sentence for each; none where they can be compared. */
export function loadDifferences(cells: readonly CellFacts[]): readonly string[] {
  const all = cells.map(loadedWith);
  const [first] = all;
  if (first === undefined) return [];
  return (Object.keys(first) as (keyof typeof first)[]).flatMap((name) => {
    const found = [...new Set(all.map((facts) => facts[name]))];
    return found.length < 2 ? [] : [`${name}: ${found.join(' against ')}`];
  });
}
