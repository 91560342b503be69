import { memberOf } from '../../contract/vendor.ts';
import { totalOf } from '../../wire/answer.ts';
import { type ListItem, pageOf } from '../../wire/list-walk.ts';
import type { ClientOptions, ErsClient } from '../types.ts';
import { ancFamilyOf } from './family.ts';
import { type MacForm, USUAL_FORM, writtenMac } from './mac-form.ts';

/** How the list of a target is asked for one endpoint: learned once, and known to every view of a client. */
export interface Lookup {
  /** Fields that may name the address, the listed one first; those that the target refuses are taken out. */
  fields: readonly string[];
  form: MacForm;
  /** The filter has found an endpoint: what it does not find is not there. */
  finds: boolean;
  /** The filter did not find an endpoint that the list shows: what it does not find may be there all the same. */
  misses: boolean;
}

const LOOKUPS = new WeakMap<ClientOptions, Lookup>();

/** What is known of the lookup of a client. */
export function lookupOf({ options }: ErsClient): Lookup {
  const known = LOOKUPS.get(options);
  if (known !== undefined) return known;
  const [family, { filters } = { filters: [] }] =
    Object.entries(options.table).find(([, { ops }]) => ops.includes('apply')) ?? [];
  // Some deployments refuse the listed field and take the name of the member that it reads.
  const fields = filters.flatMap((field) => [field, ...(family === undefined ? [] : [memberOf(family, field)])]);
  const made: Lookup = { fields: [...new Set(fields)], form: USUAL_FORM, finds: false, misses: false };
  LOOKUPS.set(options, made);
  return made;
}

/** Statuses of a refusal of what was asked, and not of who asked or how often. */
const REFUSALS: ReadonlySet<number> = new Set([400, 405, 422]);

/** What the list shows for a filter on the address. */
interface Found {
  readonly items: readonly ListItem[];
  /** As the list says; undefined where it does not. */
  readonly total: number | undefined;
}

/**
 * Asks the list for addresses that are one, or begin with it. Undefined where no filter is taken, and where no list is answered: that
 * tells nothing of the endpoint.
 */
export async function lookUp(
  client: ErsClient,
  address: string,
  operator: 'EQ' | 'STARTSW' = 'EQ',
  size?: number,
): Promise<Found | undefined> {
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
