import type * as z from 'zod';
import type { EndpointPool, ErsClient, Exchange, HeaderHabit, RawRequest, SendInput } from '../../lib/client/types.ts';
import type { Level } from '../../lib/contract/requirements.ts';
import type { Family, FamilyTable, Op } from '../../lib/contract/types.ts';
import type { Coverage, PairCoverage } from '../../lib/records/conformance.ts';
import type { Grounds } from '../../lib/records/histories.ts';
import type { Depth, Verdict } from '../../lib/records/vocabulary.ts';
import type { JsonObject } from '../../lib/wire/answer.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { AncTrial, FamilyTrial } from './values/learned.ts';
import type { Values } from './values/values.ts';

/** Cell of a check that looks at many of one kind: `name.EQ`, `value.asc`. */
export interface Variant {
  readonly name: string;
  readonly requirement?: string;
  readonly level?: Level;
  readonly covers?: z.infer<typeof Coverage>;
  /** What the check looks at in this cell: see `checkOfEach`. */
  readonly data?: unknown;
  /** Which of several failures it tells: see `oneOf`. */
  readonly told?: string;
}

/** How a run of a check ended without a failure. A check that returns nothing has passed only if it gave a witness. */
export interface Outcome {
  readonly verdict: Exclude<Verdict, 'fail' | 'warn' | 'error'>;
  readonly reason?: string;
  readonly needs?: string;
  readonly observed?: string;
}

/** Nothing to test, for the reason given. */
export const notApplicable = (reason: string): Outcome => ({ verdict: 'not-applicable', reason });

/** One behavior the suite looks for: declarative, stateless, 8 to 30 lines. Ids are permanent. */
export interface Check {
  readonly id: `${string}/${string}`;
  /** The outcome if it holds: a sentence in present tense, without capital and full stop, such as `a deleted record is not listed`. */
  readonly title: string;
  /** Id in the requirements catalogue; `{family}` is replaced by the family's name. */
  readonly requirement: string;
  /** What it fails for as well, if that is what it finds broken: patterns of requirements. */
  readonly accuses?: readonly string[];
  readonly level: Level;
  readonly appliesTo: (family: Family, table: FamilyTable) => boolean;
  /** Results of one family each; absent: one result. */
  readonly variants?: (family: Family) => readonly Variant[];
  /**
   * Checks whose failure on the same family explains one of this: it runs anyway, and is blocked unless it passes. `id|.ending` names
   * those variants alone of which the name ends so, and `id|=` the variant of the same name.
   */
  readonly dependsOn?: readonly Check['id'][];
  /** Those of them without which a pass would prove nothing, or its run leave something behind: it does not run if one of them failed. */
  readonly restsOn?: readonly Check['id'][];
  /** Operations that a pass proves, so that the coverage of the 66 can be counted. */
  readonly exercises?: readonly Op[];
  /** Runs when the checks of all families are done: it judges what preparation and teardown showed. */
  readonly afterAll?: true;
  /** True if it runs beside no other check of its family: it sends values that only one record may have, or fills the target itself. */
  readonly serial?: true;
  /** True if the check runs again by itself what fails, so that the runner does not. */
  readonly replays?: true;
  /** Least depth of a run that includes it; `quick`, and so every run, where absent. */
  readonly depth?: Depth;
  /** What it needs the run to be allowed to do. */
  readonly needs: 'read' | 'own-data' | 'full';
  readonly run: (context: CheckContext, variant: Variant | undefined) => Promise<Outcome | undefined>;
}

/** Variants as a check lists them: names that are the data themselves, data by name, or whole ones. */
type VariantsOf<Data> =
  | readonly (Data & string)[]
  | Readonly<Record<string, Data>>
  | readonly (Variant & { readonly data: Data })[];

export interface CheckOfEach<Data> extends Omit<Check, 'variants' | 'run'> {
  readonly variants: (family: Family) => VariantsOf<Data>;
  readonly run: (context: CheckContext, data: Data, variant: Variant) => Promise<Outcome | undefined>;
}

const named = ([name, data]: readonly [string, unknown]): Variant => ({ name, data });

/** The check, as the plan takes it: each of its entries has a variant. */
export const checkOfEach = <Data>({ variants, run, ...check }: CheckOfEach<Data>): Check => ({
  ...check,
  variants(family) {
    const all = variants(family);
    if (!Array.isArray(all)) return Object.entries(all).map(named);
    return all.map((each: string | Variant) => (typeof each === 'string' ? named([each, each]) : each));
  },
  run: (context, variant) => run(context, variant?.data as Data, variant as Variant),
});

/** A record this run made, with what was sent for it. */
export interface Fixture {
  readonly family: string;
  readonly id: string;
  readonly sent: JsonObject;
  /** Reads it took until it was there: more than one where a write shows late. */
  readonly looks?: number;
}

type Entered = 'adopt' | 'gone' | 'givesUp' | 'endsBulk';

/** What a check is given; it holds no state, clock, log or retry of its own. */
export interface CheckContext {
  readonly family: Family;
  readonly table: FamilyTable;
  readonly run: RunFacts;
  /** Sends and keeps the exchange as evidence. `on` names another family than the check's own. */
  readonly send: (op: Op, input?: SendInput, on?: string) => Promise<Exchange>;
  /** Sends a GET on a path given by the target; `on` names another family than the check's own. */
  readonly follow: (href: string, on?: string, headers?: RequestInput['headers']) => Promise<Exchange>;
  /** Sends a request that the tables would not build, under the same guard, and keeps the exchange as evidence. */
  readonly raw: (request: RawRequest) => Promise<Exchange>;
  /** A valid create payload with a unique name and this run's prefix; overrides win, `undefined` removes a member. */
  readonly payload: (overrides?: JsonObject, on?: string) => Record<string, unknown>;
  /** Creates a record, finds its id, removes it after the check. Throws `Blocked` if the target refuses the create. */
  readonly fixture: (overrides?: JsonObject, on?: string) => Promise<Fixture>;
  /** Which records are this run's own: what a check found that no answer had told of is entered here. */
  readonly ledger: Pick<
    ErsClient,
    Entered | 'standing' | 'isProven' | 'isTheirs' | 'closed' | 'leftAlone' | 'writes' | 'movedMs' | 'applied'
  >;
  /** Exchanges that a check rests on although it did not send them. */
  readonly evidence: {
    /** Keeps an exchange that was sent earlier, by a shared resource. */
    readonly add: (exchange: Exchange) => void;
    /** Tells of answers that the check was given from memory; they are its evidence where it keeps none. */
    readonly refer: (exchanges: readonly Exchange[]) => void;
    /** Keeps what a failure rests on, so that it can be judged again. */
    readonly rest: (on: Grounds) => void;
  };
  /** Counts something seen that gives a pass its meaning. */
  readonly witness: (name: string, count?: number) => void;
  /** Records a fact without judging it. */
  readonly observe: (name: string, value: unknown) => void;
  readonly tried: (pairs: PairCoverage) => void;
  /** Names what the check fails for besides: it runs once more for each, as a variant that tells it. */
  readonly failsFor: (variants: readonly string[]) => void;
  /** Polls until the value is defined or the visibility window is over; waits 20 ms after the first look unless told. */
  readonly eventually: <T>(look: () => Promise<T | undefined>, firstWaitMs?: number) => Promise<T | undefined>;
}

/** Of what a check fails for, that which this run of it tells: one of several alone would hide those that are new behind one that is expected. */
export function oneOf<T>(
  context: CheckContext,
  told: string | undefined,
  found: readonly T[],
  nameOf: (one: T) => string,
): T | undefined {
  if (told === undefined) context.failsFor([...new Set(found.map(nameOf))].slice(1));
  return found.find((one) => told === undefined || nameOf(one) === told);
}

/** What a check may know of its run, and what it shares with the other checks. */
export interface RunFacts {
  readonly baseUrl: string;
  /** True if the target demands CSRF tokens of writes. */
  readonly needsCsrf: () => boolean;
  /** Headers that requests of the operation carry on this target instead of the usual ones. */
  readonly habit: (op: Op) => HeaderHabit;
  /** What every name of this run starts with. */
  readonly prefix: string;
  /** True in the scope in which checks are tried again: what the first try lost may still hold its names. */
  readonly isAgain: boolean;
  readonly depth: Depth;
  readonly seed: number;
  /** Facts of the target where the specification is silent, by id of the question. */
  readonly dialect: (question: string) => unknown;
  /** Where every value that is sent comes from: within what the target was seen to take. */
  readonly values: Values;
  /** Outcome of the first create in the family; undefined if none was tried. Its own family unless named. */
  readonly trial: (on?: string) => FamilyTrial | undefined;
  readonly anc: () => AncTrial;
  /** Requests of the family that were once taken, in a first try of a check or in a second one. Sessions add to it. */
  readonly taken: Set<string>;
  readonly isServed: (family: string) => boolean;
  /** True if this run may make records of the family; its own unless named. */
  readonly mayCreate: (on?: string) => boolean;
  /** True if this run may send bulk requests, and apply and clear the endpoints that it was given. */
  readonly isFull: boolean;
  /** Endpoints and policies that the run may apply and clear; undefined if the operator gave none or the mode forbids it. */
  readonly endpoints: { readonly pool: EndpointPool; readonly policies: readonly string[] } | undefined;
  /** A resource made once per family and key, with its rejection, torn down with its fixtures after the last check that shares it. */
  readonly shared: <T>(key: string, make: (scope: SharedScope) => Promise<T>) => Promise<T>;
  /** Runs the work alone among all checks of the run that name the same key: a target takes one bulk request at a time. */
  readonly exclusive: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  readonly answers: () => AnswerLog;
  readonly writes: (op: AcknowledgedWrite) => WriteLog;
}

/** What makes a shared resource: it outlives the check that asked first. */
export interface SharedScope extends Pick<CheckContext, 'send' | 'follow' | 'raw' | 'payload' | 'fixture'> {
  /** Called, newest first, when the resource is torn down; never for records made by `fixture`. */
  readonly onRelease: (release: () => Promise<void>) => void;
  /** Keeps these exchanges no longer as evidence: nothing rests on them. */
  readonly forget: (exchanges: readonly Exchange[]) => void;
  /** Tells how many sequences of steps the resource has done, of how many. */
  readonly sequences: (done: number, planned: number) => void;
  /** Takes in a write that was answered 2xx; `missing` says what shows that it did not happen. `fixture` does so by itself. */
  readonly acknowledged: (op: AcknowledgedWrite, exchange: Exchange, missing?: string) => void;
}

/** A member of an answer that is not as its field table says. */
export interface Deviation {
  readonly requirement: string;
  readonly member: string;
  readonly expected: string;
  readonly observed: string;
  /** True if real deployments are recorded to do so: it warns and does not fail. */
  readonly tolerated: boolean;
}

/** Writes that checks prepare and tear down with. */
export type AcknowledgedWrite = 'create' | 'delete' | 'apply';

/** Outcome of the acknowledged writes of one family, wherever in the run they were sent. */
export interface WriteLog {
  readonly acknowledged: number;
  /** Those that did not happen, with what shows it. */
  readonly broken: readonly { readonly observed: string; readonly exchange: Exchange }[];
}

/** The first answer that nothing explained to a request that was taken when it was sent again, and how many there were in the run. */
export interface FailedOnce {
  readonly first: Exchange;
  readonly times: number;
}

/** What all answers of one family showed, read by the checks that run last. */
export interface AnswerLog {
  /** Answers that held records or list entries, and those among them with a member to compare with a table's type. */
  readonly records: number;
  readonly typed: number;
  /** Those among them with ids, and with MAC addresses. */
  readonly ids: number;
  readonly addresses: number;
  /** Each kind of deviation once, with the exchange that showed it first. */
  readonly deviations: readonly (Deviation & { readonly exchange: Exchange })[];
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Of requests anywhere in the run. */
  readonly failedOnce: (op: Op) => FailedOnce | undefined;
}
