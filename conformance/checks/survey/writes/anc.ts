import type { Exchange } from '../../../../lib/client/types.ts';
import { ANC_OPERATIONS, type AncOperationName } from '../../../../lib/contract/anc.ts';
import { ANC_DATA_FIELD } from '../../../../lib/contract/operations.ts';
import { hasOp } from '../../../../lib/contract/types.ts';
import { vendorFacts } from '../../../../lib/contract/vendor.ts';
import { counted } from '../../../../lib/numbers.ts';
import { ancFields } from '../../../../lib/wire/anc.ts';
import { isForbidden, isSuccess, type JsonObject, recordOf, totalOf } from '../../../../lib/wire/answer.ts';
import { isTaken } from '../../../kit/anc/taken.ts';
import { answerText, mustDecide } from '../../../kit/answer.ts';
import { shown } from '../../../kit/record/record-reads.ts';
import { endpointIds, surveyEndpoints } from '../world/endpoints.ts';
import type { Findings } from '../world/findings.ts';
import type { World } from '../world/world.ts';

/** An endpoint and the policy that is to be on it. */
interface Target {
  readonly macAddress: string;
  readonly ipAddress?: string;
  readonly policyName: string;
}

/** What the operations so far put on endpoints. */
interface Ledger {
  readonly world: World;
  /** Policy by MAC address, of the endpoints of the survey. */
  readonly policies: Map<string, string>;
  /** MAC address by id of the records that were read. */
  readonly known: Map<string, string>;
  /** Records that others had before. */
  readonly others: ReadonlySet<string>;
  readonly refuses: Set<'headers'>;
  /** What filters were seen to find. */
  readonly finds: Set<'addresses'>;
}

const macOf = (record: JsonObject | undefined): string =>
  String(record?.['macAddress'] ?? record?.['name']).toUpperCase();

async function sendAnc(ledger: Ledger, operation: AncOperationName, targets: readonly Target[]): Promise<Exchange> {
  const { scope, family } = ledger.world;
  const data = targets.flatMap((target) => ancFields(operation, { ...target })[ANC_DATA_FIELD] as readonly unknown[]);
  const headers = { ersMediaType: vendorFacts(family.name).mediaType, csrfToken: 'fetch' };
  const carried = ledger.refuses.has('headers') ? {} : { headers, extra: [['cfmExtra', '1']] as const };
  const { op } = ANC_OPERATIONS[operation];
  const answer = await scope.send(op, { ...carried, fields: { [ANC_DATA_FIELD]: data } });
  if (isForbidden(answer) && !ledger.refuses.has('headers')) {
    ledger.refuses.add('headers');
    return sendAnc(ledger, operation, targets);
  }
  mustDecide(answer);
  return answer;
}

/** Holds the list, and the records of the targets, against what the operations put there. */
async function look(ledger: Ledger, targets: readonly Target[]): Promise<string | undefined> {
  const { world, policies, known, others } = ledger;
  const ids = await endpointIds(world.scope);
  if (ids === undefined) return 'the list cannot be read to its end';
  const macs = new Map<string, string>();
  for (const id of ids.filter((each) => !others.has(each))) {
    const isSubject = targets.some(({ macAddress }) => macAddress.toUpperCase() === known.get(id));
    if (!known.has(id) || isSubject) {
      const record = recordOf(await world.scope.send('read', { id }));
      if (record === undefined) return `${id} is listed and cannot be read`;
      const mac = macOf(record);
      known.set(id, mac);
      const policy = policies.get(mac);
      const held = record['policyName'];
      if (policy !== undefined && held !== undefined && held !== policy)
        return `${mac} with ${shown(held)} and not ${shown(policy)}`;
    }
    const mac = known.get(id) ?? '';
    if (macs.has(mac)) return `two records of ${mac}`;
    macs.set(mac, id);
  }
  for (const [id, mac] of known) {
    const isCleared = !policies.has(mac) && targets.some(({ macAddress }) => macAddress.toUpperCase() === mac);
    if (!isCleared || others.has(id)) continue;
    const left = recordOf(await world.scope.send('read', { id }))?.['policyName'];
    if (left !== undefined && left !== null && left !== '') return `${mac} with ${shown(left)} where it was cleared`;
    known.delete(id);
  }
  const missing = [...policies.keys()].find((mac) => !macs.has(mac));
  if (missing !== undefined) return `no record of ${missing}`;
  // Endpoints of the pool that nobody else names: what appears on one of them came from these operations.
  const { pool } = world.context.run.endpoints ?? {};
  const applied = new Set(world.context.ledger.applied().map((address) => address.toUpperCase()));
  const stray = [...macs.keys()].find((mac) => !policies.has(mac) && !applied.has(mac) && pool?.has(mac));
  return stray === undefined ? undefined : `a record of ${stray}, which no operation named`;
}

interface Step {
  readonly operation: AncOperationName;
  readonly targets: readonly Target[];
}

/** The operations of one state: by MAC and IP address, with another policy, several endpoints in one request. */
function stepsOf({ context }: World): readonly Step[] {
  const policies = context.run.endpoints?.policies ?? [];
  const [one, other] = [policies[0] ?? '', policies.at(-1) ?? ''];
  const [first, second, third, fourth] = surveyEndpoints(context).slice(-8);
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return [];
  const several = [third, fourth].map((endpoint, at) => ({ ...endpoint, policyName: at === 0 ? one : other }));
  const plain = { ...first, policyName: one };
  const isByIp = second.ipAddress !== undefined && context.run.anc().hasSessions !== false;
  return [
    { operation: 'apply-by-mac', targets: [plain] },
    ...(one === other ? [] : [{ operation: 'apply-policy' as const, targets: [{ ...plain, policyName: other }] }]),
    ...(isByIp ? [{ operation: 'apply-by-ip' as const, targets: [{ ...second, policyName: one }] }] : []),
    { operation: 'apply-by-mac', targets: several },
    { operation: 'clear-by-mac', targets: several },
    { operation: 'clear-by-mac', targets: [plain] },
    ...(isByIp ? [{ operation: 'clear-by-mac' as const, targets: [{ ...second, policyName: one }] }] : []),
  ];
}

function note(ledger: Ledger, { operation, targets }: Step): void {
  for (const { macAddress, policyName } of targets) {
    const mac = macAddress.toUpperCase();
    if (ANC_OPERATIONS[operation].op === 'apply') ledger.policies.set(mac, policyName);
    else ledger.policies.delete(mac);
  }
}

/** What filters by the address say of an endpoint that was named: it is found where it holds a policy, and only there. */
async function byAddress({ world, policies, finds }: Ledger, { macAddress }: Target): Promise<string | undefined> {
  const [field] = world.family.filters;
  if (field === undefined) return undefined;
  const mac = macAddress.toUpperCase();
  const answer = await world.scope.send('list', { list: { filters: [{ field, operator: 'EQ', value: mac }] } });
  const total = totalOf(answer);
  if (!isSuccess(answer) || total === undefined || total === null) return undefined;
  const wanted = policies.has(mac) ? 1 : 0;
  if (wanted === 1 && total === 1) finds.add('addresses');
  // How an endpoint is named in the list is not shown: only a filter that has found one tells anything.
  return total === wanted || !finds.has('addresses')
    ? undefined
    : `${field}.EQ.${mac} keeps ${counted(total, 'record')}`;
}

/** An apply and a clear on an endpoint of their own, or a clear that is refused because nothing is there. */
export async function bringAboutAnc({ context, scope, family }: World, state: 'delete' | 'failed'): Promise<void> {
  if (!hasOp(family, 'apply')) return;
  const spare = surveyEndpoints(context).at(-1);
  const policyName = context.run.endpoints?.policies[0];
  if (spare === undefined || policyName === undefined) return;
  const { macAddress } = spare;
  if (state === 'delete') await scope.send('apply', { fields: ancFields('apply-by-mac', { macAddress, policyName }) });
  await scope.send('clear', { fields: ancFields('clear-by-mac', { macAddress }) });
}

/** Each ANC operation after each state, and again: the endpoints it names and no others, with the policy it names. */
export async function surveyAnc(world: World, out: Findings): Promise<void> {
  const { context, scope, family } = world;
  const steps = hasOp(family, 'apply') ? stepsOf(world) : [];
  if (context.run.endpoints === undefined || world.records.length === 0 || steps.length === 0) return;
  const known = new Map(world.records.map(({ id, record }) => [id, macOf(record)]));
  const before = (await endpointIds(scope)) ?? [];
  const others = new Set(before.filter((id) => !known.has(id)));
  const policies = new Map(world.records.map(({ record }) => [macOf(record), String(record['policyName'])]));
  const ledger: Ledger = { world, policies, known, others, refuses: new Set(), finds: new Set() };
  const add = (expected: string, observed: string, answer: Exchange) =>
    out.add('anc', {
      ...{ expected, observed, requirement: 'SPC-ANC', exchanges: [answer] },
      about: {
        kind: isSuccess(answer) ? 'no-effect' : 'refused',
        operation: answer.request.op,
        subject: isSuccess(answer) ? 'record' : 'request',
      },
    });
  for (const state of ['delete', 'failed', 'delete'] as const) {
    for (const step of steps) {
      await bringAboutAnc(world, state);
      const answer = await sendAnc(ledger, step.operation, step.targets);
      const names = step.targets.map(({ macAddress }) => macAddress).join(' and ');
      if (!isTaken(context, ANC_OPERATIONS[step.operation].op, answer)) {
        // That a request may name several endpoints is not shown.
        if (step.targets.length > 1) continue;
        return add(`${step.operation} of ${names} taken`, answerText(answer), answer);
      }
      note(ledger, step);
      let wrong: string | undefined;
      await context.eventually(async () => {
        wrong = await look(ledger, step.targets);
        for (const target of step.targets) wrong ??= await byAddress(ledger, target);
        return wrong === undefined ? true : undefined;
      });
      if (wrong !== undefined) return add(`${step.operation} of ${names} and of no other`, wrong, answer);
      out.held('anc');
    }
  }
}
