import type { Operator } from '../../lib/contract/list.ts';
import type { FilterTypeSpelling } from '../../lib/wire/query.ts';
import type { Fields, Form } from '../model/history.ts';

/** Optional things that a request may carry; each is allowed by the tables. */
export interface Carried {
  readonly type: 'plain' | 'charset' | 'none' | 'text';
  readonly accept: 'json' | 'xml' | 'none';
  readonly mediaType: boolean;
  readonly csrf: boolean;
  readonly extra: boolean;
}

export const PLAIN: Carried = { type: 'plain', accept: 'json', mediaType: false, csrf: false, extra: false };

/** How a name can be like that of another record. */
export type Likeness = 'same' | 'other case' | 'goes on' | 'one sign' | 'long beginning' | 'one word';

/** A name of no record of the run, with an ending, or like that of one in the sequence, without what the target does not take. */
export type Name =
  | { readonly fresh: string }
  /** Looks like something else: a number, a truth value; it does not begin as the names of the run do. */
  | { readonly like: string }
  | { readonly of: string; readonly as: Likeness };

/** `shared`: the given text, or one that about half of the records hold if it is not in several of them. */
type TextPart = 'whole' | 'shared' | 'start' | 'middle' | 'end' | 'other case' | 'other form' | 'former' | 'of nobody';
/** `wrapped`: the value plus 2^32, which fewer bits take for it. `octal`: in base eight with a leading zero, another decimal number. */
type NumberPart = 'zero' | 'negative' | 'beyond' | 'wrapped' | 'octal';

/** An operand of a filter: a part of what a record holds, or a text that none does. */
export type Part = TextPart | NumberPart;

/** In place of a field: any but that of the first criterion, chosen by the records there are. */
export const ANOTHER_FIELD = 'another field';

export interface Criterion {
  readonly field: string;
  readonly operator: Operator;
  readonly part: Part;
  readonly of?: string;
  readonly text?: string;
  /** Operator and operand are chosen by the records there are. */
  readonly isOpen?: true;
}

/** A list query, before its operands are taken from the records. */
export interface Query {
  readonly criteria: readonly Criterion[];
  readonly join?: 'and' | 'or';
  /** How the parameter that joins by OR is spelled, if not as the target was found to spell it. */
  readonly spelling?: FilterTypeSpelling;
  readonly sort?: { readonly field: string; readonly descending: boolean };
  readonly size?: number;
  readonly pages?: number;
  readonly paging: 'link' | 'number';
}

export interface ListLook {
  readonly window: 'list';
  readonly on: 'own' | 'view';
  readonly about: string;
  readonly query: Query;
  readonly carried: Carried;
  /** Done after the first page: a record is written again, as it is, or one is made. */
  readonly between?: 'update' | 'create';
  /** Asks the very question of the list look before it again: its operands are those of then. */
  readonly again?: true;
}

export type Look =
  | { readonly window: 'read' | 'view' | 'name'; readonly who: string; readonly form: Form; readonly carried: Carried }
  | ListLook
  /** Which endpoints hold which policies: the whole list, and a read of what is new or was written to. */
  | { readonly window: 'endpoints' };

/** Requests that may be refused, and that change nothing if they are. */
export const WRONG_REQUESTS = [
  ...['create taken', 'create out of bounds', 'create wrong member', 'create other root', 'create broken'],
  ...['update taken', 'update out of bounds', 'update wrong member', 'update other root', 'update broken'],
  ...['update gone', 'delete gone', 'read gone', 'read unknown', 'update by view', 'delete by view'],
  ...['list unknown field', 'list unknown operator'],
] as const;
export type WrongRequest = (typeof WRONG_REQUESTS)[number];

/** How an endpoint is named: as the pool writes its address, in the other case, or behind the policy. */
export type Spelling = 'plain' | 'other case' | 'policy first';

/** One step of a sequence, as plain data. Records are named by labels: see `recordOf`. */
export type Step =
  | {
      readonly step: 'create';
      readonly as: string;
      readonly family?: string;
      readonly name: Name;
      readonly set: Fields;
      readonly form: Form;
      readonly carried: Carried;
      readonly withId?: true;
      readonly without?: readonly string[];
      /** Record that it points at, if its family points at that of the record. */
      readonly refersTo?: string;
    }
  | {
      readonly step: 'update';
      readonly who: string;
      /** Absent: the name stays. */
      readonly name?: Name;
      readonly set: Fields;
      /** The texts beside its name become what they were first. */
      readonly back?: true;
      readonly form: Form;
      readonly carried: Carried;
      /** Record that it points at from now on, if its family points at that of the record. */
      readonly refersTo?: string;
      /** It sends what it changes and what a create needs, and leaves out what else the record holds. */
      readonly isAlone?: true;
    }
  | { readonly step: 'delete'; readonly who: string; readonly carried: Carried }
  | {
      readonly step: 'bulk';
      readonly action: 'create' | 'update' | 'delete';
      readonly form: Form;
      readonly who: readonly string[];
      readonly sets: readonly Fields[];
      readonly names?: readonly Name[];
      readonly carried?: Carried;
    }
  | { readonly step: 'race'; readonly who: string; readonly sets: readonly Fields[] }
  | { readonly step: 'version'; readonly carried: Carried }
  | {
      readonly step: 'apply';
      /** Endpoints by their numbers; several of them in one request. */
      readonly who: readonly number[];
      /** Number of the policy; undefined: the request names none, so that it may be refused. */
      readonly policy: number | undefined;
      readonly by: 'mac' | 'ip';
      readonly spelled: Spelling;
      readonly carried: Carried;
    }
  | {
      readonly step: 'clear';
      readonly who: readonly number[];
      readonly isNamed?: boolean;
      readonly spelled: Spelling;
      readonly carried: Carried;
    }
  | { readonly step: 'wrong'; readonly request: WrongRequest; readonly who: string }
  | { readonly step: 'look'; readonly look: Look; readonly twice?: true }
  /** Steps that are sent at the same time; of several that write to one record, the first. */
  | { readonly step: 'together'; readonly steps: Steps }
  /** Nothing is sent: what the row asks for cannot be, for the reason given. */
  | { readonly step: 'skip'; readonly why: string };

export type Steps = readonly Step[];

export type StepOf<K extends Step['step']> = Extract<Step, { readonly step: K }>;

/** The steps with those that are sent at the same time one after the other. */
export const flat = (steps: Steps): Steps =>
  steps.flatMap((step) => (step.step === 'together' ? flat(step.steps) : [step]));

/** Labels of the records that a step makes or is sent to; none of one that looks, and of endpoints, which have numbers. */
export function labelsIn(step: Step): readonly string[] {
  if (step.step === 'create') return [step.as];
  if (step.step === 'bulk') return step.who;
  return 'who' in step && typeof step.who === 'string' ? [step.who] : [];
}

/** What a write sends of members, each with the write that sends something else; of a bulk request, of each item. */
export function setsOf(step: Step): readonly { readonly set: Fields; readonly put: (set: Fields) => Step }[] {
  if (step.step === 'create' || step.step === 'update') return [{ set: step.set, put: (set) => ({ ...step, set }) }];
  if (step.step !== 'bulk') return [];
  return step.sets.map((set, at) => ({ set, put: (other) => ({ ...step, sets: step.sets.with(at, other) }) }));
}
