import type { CheckContext } from '../../../kit/check.ts';
import { CheckFailure } from '../../../kit/fault.ts';
import type { ListResult } from '../../../kit/list/list-reader.ts';
import type { Subject } from '../../../kit/subject.ts';
import { guardAgainstChurn, type ListGroup } from './list-group.ts';
import { labelOf, type Population } from './population.ts';
import type { Difference } from './relations.ts';

/** What a relation between lists is about. */
export interface ListCase {
  readonly group: ListGroup;
  readonly population: Population;
  /** Field whose values name the records in the report; their ids where absent. */
  readonly field?: string;
  /** True where no filter kept the records of others out, though the group has one. */
  readonly unscoped?: true;
}

/** A relation that does not hold: of records where a difference says which, else of their order or number. */
interface Broken {
  readonly expected: string;
  readonly observed: string;
  readonly subject: Subject;
  readonly difference?: Difference | undefined;
}

/** Exchanges of each list that are kept as evidence. */
const KEPT = 4;

/** Fails a relation between lists, after making sure that no other client changed the records meanwhile. */
export async function failOnLists(
  context: CheckContext,
  { group, population, field, unscoped }: ListCase,
  results: readonly ListResult[],
  found: Broken,
): Promise<never> {
  for (const result of results) for (const exchange of result.exchanges.slice(0, KEPT)) context.evidence.add(exchange);
  await guardAgainstChurn(group, population, unscoped !== true);
  const label = field === undefined ? (id: string) => id : labelOf(population, field);
  const { difference } = found;
  throw new CheckFailure({
    expected: found.expected,
    observed: found.observed,
    about: { kind: difference === undefined ? 'value' : 'records', operation: 'list', subject: found.subject },
    difference: difference && { missing: difference.missing.map(label), extra: difference.extra.map(label) },
  });
}
