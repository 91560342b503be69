import { groupBy } from '../../lib/group-by.ts';
import { counted } from '../../lib/numbers.ts';
import type { GeneratedScore, Rate } from '../../lib/records/generated-score.ts';
import { killedRate, rateText } from '../../lib/stats/wilson.ts';
import { SPACES } from './spaces.ts';

function rates(title: string, by: Readonly<Record<string, Rate>>): string[] {
  const width = Math.max(0, ...Object.keys(by).map((name) => name.length));
  return ['', title, ...Object.entries(by).map(([name, rate]) => `  ${name.padEnd(width)}  ${rateText(rate)}`)];
}

/** Operators by their group, the word before the dash: a score of each would be three lines of two defects. */
function byGroup(by: Readonly<Record<string, Rate>>): Record<string, Rate> {
  const sum = (rates: readonly (readonly [string, Rate])[], key: 'killed' | 'of') =>
    rates.reduce((total, [, rate]) => total + rate[key], 0);
  const groups = groupBy(Object.entries(by), ([name]) => name.split('-')[0] ?? name);
  return Object.fromEntries([...groups].map(([name, own]) => [name, killedRate(sum(own, 'killed'), sum(own, 'of'))]));
}

export function generatedLinesOf(score: GeneratedScore): string[] {
  const { survivors, misnamed, alarms, cost, population, sample, seed, total, bound, space } = score;
  const { kind } = SPACES[space];
  // The groups of operators are the dimensions, where there are such.
  const byOperator = kind === 'dimension' ? score.boundByOperator : byGroup(score.boundByOperator);
  return [
    `${space} defects found for a requirement that they violate: ${rateText(bound)}`,
    `${space} defects found at all: ${rateText(total)}`,
    `sample of ${sample} from ${population} defects, seed ${seed}`,
    ...rates('By operator, for a requirement that they violate', byOperator),
    ...rates(`By ${kind}, for a requirement that they violate`, score.boundByTrigger),
    ...rates(`By ${kind}, at all`, score.byTrigger),
    ...(misnamed.length === 0 ? [] : ['', 'Defects found for other requirements only']),
    ...misnamed.flatMap(({ id, violates, named }) => [
      `  ${id}`,
      `    violates ${violates.join(', ')}; accused: ${named.join(', ')}`,
    ]),
    ...(survivors.length === 0 ? [] : ['', 'Defects that survive']),
    ...survivors.flatMap(({ id, title, reason }) => [`  ${id}`, `    ${title}: ${reason}`]),
    ...(alarms.length === 0 ? [] : ['', 'False alarms on the clean deployment']),
    ...alarms.map((alarm) => `  ${alarm}`),
    '',
    `${counted(cost.runs, 'narrowed run')}, ${counted(cost.requests, 'request')}, ${Math.round(cost.durationMs / 1000)} s with ${cost.workers} workers`,
  ];
}
