import type { GeneratedScore, Rate } from '../../lib/records/generated-score.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** `41 of 53 (77.4 %; 95 % interval 64.5 % to 86.6 %)`. */
export function rateText({ killed, of, low, high }: Rate): string {
  const share = of === 0 ? 0 : killed / of;
  return `${killed} of ${of} (${percent(share)}; 95 % interval ${percent(low)} to ${percent(high)})`;
}

function rates(title: string, by: Readonly<Record<string, Rate>>): string[] {
  const width = Math.max(0, ...Object.keys(by).map((name) => name.length));
  return ['', title, ...Object.entries(by).map(([name, rate]) => `  ${name.padEnd(width)}  ${rateText(rate)}`)];
}

/** Operators by their group, the word before the dash: a score of each would be three lines of two defects. */
function byGroup(by: Readonly<Record<string, Rate>>, join: (killed: number, of: number) => Rate): Record<string, Rate> {
  const groups = new Map<string, { killed: number; of: number }>();
  for (const [name, { killed, of }] of Object.entries(by)) {
    const group = name.split('-')[0] ?? name;
    const sum = groups.get(group) ?? { killed: 0, of: 0 };
    groups.set(group, { killed: sum.killed + killed, of: sum.of + of });
  }
  return Object.fromEntries([...groups].map(([name, { killed, of }]) => [name, join(killed, of)]));
}

/** The generated score as a person reads it. */
export function generatedLinesOf(score: GeneratedScore, join: (killed: number, of: number) => Rate): string[] {
  const { survivors, alarms, cost, population, sample, seed, total } = score;
  return [
    `generated defects found: ${rateText(total)}`,
    `sample of ${sample} from ${population} defects, seed ${seed}`,
    ...rates('By operator', byGroup(score.byOperator, join)),
    ...rates('By trigger', score.byTrigger),
    ...(survivors.length === 0 ? [] : ['', 'Defects that survive']),
    ...survivors.flatMap(({ id, title, reason }) => [`  ${id}`, `    ${title}: ${reason}`]),
    ...(alarms.length === 0 ? [] : ['', 'False alarms on the clean deployment']),
    ...alarms.map((alarm) => `  ${alarm}`),
    '',
    `${cost.runs} narrowed runs, ${cost.requests} requests, ${Math.round(cost.durationMs / 1000)} s with ${cost.workers} workers`,
  ];
}
