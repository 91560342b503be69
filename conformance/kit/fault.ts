import type { Exchange } from '../../lib/client/types.ts';
import type { RequestHeader } from '../../lib/contract/operations.ts';
import { hasOp, type Op } from '../../lib/contract/types.ts';
import { HarnessError } from '../../lib/errors.ts';
import type { FailureDetails } from '../../lib/records/conformance.ts';
import type { DifferenceKind } from '../../lib/records/vocabulary.ts';
import type { CheckContext } from './check.ts';
import { homesOf } from './fields.ts';

/**
 * What a failure is about, in words that are the same in every run: the first word says what sort of thing, the rest which
 * one. Failures of different subjects are never taken for one cause, so that a baseline entry covers no more than it names.
 */
export type Subject =
  /** A valid request of the operation, with nothing particular about it. */
  | 'request'
  | 'record'
  | 'other records'
  | 'parallel requests'
  /** The list as a whole, its pages, its envelope, its links, and what a view shows. */
  | 'list'
  | 'pages'
  | 'envelope'
  | 'links'
  | 'view'
  | 'version'
  | `member ${string}`
  | `header ${RequestHeader}`
  /** Content-Type, by the name of its variant. */
  | `media type ${string}`
  /** Form of a body: `body root key`, `body malformed`. */
  | `body ${string}`
  | 'parameter unknown'
  /** A class of texts or numbers: `text umlaut`, `number high+1`. */
  | `text ${string}`
  | `number ${string}`
  /** `filter name.EQ`, `filters and`, `sort name.asc`. */
  | `filter ${string}`
  | `filters ${'and' | 'or'}`
  | `sort ${string}`
  | `id ${'unknown' | 'given' | 'unique'}`
  /** ANC: the policy and the address of an endpoint. */
  | 'policy'
  | 'address'
  | `bulk ${'id' | 'status' | 'end' | 'records'}`
  /** A refusal: its status, its body. */
  | `refusal ${string}`;

/** What a failure is about: causes and baselines are made of it, not of words. */
export interface About extends FailureDetails {
  readonly kind: DifferenceKind;
  readonly operation: Op;
  readonly subject: Subject;
}

/** The member that a failure is about; undefined if it is about none alone. */
export const memberOf = ({ member, subject }: About): string | undefined =>
  member ?? /^member (\S+)$/.exec(subject)?.[1];

/** A requirement that did not hold, for people and for programs. */
export interface FailureFacts {
  readonly expected: string;
  readonly observed: string;
  /** What has to be so for it to show, as far as it is known: clauses behind `only if`. */
  readonly onlyIf?: string | undefined;
  /** True if that was looked for where it was found. */
  readonly isNarrowed?: boolean;
  readonly about: About;
  /** Records, where it is about several of them. */
  readonly difference?: { readonly missing: readonly string[]; readonly extra: readonly string[] } | undefined;
  /** Requirement that it breaks, if that is not the one of the check. */
  readonly requirement?: string | undefined;
}

/** A requirement that did not hold; becomes fail or warn, as its level caps it. */
export class CheckFailure extends Error {
  override readonly name: string = 'CheckFailure';
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts) {
    super(`expected ${facts.expected}; observed ${facts.observed}`);
    this.facts = facts;
  }
}

export const failure = (
  kind: About['kind'],
  operation: About['operation'],
  subject: Subject,
  facts: Omit<FailureFacts, 'about'>,
  details: FailureDetails = {},
): CheckFailure => new CheckFailure({ ...facts, about: { kind, operation, subject, ...details } });

/** A list that leaves out a record: every list that does has one cause, whichever check walked it. */
export const leftOut = (subject: Subject, facts: Omit<FailureFacts, 'about'>): CheckFailure =>
  failure('records', 'list', subject, facts, { times: 0 });

/** What real deployments are recorded to do against the specification: warns where any other difference fails. */
export class ToleratedDeviation extends CheckFailure {
  override readonly name: string = 'ToleratedDeviation';
}

/** A prerequisite did not hold: the check could not decide. */
export class Blocked extends Error {
  override readonly name: string = 'Blocked';
}

/** True for a prerequisite that did not hold, and for a request that was refused before it was sent. */
export const isBlocked = (fault: unknown): fault is Error =>
  fault instanceof Blocked || (fault instanceof HarnessError && fault.code === 'refused-by-mode');

/** Goes on without what could not be had. Throws any other fault. */
export function mustBeBlocked(fault: unknown): undefined {
  if (!isBlocked(fault)) throw fault;
}

/** A record that a check needs could not be had; `exchange` is the answer that shows it. */
abstract class NoRecord extends Blocked {
  readonly exchange: Exchange;

  constructor(message: string, exchange: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** A create that the tables allow was refused: blocks whatever needs the record. */
export class Refused extends NoRecord {
  override readonly name = 'Refused';
}

/** A create was answered 2xx and its record is nowhere: blocks whatever needs it, and fails the check of the create. */
export class LostRecord extends NoRecord {
  override readonly name = 'LostRecord';
}

/** A create was answered 2xx, and the list shows a record that no read gives: fails the check of the create, for the read. */
export class UnreadableRecord extends NoRecord {
  override readonly name = 'UnreadableRecord';
}

/**
 * What the check tests cannot be seen on this target: too few records, no session, a mode that forbids it. Nothing went
 * wrong, so it is no reason for a red run. `message` says why; `needs` says what would make it testable, as a noun phrase:
 * `a second record with another description`, `--mode own-data`.
 */
export class NotTestable extends Error {
  override readonly name = 'NotTestable';
  readonly needs: string | undefined;

  constructor(message: string, needs?: string) {
    super(message);
    this.needs = needs;
  }
}

/** The check ran, and something that went wrong kept it from deciding: a lost answer, overload, other writers. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** What the run could do about it, as an addition to what is needed; empty if the run may already make records. */
function otherwise({ family, table, run }: CheckContext): string {
  const homes = homesOf(family.name, table);
  if (homes.length > 0) return homes.some((home) => run.mayCreate(home)) ? '' : ', or --mode own-data';
  const isAnc = hasOp(family, 'apply') && run.endpoints === undefined;
  return isAnc ? ', or --mode full with --endpoints and --policy' : '';
}

/**
 * The fault of a check that finds too little on the target to decide. `needs` says what would be enough, as a noun phrase:
 * `two records with different names`. `own`: the records are those that the run made, of which there are enough, so
 * something went wrong: it is inconclusive and not a matter of what is on the target.
 */
export const tooLittle = (
  context: CheckContext,
  { own = false, why, needs }: { readonly own?: boolean; readonly why: string; readonly needs: string },
): Inconclusive | NotTestable => (own ? new Inconclusive(why) : new NotTestable(why, `${needs}${otherwise(context)}`));
