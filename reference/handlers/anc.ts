import type { AncItemName } from '../../lib/contract/anc.ts';
import { ANC_DATA_FIELD } from '../../lib/contract/operations.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { type AncTarget, ancFamily } from '../../lib/wire/anc.ts';
import { invalidField, Problem } from '../answers/responder.ts';
import type { Anc, Fields, Seams } from '../seams.ts';
import type { StoredRecord } from '../store/store.ts';

const NAMES: readonly string[] = ['macAddress', 'ipAddress', 'policyName'] satisfies readonly AncItemName[];
const crud = (text: string) => new Problem(400, 'crud', text);
const MAC = /^[0-9A-F]{2}([:-][0-9A-F]{2}){5}$/i;

/**
 * Endpoints of `additionalData`: a name that comes a second time begins the next one, because real clients put
 * several pairs of address and policy in one request. Throws `Problem` (400) that names the item.
 */
export function ancTargets(fields: Fields): readonly AncTarget[] {
  const items = fields[ANC_DATA_FIELD];
  if (!Array.isArray(items) || items.length === 0)
    throw invalidField(ANC_DATA_FIELD, 'it must be a list of at least one item');
  const targets: Partial<Record<AncItemName, string>>[] = [{}];
  for (const item of items as readonly unknown[]) {
    const { name, value } = (item ?? {}) as { name?: unknown; value?: unknown };
    if (typeof name !== 'string' || !NAMES.includes(name))
      throw invalidField(ANC_DATA_FIELD, `the name of an item must be one of ${NAMES.join(', ')}`);
    if (typeof value !== 'string' || value === '') throw invalidField(name, 'it must be a text');
    const key = name as AncItemName;
    if (targets.at(-1)?.[key] !== undefined) targets.push({});
    const last = targets.at(-1);
    if (last !== undefined) last[key] = value;
  }
  return targets;
}

/** Puts policies on endpoints and takes them away; one record of the ANC family for each endpoint that holds one. */
export function createAnc(
  table: FamilyTable,
  seams: Seams,
  macOfIp: (ip: string) => string | undefined,
  policies: readonly string[],
): Anc {
  const family = ancFamily(table) ?? '';

  const macOf = ({ macAddress, ipAddress }: AncTarget): string => {
    if (macAddress !== undefined) {
      if (!MAC.test(macAddress)) throw invalidField('macAddress', `'${macAddress}' is not a MAC address`);
      return macAddress.toUpperCase().replaceAll('-', ':');
    }
    if (ipAddress === undefined) throw invalidField(ANC_DATA_FIELD, 'macAddress or ipAddress is missing');
    const mac = macOfIp(ipAddress);
    if (mac === undefined) throw invalidField('ipAddress', `there is no session with the address '${ipAddress}'`);
    return mac;
  };
  /** The words of the dialect, where it has any. */
  const refusal = (kind: 'unknownPolicy' | 'held' | 'notHeld', usual: Problem): Problem =>
    seams.dialect.ancRefusals === null ? usual : crud(seams.dialect.ancRefusals[kind]);
  const held = (mac: string): StoredRecord | undefined => seams.store.find(family, 'macAddress', mac);

  return {
    apply: async (targets) => {
      const checked = targets.map((target) => {
        const mac = macOf(target);
        const { policyName } = target;
        if (policyName === undefined) throw invalidField('policyName', 'it is missing');
        if (!policies.includes(policyName))
          throw refusal('unknownPolicy', invalidField('policyName', `there is no policy '${policyName}'`));
        const record = held(mac);
        if (record?.['policyName'] === policyName)
          throw refusal('held', crud(`The endpoint ${mac} is already associated with the policy ${policyName}`));
        return { mac, policyName, record };
      });
      for (const { mac, policyName, record } of checked) {
        // A further policy takes the place of the one the endpoint holds.
        if (record !== undefined) await seams.store.update(family, record.id, { policyName });
        else await seams.store.create(family, { name: mac, macAddress: mac, policyName });
      }
    },
    clear: async (targets) => {
      const found = targets.map((target) => {
        const mac = macOf(target);
        const record = held(mac);
        if (record === undefined) throw refusal('notHeld', crud(`The endpoint ${mac} is not associated with a policy`));
        return record;
      });
      for (const { id } of found) await seams.store.remove(family, id);
    },
  };
}
