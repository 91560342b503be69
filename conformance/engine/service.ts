import type { ErsClient, Exchange } from '../../lib/client/types.ts';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { TargetError } from '../../lib/errors.ts';
import { inParallel } from '../../lib/parallel.ts';
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
async function askService(client: ErsClient, family: string): Promise<Service> {
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

/** Codes of faults that one address may have while the others answer. */
const BROKEN: ReadonlySet<string> = new Set(['reset', 'timeout']);

/** Asks every family whether it is served; the first alone, so that a wrong login or a dead host is met once. */
export async function askServices(
  client: ErsClient,
  names: readonly string[],
  atOnce: number,
): Promise<Map<string, Service>> {
  const services = new Map<string, Service>();
  const ask = async (name: string) =>
    void services.set(name, await askService(client.view({ label: `${name}/served` }), name));
  const [first, ...others] = names;
  if (first !== undefined) await ask(first);
  await inParallel(others, atOnce, (name) =>
    ask(name).catch((fault: unknown) => {
      // The target answers: a connection that breaks at one family is a fault of that family.
      if (!(fault instanceof TargetError) || !BROKEN.has(fault.code)) throw fault;
      services.set(name, { state: 'blocked', reason: `no answer to GET ${PATH_PREFIX}/${name}: ${fault.message}` });
    }),
  );
  return services;
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
