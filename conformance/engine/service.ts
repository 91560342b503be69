import type { ErsClient, Exchange } from '../../lib/client/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { FINAL_CODES, TargetError } from '../../lib/errors.ts';
import { isForbidden, isObject, isSuccess } from '../../lib/wire/answer.ts';
import { answerText } from '../kit/answer.ts';
import { UNKNOWN_ID } from '../kit/values/payload.ts';

/** Whether a target serves a family at all, asked before any check of it. */
export interface Service {
  readonly state: 'served' | 'absent' | 'blocked';
  readonly reason?: string;
  /** The target answers different questions alike, so that nothing it says can prove anything. */
  readonly indistinguishable?: string;
}

const isUseful = (exchange: Exchange) => isSuccess(exchange) && isObject(exchange.json);
const isMissing = ({ status }: Exchange) => [400, 404, 405, 406, 410, 415, 501].includes(status);

/** Names of the root members: a list and version information never have the same ones, an echo always does. */
const shapeOf = ({ json }: Exchange) => (isObject(json) ? Object.keys(json).sort().join(' ') : '');

/** Asks for something that no list is: version information, or a record that is not there where the family has none. */
async function askOther(client: ErsClient, name: string): Promise<Exchange | undefined> {
  const family = client.options.table[name];
  if (family === undefined || hasOp(family, 'version')) return client.send(name, 'version');
  return hasOp(family, 'read') ? client.send(name, 'read', { id: UNKNOWN_ID }) : undefined;
}

/** Asks a family for its list and for something else. Throws `TargetError` if no answer comes. */
export async function askService(client: ErsClient, family: string): Promise<Service> {
  const list = await client.send(family, 'list');
  const other = await askOther(client, family);
  if (isUseful(list) || (other?.request.op === 'version' && isUseful(other))) {
    const isAlike = other !== undefined && list.status === other.status && shapeOf(list) === shapeOf(other);
    const indistinguishable = isAlike ? 'the target answers list and versioninfo alike' : undefined;
    return { state: 'served', ...defined({ indistinguishable }) };
  }
  if (!isForbidden(list) && isMissing(list) && (other === undefined || isMissing(other)))
    return { state: 'absent', reason: `the target does not serve the family: ${answerText(list)}` };
  const why = isForbidden(list) ? 'no permission' : 'no usable answer';
  return { state: 'blocked', reason: `${why}: ${answerText(list)}` };
}

/** Why nothing may be written to a family; undefined if it may. One not served, or that answers all alike, cannot show what was done. */
export function refusalOfWrites(service: Service | undefined): string | undefined {
  if (service === undefined || service.state === 'served') return service?.indistinguishable;
  return service.reason ?? 'the family is not served';
}

/** The fault to end with where no family is served: nothing at all could be tested. Undefined if one is. */
export function nothingServed(services: ReadonlyMap<string, Service>): TargetError | undefined {
  if ([...services.values()].some(({ state }) => state === 'served')) return undefined;
  const [reason = 'no family was asked'] = [...services.values()].flatMap((service) => service.reason ?? []);
  return new TargetError('nothing-served', `the target serves no family: ${reason}`, {
    hint: 'check the base URL (scheme, host, port), whether the interface is enabled, and the login',
  });
}

/** After this many checks in a row that got no answer, the target is left alone. */
const SILENT_CHECKS = 3;

/** Stops further checks when the run is interrupted, its deadline has passed, or the target no longer answers. */
export function circuitBreaker(clock: Clock, signal: AbortSignal, deadlineMs: number | undefined) {
  const end = deadlineMs === undefined ? undefined : clock.monotonicMs() + deadlineMs;
  let silent = 0;
  let lost: TargetError | undefined;
  return {
    answered(fault?: TargetError): void {
      if (lost !== undefined) return;
      silent = fault === undefined ? 0 : silent + 1;
      if (fault !== undefined && FINAL_CODES.has(fault.code)) lost = fault;
      else if (fault !== undefined && silent >= SILENT_CHECKS) {
        const message = `the target had stopped answering: ${fault.message}`;
        lost = new TargetError(fault.code, message, defined({ hint: fault.hint }));
      }
    },
    reason(): string | undefined {
      if (end !== undefined && clock.monotonicMs() > end) return 'the deadline of the run had passed';
      return signal.aborted ? 'the run was interrupted' : lost?.message;
    },
    lost: () => lost,
  };
}
export type CircuitBreaker = ReturnType<typeof circuitBreaker>;
