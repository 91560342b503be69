import type { JsonObject } from '../../lib/wire/answer.ts';
import type { Filter } from '../../lib/wire/query.ts';
import type { Fields, Form } from './history.ts';

/** A question about one record: by its id, in its family or in a view of it, or by its name. */
export interface ReadQuestion {
  readonly window: 'read' | 'view' | 'name';
  /** Family that is asked. */
  readonly family: string;
  /** Id of the record that is meant. */
  readonly id: string;
  readonly form: Form;
}

/** A question to a list: of a family, or of a view of it. */
export interface ListQuestion {
  readonly window: 'list';
  readonly family: string;
  readonly filters: readonly Filter[];
  readonly join?: 'and' | 'or' | undefined;
  readonly sort?: { readonly field: string; readonly descending: boolean } | undefined;
  /** Absent: a page has the size of the target's own. */
  readonly size?: number | undefined;
  /** How its pages are asked for; absent: by the links. */
  readonly paging?: 'link' | 'number' | undefined;
}

/** A question to the whole list of a family of endpoints, and to its records: which endpoints hold which policies. */
interface EndpointsQuestion {
  readonly window: 'endpoints';
  readonly family: string;
}

/** What a read showed. */
export interface ShownRecord {
  readonly status: number;
  /** Undefined if the answer holds no record. */
  readonly record?: JsonObject | undefined;
  readonly form: Form;
}

/** One entry of a list: its id, members and the address in its link. */
export interface ShownEntry {
  readonly id: string;
  readonly record: Fields;
  readonly href?: string | undefined;
  /** The record as a read showed it; absent if it was not read. */
  readonly read?: Fields | undefined;
}

/** What a list showed, page by page. */
export interface ShownList {
  readonly pages: readonly (readonly ShownEntry[])[];
  /** How the walk ended: at the last page, at an answer that is no list, in a circle, or before the list did. */
  readonly end: 'whole' | 'refused' | 'loop' | 'length';
  /** The answer that was no list. */
  readonly status?: number | undefined;
}

export interface ReadObservation {
  readonly question: ReadQuestion;
  readonly shown: ShownRecord;
}

export interface ListObservation {
  readonly question: ListQuestion;
  readonly shown: ShownList;
}

export interface EndpointsObservation {
  readonly question: EndpointsQuestion;
  readonly shown: ShownList;
  /** Addresses among those that are shown which nobody but the run may have put a policy on, as digits. */
  readonly ours: readonly string[];
}

/** A question with what was shown. Plain data: a judgement can be repeated from it. */
export type Observation = ReadObservation | ListObservation | EndpointsObservation;
