import type { Exchange } from '../../../lib/client/types.ts';
import type { JsonObject } from '../../../lib/wire/answer.ts';
import type { Fixture } from '../check.ts';
import { ANY_TEXT, type TextDomain } from './domain.ts';

/** The body of a create that a target took. */
export interface CreateForm {
  /** Members beside those that differ between the records of a run: names, unique numbers and references. */
  readonly members: JsonObject;
  /** Where they come from: `the usual members`, `a copy of <id>`, the same `without <member>`, `all members`, `the template of the operator`, `the name alone`. */
  readonly source: string;
  readonly isBare?: true;
}

/** How the record of a first try could not be removed. */
export interface Kept {
  readonly exchange: Exchange;
  readonly why: string;
  /** What about the record it is kept for, as far as it is known: clauses behind `only if`. */
  readonly onlyIf?: string | undefined;
}

export interface FamilyTrial {
  readonly form?: CreateForm;
  /** Milliseconds until the first create that was taken was answered. */
  readonly createMs?: number;
  /** Forms that were refused, in the order in which they were tried, with the answers. */
  readonly refused: readonly { readonly source: string; readonly exchange: Exchange }[];
  /** The refusal of a copy of a record that the target itself holds. */
  readonly copyRefused?: Exchange;
  /** The record could not be removed again: nothing more is created there. */
  readonly kept?: Kept;
  /** The record, and a read of it that shows another name than was sent: nothing more is created there. */
  readonly other?: { readonly own: Fixture; readonly read: Exchange };
  /** An update of the record was refused in every form. */
  readonly updateRefused?: Exchange;
}

/** Why no form of a create was taken, by the answer that says most of it: the one to a copy, and else the last; undefined if one was taken. */
export const creatingRefused = (trial: FamilyTrial | undefined): Exchange | undefined =>
  trial?.form === undefined ? (trial?.copyRefused ?? trial?.refused.at(-1)?.exchange) : undefined;

export interface AncTrial {
  /** False if endpoints have no session: an apply by IP address was refused, one by MAC address of the same endpoint was not. */
  readonly hasSessions?: boolean;
  readonly refusal?: Exchange;
  /** Of which endpoint outside of the pool an IP address of the pool is, as an apply by it showed. */
  readonly other?: string;
  /** An apply to an endpoint that held nothing was refused, not for its caller or its form, and stored nothing. */
  readonly refused?: { readonly policyName: string; readonly macAddress: string; readonly answer: Exchange };
  /** The list filter does not find an endpoint that the whole list shows: records have names of their own. */
  readonly isMissed?: boolean;
  /** The first endpoint could not be cleared again: nothing more is applied. */
  readonly kept?: Kept;
  /** Status other than success with which an operation was answered although it took effect. */
  readonly effective: Readonly<Partial<Record<'apply' | 'clear', number>>>;
}

/** What a run has learned of its target before it judges anything: one store, which every check asks. */
export interface Learned {
  readonly families: Map<string, FamilyTrial>;
  /** Domains of text members, by `family member`. */
  readonly domains: Map<string, TextDomain>;
  /** Values of composite members that were taken, two of each if an update changed one into the other. */
  readonly samples: Map<string, readonly unknown[]>;
  /** Paths inside of composite members that were taken and never shown, by `family member`: no check sends them. */
  readonly unkept: Map<string, readonly string[]>;
  /** Numbers, truth values and listed values of bodies that were taken, by `family operation`: each body once. */
  readonly taken: Map<string, Map<string, JsonObject>>;
  /** Members of which only one of the listed values was taken, by `family member`. */
  readonly fixedValues: Set<string>;
  /** Reference members that no two records may share, by `family member`. */
  readonly uniqueReferences: Set<string>;
  /** Requests that were once taken without anything optional, and forms, by family: `create`, `create xml`. */
  readonly requests: Map<string, Set<string>>;
  anc: AncTrial;
  /** Milliseconds after a write during which looks at it go back and forth. */
  unsteadyMs: number;
}

export const memberKey = (family: string, member: string): string => `${family} ${member}`;

/** Nothing was learned yet: every value counts as taken. */
export const openLearned = (): Learned => ({
  families: new Map(),
  domains: new Map(),
  samples: new Map(),
  unkept: new Map(),
  taken: new Map(),
  fixedValues: new Set(),
  uniqueReferences: new Set(),
  requests: new Map(),
  anc: { effective: {} },
  unsteadyMs: 0,
});

export const domainOf = (learned: Learned, family: string, member: string): TextDomain =>
  learned.domains.get(memberKey(family, member)) ?? ANY_TEXT;
