import { ancFamilyOf } from '../../lib/client/anc/lookup.ts';
import type { Holding } from '../../lib/client/anc/state.ts';
import { policyIn } from '../../lib/client/safety/endpoints.ts';
import type { ErsClient } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import type { CellFacts } from '../../lib/records/load/load.ts';
import { permutation } from '../../lib/wire/endpoint.ts';
import type { LoadPlan, PlannedCell } from '../plan/plan.ts';

/** What an endpoint is known to hold: nothing, the run's policy, or nobody can say without asking. */
export type Held = 'nothing' | 'policy' | 'unknown';

const CODES: readonly Held[] = ['nothing', 'policy', 'unknown'];

const DOUBTFUL = 1;
const HELD = 2;

const marked = (marks: Uint8Array): readonly number[] => [...marks.keys()].filter((index) => marks[index] !== 0);

/** What every endpoint of a pool holds, as far as the answers tell; nothing to begin with. One byte for each endpoint. */
export function poolState(size: number) {
  const codes = new Uint8Array(size);
  const ever = new Uint8Array(size);
  let everHeld = 0;
  /** What the last answer to a write says; a look that shows something else does not change it. */
  const said = new Uint8Array(size);
  return {
    get: (index: number): Held => CODES[codes[index] ?? 0] ?? 'unknown',
    set(index: number, held: Held) {
      codes[index] = CODES.indexOf(held);
      said[index] = CODES.indexOf(held);
      const before = ever[index] ?? 0;
      if (held === 'policy' && before < HELD) everHeld += 1;
      ever[index] = Math.max(before, held === 'policy' ? HELD : held === 'unknown' ? DOUBTFUL : 0);
    },
    /** A look does not show what was answered. */
    doubt(index: number) {
      codes[index] = CODES.indexOf('unknown');
    },
    /** Whether what was answered last says that nothing of the load is there. */
    isCleared: (index: number) => said[index] === 0,
    toClear: () => marked(codes),
    touched: () => marked(ever),
    wasTouched: (index: number) => (ever[index] ?? 0) !== 0,
    everHeld: () => everHeld,
    /** An endpoint that holds a policy of somebody else since the load began, in words; undefined if none was seen. */
    foreign: undefined as string | undefined,
    /** Whether what all endpoints hold was looked at since the last transactions. */
    isCompared: false,
    /** Endpoints that held a policy of somebody else, which the load clears because it was told to. */
    takenOver: 0,
    /** MAC addresses of the pool that held a policy before the load, and ids of all records of the list; undefined if nobody read all of it. */
    before: undefined as { readonly macs: ReadonlySet<string>; readonly ids: ReadonlySet<string> } | undefined,
  };
}
type PoolState = ReturnType<typeof poolState>;

export interface LoadContext {
  readonly plan: LoadPlan;
  /** Records faults only and journals one entry for each cell: preparation is bulk work. */
  readonly client: ErsClient;
  readonly clock: Clock;
  readonly state: PoolState;
  /** What the probe before the cells showed; absent before it. */
  readonly anc?: AncFindings;
  /** Change of the list's total by others before the load, entries a second: at most this, with 95 % confidence. */
  readonly driftPerSecond?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What one apply and clear before a load show of a target. */
export interface AncFindings {
  /** Times of the answers, milliseconds; none if nothing was probed. */
  readonly latenciesMs: readonly number[];
  /** What became of an apply that was not taken, if the error may pass, or not tried: `was answered 500 "…"`. */
  readonly untaken?: string;
  /** An error that the target answers although the operation is carried out: a look at the endpoint showed it. */
  readonly doneDespite?: NonNullable<CellFacts['doneDespite']>;
  /** Operations that were tried once and refused although others are taken. */
  readonly refused?: Readonly<Partial<Record<AncOperationName, Refusal>>>;
}

/** Why an operation cannot be run, in a sentence, and the status and words of the target. */
export interface Refusal {
  readonly why: string;
  readonly refusal: string;
}

/** Pool number of the endpoint at each place in the order of use: first those of the ramp-up, then those of the steady state. */
export function placeOf(cell: PlannedCell): (place: number) => number {
  const order = permutation(cell.pool.size, cell.pool.seed);
  return (place) => cell.pool.offset + order(place);
}

/** Pool number of the endpoint that the arrival of the steady state with this number uses. */
export function endpointOf(cell: PlannedCell): (seq: number) => number {
  const indexAt = placeOf(cell);
  const rampUpArrivals = cell.ramp?.arrivals ?? 0;
  return (seq) => indexAt(rampUpArrivals + seq);
}

const firstOf = (cell: PlannedCell, length: number): readonly number[] => {
  const indexAt = placeOf(cell);
  return Array.from({ length }, (_, place) => indexAt(place));
};

/** Pool numbers of the endpoints set aside for the ramp-up, in order of use. */
export const rampEndpoints = (cell: PlannedCell) => firstOf(cell, cell.ramp?.arrivals ?? 0);

/** Pool numbers of the endpoints that a cell is planned to touch, in order of use. */
export const endpointsOf = (cell: PlannedCell) => firstOf(cell, cell.endpointCount);

/** A generator that was held up may start more than planned when it catches up: seconds of arrivals beyond the plan. */
export const OVERRUN_SECONDS = 1;

/** Pool numbers of every endpoint that a cell could touch: what is looked at, journaled and proven clear at the end. */
export const reachableOf = (cell: PlannedCell) =>
  firstOf(cell, Math.min(cell.pool.size, cell.endpointCount + OVERRUN_SECONDS * cell.targetPerSecond));

export const applies = ({ operation }: Pick<PlannedCell, 'operation'>): boolean =>
  ANC_OPERATIONS[operation].op === 'apply';

/** What endpoints of a cell hold before its transactions, and what these promise. */
export const promisedBy = ({ plan }: LoadContext, cell: PlannedCell): Readonly<Record<'was' | 'is', Holding>> =>
  applies(cell) ? { was: null, is: plan.policy } : { was: plan.policy, is: null };

/** Notes the policy of somebody else that a look showed on an endpoint of the load: nothing more is prepared then. True if it is one. */
export function noteOther({ plan, state }: LoadContext, macAddress: string, held: Holding | undefined): boolean {
  if (held === undefined || held === null || held === '' || policyIn([plan.policy], held) === plan.policy) return false;
  state.foreign ??= `${macAddress} holds "${held}"`;
  return true;
}

/** Writes the one journal entry that covers all ANC writes on the endpoints of a cell. */
export function notePhase(
  { client }: LoadContext,
  cell: PlannedCell,
  event: 'intent' | 'cleared',
  operation: 'apply' | 'clear',
): void {
  const endpoints = { ...cell.pool, count: reachableOf(cell).length };
  client.note(event, { family: ancFamilyOf(client), operation, endpoints });
}
