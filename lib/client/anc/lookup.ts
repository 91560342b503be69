import { memberOf } from '../../contract/vendor.ts';
import { ancFamily } from '../../wire/anc.ts';
import { totalOf } from '../../wire/answer.ts';
import { type ListItem, pageOf } from '../../wire/list-walk.ts';
import type { ClientOptions, ErsClient } from '../types.ts';

/** Name of the family that applies and clears. Throws if the table has none. */
export function ancFamilyOf(client: ErsClient): string {
  const family = ancFamily(client.options.table);
  if (family === undefined) throw new Error('no family of the table has an apply operation');
  return family;
}

interface MacForm {
  /** Between the groups of digits; empty for none. */
  readonly separator: string;
  readonly group: number;
  readonly upper: boolean;
}

const DIGITS = 12;

/** Upper case, two digits to a group, colons between them. */
export const USUAL_FORM: MacForm = { separator: ':', group: 2, upper: true };

/** The form that an address is written in; one without a letter is taken for upper case. Undefined for a text that is no address. */
export function macFormOf(text: string): MacForm | undefined {
  const found = /^([0-9a-f]{2,12})(?:([:.-])[0-9a-f:.-]+)?$/i.exec(text.trim());
  const digits = text.replace(/[^0-9a-f]/gi, '');
  const [, first = '', separator = ''] = found ?? [];
  if (found === null || digits.length !== DIGITS) return undefined;
  return { separator, group: first.length, upper: !/[a-f]/.test(digits) };
}

export function writtenMac(address: string, { separator, group, upper }: MacForm): string {
  const digits = address.replace(/[^0-9a-f]/gi, '');
  const text = digits.replace(new RegExp(`(.{${group}})(?=.)`, 'g'), `$1${separator}`);
  return upper ? text.toUpperCase() : text.toLowerCase();
}

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
    /** The filter did not find an endpoint that the list shows: what it does not find may still be there. */
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

/** Asks the list for addresses that are one, or begin with it; undefined if no answer tells of the endpoint. */
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
