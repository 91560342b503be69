import type { FamilyTable, HttpMethod, Op } from '../contract/types.ts';
import type { ExchangeRecord, JournalEntry } from '../records/conformance.ts';
import type { TakenLater } from '../records/run.ts';
import type { Mode } from '../records/vocabulary.ts';
import type { RequestInput, RequestSpec } from '../wire/request.ts';
import type { OneAddress } from './one-address.ts';

/** Where and how to reach a deployment. Credentials come from the environment or a file, never from argv. */
export interface TargetConfig {
  readonly baseUrl: string;
  readonly credentials: { readonly username: string; readonly password: string } | null;
  readonly caFile?: string;
  readonly insecure?: boolean;
  /** What the client shows if the target asks who it is: PEM texts, the key without a passphrase, and the files they came from. */
  readonly clientCertificate?: Readonly<Record<'certFile' | 'keyFile' | 'certificate' | 'key', string>>;
  /** The one address of its name that the run goes to. */
  readonly only?: OneAddress;
  /** Proxy, taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY by the caller. */
  readonly proxy?: string;
  readonly timeoutMs: number;
  /** Connections at most, 10 unless set; fewer are used where the target is slow or turns some away. */
  readonly connections: number;
  readonly requestsPerSecond?: number;
}

/** One request and its answer, whole in memory; the record on disk is redacted and its body cut. */
export interface Exchange {
  readonly id: string;
  readonly request: RequestSpec;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly json: unknown;
  readonly durationMs: number;
  /** The answer was longer than the client keeps in memory; its rest was not read. */
  readonly cut?: true;
  /** The first answer to a write that was refused beside no other write of the run, and taken when it was sent again. */
  readonly refusedAlone?: Exchange;
}

export interface Recordable {
  readonly id: string;
  readonly method: string;
  readonly bytes: number;
  /** Makes the record, redacted: most of them are never asked for. */
  readonly record: () => ExchangeRecord;
}

export type HeaderHabit = NonNullable<RequestInput['headers']>;
export interface OwnRecord {
  readonly family: string;
  readonly id: string;
  readonly name?: string;
}

/** A record that an answer gave for one of this run and that is not proven to be: nothing was sent to it. */
export interface LeftAlone extends OwnRecord {
  readonly why: string;
  /**
   * `answered`: an answer to a create gave it. `shown`: a list shows it, under a name like those of the run. `renamed`: a look
   * showed it under a name of this run before. `namesake`: somebody else made it, under a name of this run that was free; `alike`:
   * only such a name tells. `forgotten`: it may be among more ids than are remembered. `vanished`: it was of this run, and is gone.
   */
  readonly kind: 'answered' | 'shown' | 'renamed' | 'namesake' | 'alike' | 'forgotten' | 'vanished';
}

/** What a run knows of an id that an answer gave: its record is on the target, was removed, or is somebody else's. */
export type RecordStanding = 'ours' | 'gone' | 'foreign';

/** A create whose outcome or id is not known: a record of that name may be on the target. */
export interface UnresolvedCreate {
  readonly family: string;
  readonly name: string;
  /** Ids under which lists showed the name since. */
  readonly ids: Set<string>;
  /** A record of this run bore the name, and every create of it since was refused (4xx): what bears it now may be somebody else's. */
  readonly isRefused: boolean;
}

/** How many connections were open at one time, and how many of them the target answered; as many as were wanted where it has no cap. */
export interface ConnectionTrial {
  readonly asked: number;
  readonly served: number;
}

export interface ClientOptions {
  readonly target: TargetConfig;
  readonly mode: Mode;
  readonly runId: string;
  readonly table: FamilyTable;
  /** MAC and IP addresses that ANC writes may name, in full mode; the guard refuses every other. */
  readonly pool?: EndpointPool;
  readonly policies?: readonly string[];
  /** Names of an earlier run whose records this client may adopt and remove, each after it was read. */
  readonly inherits?: (name: string) => boolean;
  readonly onExchange: (sent: Recordable) => void;
  /** Called, and returned from, before a write is sent. */
  readonly onJournal: (entry: JournalEntry) => void;
  /** Resolves when every entry so far is on the disk; no write is sent before. Without: entries are not kept on a disk. */
  readonly journalSynced?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** How long the clean-up may go on after the signal, in milliseconds, asked when it comes; 50 s unless set. */
  readonly cleanupMs?: () => number;
  /** Told of each wait that the target asks for, or causes by being down. Status 0: no answer. `late`: a write may still take effect. */
  readonly onWait?: (status: number | 'late', ms: number) => void;
  /** Fetch a CSRF token before the first write, rather than when a write is refused for want of one. */
  readonly csrf?: boolean;
  /** First letters of exchange ids, for runs with more than one client. */
  readonly idPrefix?: string;
}

/** A client that shares everything with its origin (connections, guard, ledger) and differs in this. */
export interface ViewOptions {
  /** `ignored`: works on for some time after the run was aborted, for cleaning up. */
  readonly signal?: 'ignored';
  /** What its exchanges are for, such as family and check: their ids are numbered under it, so that they are the same in every run. */
  readonly label?: string;
  /** `faults`: only exchanges that got no 2xx are recorded, for bulk preparation. */
  readonly records?: 'faults';
  /** `covered`: ANC writes are not journaled one by one. The caller wrote one entry for all of them, knows their state and clears them. */
  readonly ancJournal?: 'covered';
  /** Called each time before a write goes out, in its slot, after every wait; `isSent`: it went out before. Throws to hold it back. */
  readonly beforeSend?: (isSent: boolean) => Promise<void>;
  /** Sent in the slot of the write that it is a look before. */
  readonly inSlot?: true;
  /** Has a request sent once more if nothing explains its answer, and is told of the answer if the same request is taken then. */
  readonly onFailedOnce?: (failed: Exchange) => void;
}

export interface EndpointPool {
  readonly size: number;
  readonly at: (index: number) => { readonly macAddress: string; readonly ipAddress?: string };
  /** Number of the endpoint with this MAC or IP address. */
  readonly indexOf: (address: string) => number | undefined;
  /** True for an endpoint that was seen to hold nothing when the run began. Absent if nobody looked. */
  readonly wasFree?: (address: string) => boolean;
  /** Asks the target what the endpoint holds: a policy, null for nothing, undefined if no answer tells. */
  readonly held?: (client: ErsClient, macAddress: string) => Promise<string | null | undefined>;
}
export type SendInput = RequestInput & { readonly onSend?: () => void };

/**
 * The one way from Node to a target, guarded: read-only sends GET only, own-data writes only to what the journal says this run created, full
 * adds ANC on the pool and bulk. `send` throws `TargetError` if no answer came, `UsageError` (`refused-by-mode`) if the guard refuses.
 */
export interface ErsClient {
  readonly options: ClientOptions;
  readonly send: (family: string, op: Op, input?: SendInput) => Promise<Exchange>;
  /** Sends a GET on a path that the target gave (a `nextPage.href`), resolved against the base URL. No other origin gets credentials. */
  readonly follow: (family: string, href: string, headers?: RequestInput['headers']) => Promise<Exchange>;
  /** Sends a request that the tables would not build (wrong method, wrong media type, raw body), under the same guard. */
  readonly raw: (request: RawRequest) => Promise<Exchange>;
  /** What the run knows of an id, also of one that a view of its family shows; undefined if no answer gave it for a record of the run. */
  readonly standing: (family: string, id: string) => RecordStanding | undefined;
  /** Grows when a write to what the family shows is sent, and when it is done. `besides`: answered requests that do not count. */
  readonly writes: (family: string, besides?: readonly Pick<Exchange, 'request'>[]) => number;
  /** When `writes` grew last, in milliseconds of the clock; `-Infinity` if it never did. */
  readonly movedMs: (family: string) => number;
  /** True if anything in the family was answered with success in this run. */
  readonly isServed: (family: string) => boolean;
  /** Says that somebody stopped waiting for a write of the family, which may still take effect. */
  readonly givesUp: (family: string) => void;
  /** Says how many items of a bulk request of the family failed, as its monitor tells at the end; undefined if it ran on: what it was to make stays on the books. */
  readonly endsBulk: (family: string, failed: number | undefined) => void;
  /** Waits until no write can take effect any more whose answer left that open, or that got none; false if there was none to wait for. */
  readonly waitsForLate: () => Promise<boolean>;
  /** Those that this run created and did not remove, newest first, and all that it created. */
  readonly created: () => readonly OwnRecord[];
  readonly owned: () => readonly OwnRecord[];
  /** Records that were removed, as the answer to the delete says or a bulk request that was taken in, and that no read has shown to be gone. */
  readonly unproven: () => readonly OwnRecord[];
  /** Creates of this run whose id is not known, newest first. */
  readonly unresolved: () => readonly UnresolvedCreate[];
  /** Says that a record found by a look is one of this run, by the name it was created under or its known id; false if it cannot be. */
  readonly adopt: (record: OwnRecord) => boolean;
  /** True if an id may be that of a record which this run created under that name: it was not seen before the name was sent. */
  readonly mayBeNew: (family: string, id: string, name: string) => boolean;
  /** True if a list showed the short name, in any case, of a record that is not of this run: a target may take one for the other. */
  readonly isTheirs: (family: string, name: string) => boolean;
  /** True if a look of the last moments showed the record under a name of the run: a write to it sends no read of its own. */
  readonly isProven: (family: string, id: string) => boolean;
  readonly leftAlone: () => readonly LeftAlone[];
  /** Those that vanished. It walks all records: for the end of a run. */
  readonly missing: () => readonly LeftAlone[];
  /** Refuses writes of a kind in a family, creates by default, with the reason in each refusal; without a reason, allows them again. */
  readonly refuse: (family: string, why: string | undefined, what?: 'create' | 'update') => void;
  /** Why writes of a kind in a family are refused, creates unless told; undefined if they are not. */
  readonly closed: (family: string, what?: 'create' | 'update') => string | undefined;
  /** Takes in why a record of the family could not be removed, undefined if it was: after some in a row, creates are refused there. */
  readonly kept: (family: string, why: string | undefined) => void;
  /** Sends these headers with each request of the method from now on, unless a request brings its own. */
  readonly prefer: (method: HttpMethod, headers: HeaderHabit) => void;
  /** Puts each look off until so many milliseconds after the last write to its family: looks go back and forth for as long. */
  readonly waitToLook: (ms: number) => void;
  readonly habit: (method: HttpMethod) => HeaderHabit;
  /** Says that a look for the name found no record: nothing of that name is left of that create. */
  readonly dismiss: (family: string, name: string) => void;
  /** Creates of the family that were or may have been done, and were dismissed or had no name: no name of the run shows what they made. */
  readonly vanished: (family: string) => number;
  /** Creates whose answer left open if they were done, and of which no look found anything. */
  readonly unsettled: () => number;
  /** Says that a record of this run is gone although no delete of it was answered so. */
  readonly gone: (family: string, id: string) => void;
  /** Endpoints that this run applied a policy to and did not clear yet, newest first. */
  readonly applied: () => readonly string[];
  /** Every endpoint this run asked to apply a policy to, cleared ones among them. */
  readonly touched: () => readonly string[];
  /** False for one of them that a look showed with a policy of this run, and no apply names: it went there, or somebody else put it there. */
  readonly isNamed: (address: string) => boolean;
  /** What the last answer to a write says that a touched endpoint holds; `unknown` if it was no success. */
  readonly lastSaid: (address: string) => 'policy' | 'nothing' | 'unknown';
  /** The policy of somebody else that the last look showed an endpoint with; undefined if none did. */
  readonly foreignOn: (address: string) => string | undefined;
  /** Endpoints that took a policy of this run, and of which no look showed it since a clear of them was refused. */
  readonly lost: () => readonly string[];
  /** Endpoints beside the pool that a policy of this run was seen on in place of the one that they held. */
  readonly replaced: () => readonly { readonly mac: string; readonly was: string; readonly policy: string }[];
  readonly totals: () => { readonly created: number; readonly removed: number };
  readonly needsCsrf: () => boolean;
  readonly requests: () => Readonly<Record<string, number>>;
  /** Answers after which a request was sent again and taken, one for each status. */
  readonly takenLater: () => readonly TakenLater[];
  /** How often the target answered nothing for a while that it had answered before. */
  readonly outages: () => number;
  /** Returns once the target is known to answer as before; asks unless the last answer was well. Throws `TargetError` if it does not. */
  readonly answersStill: () => Promise<void>;
  /** Writes a journal entry of the caller's, for writes that others make on behalf of the run. */
  readonly note: (event: JournalEntry['event'], entry: Omit<JournalEntry, 'at' | 'event' | 'runId'>) => void;
  readonly journalSynced: () => Promise<void>;
  /** Says that an endpoint was applied or cleared by others on behalf of the run. */
  readonly mark: (event: 'applied' | 'cleared', address: string) => void;
  readonly view: (options: ViewOptions) => ErsClient;
  /** Opens up to so many connections and closes them again: each sends one list request of the family. Nothing is recorded of them. */
  readonly tryConnections: (family: string, connections: number) => Promise<ConnectionTrial>;
  /** Closes the connections that are open, and uses so many at most from now on, never more than the options allow. */
  readonly useConnections: (connections: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A request by hand; the guard reads from method and path what it writes to. */
export interface RawRequest {
  readonly family: string;
  readonly op: Op;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Members of the record that the body stands for: what it makes, if the target takes it, can be found by its name and removed. */
  readonly fields?: Readonly<Record<string, unknown>>;
}
