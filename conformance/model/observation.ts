import type { KeptList, KeptRead } from '../../lib/records/histories.ts';
import type { Subject } from '../kit/fault.ts';
import type { Fields } from './history.ts';

/** A question about one record, with what a read showed. */
export type ReadObservation = Readonly<KeptRead>;
export type ReadQuestion = Readonly<KeptRead['question']>;

/** One entry of a list: its id, members and the address in its link. */
export type ShownEntry = Readonly<KeptList['shown']['pages'][number][number]> & {
  /** The record as a read showed it; absent if it was not read. */
  readonly read?: Fields | undefined;
};

export interface ShownList extends Readonly<Omit<KeptList['shown'], 'pages'>> {
  readonly pages: readonly (readonly ShownEntry[])[];
}

/** A question to a list, of a family or of a view of it. */
export type ListQuestion = Readonly<KeptList['question']>;

export interface ListObservation {
  readonly question: ListQuestion;
  readonly shown: ShownList;
}

/** What a list question is about, in the words of causes. */
export function subjectOf({ filters, join, sort }: ListQuestion): Subject {
  const [filter] = filters;
  if (filters.length > 1) return `filters ${join ?? 'and'}`;
  if (filter !== undefined) return `filter ${filter.field}.${filter.operator}`;
  return sort === undefined ? 'list' : `sort ${sort.field}.${sort.descending ? 'dsc' : 'asc'}`;
}

export function listText({ filters, join, sort, size }: ListQuestion): string {
  const parts = [
    ...filters.map(({ field, operator, value }) => `filter=${field}.${operator}.${value}`),
    ...(join === undefined ? [] : [`filterType=${join}`]),
    ...(sort === undefined ? [] : [`${sort.descending ? 'sortdsc' : 'sortasc'}=${sort.field}`]),
    ...(size === undefined ? [] : [`size=${size}`]),
  ];
  return (parts.join('&') || 'the plain list').slice(0, 300);
}

/** A question to the whole list of a family of endpoints, and to its records: which endpoints hold which policies. */
export interface EndpointsObservation {
  readonly question: { readonly window: 'endpoints'; readonly family: string };
  readonly shown: ShownList;
  /** Addresses among those that are shown which nobody but the run may have put a policy on, as digits. */
  readonly ours: readonly string[];
}

/** A question with what was shown. Plain data: a judgement can be repeated from it. */
export type Observation = ReadObservation | ListObservation | EndpointsObservation;

/** True for a list of a family or of a view; that of a family of endpoints is read record by record too. */
export const isOfList = (seen: Observation): seen is ListObservation => seen.question.window === 'list';
