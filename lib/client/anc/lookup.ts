import { memberOf } from '../../contract/vendor.ts';
import { ancFamily } from '../../wire/anc.ts';
import { totalOf } from '../../wire/answer.ts';
import { type ListItem, pageOf } from '../../wire/list-walk.ts';
import type { ClientOptions, ErsClient } from '../types.ts';
import { ancFamilyOf } from './family.ts';
import { USUAL_FORM, writtenMac } from './mac-form.ts';

const LOOKUPS = new WeakMap<ClientOptions, ReturnType<typeof newLookup>>();

/** How a list is asked for one endpoint, before anything was learned of it. */
function newLookup({ options }: ErsClient) {
  const family = ancFamily(options.table) ?? '';
  const filters = options.table[family]?.filters ?? [];
  // Some deployments refuse the listed field and take the name of the member that it reads.
  const fields = filters.flatMap((field) => [field, memberOf(family, field)]);
  return {
    /** Fields that may name the address, the listed one first; those that the target refuses are taken out. */
    fields: [...new Set(fields)] as readonly string[],
    form: USUAL_FORM,
    /** The filter has found an endpoint: what it does not find is not there. */
    finds: false,
    /** The filter did not find an endpoint that the list shows: what it does not find may be there all the same. */
    misses: false,
  };
}

/** What is known of the lookup of a client: learned once, and known to every view of it. */
export function lookupOf(client: ErsClient) {
  const known = LOOKUPS.get(client.options) ?? newLookup(client);
  LOOKUPS.set(client.options, known);
  return known;
}

/** Statuses of a refusal of what was asked, and not of who asked or how often. */
const REFUSALS: ReadonlySet<number> = new Set([400, 405, 422]);

/** Asks the list for addresses that are one, or begin with it; undefined where no answer tells of the endpoint. */
export async function lookUp(
  client: ErsClient,
  address: string,
  operator: 'EQ' | 'STARTSW' = 'EQ',
  size?: number,
): Promise<{ readonly items: readonly ListItem[]; readonly total: number | undefined } | undefined> {
  const lookup = lookupOf(client);
  for (const field of lookup.fields) {
    const filters = [{ field, operator, value: writtenMac(address, lookup.form) }];
    const list = size === undefined ? { filters } : { filters, size };
    const exchange = await client.send(ancFamilyOf(client), 'list', { list });
    const page = pageOf(exchange);
    if (page !== undefined) return { items: page.items, total: totalOf(exchange) };
    if (!REFUSALS.has(exchange.status)) return undefined;
    // A refused operator says nothing of the field.
    if (operator === 'EQ') lookup.fields = lookup.fields.filter((other) => other !== field);
  }
  return undefined;
}
