/** Endpoints and policies that the body of an ANC write names. */
export interface AncTargets {
  readonly endpoints: readonly string[];
  readonly policies: readonly string[];
}

const MAC = /\b(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}\b|\b[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}\b/gi;
const IPV4 = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g;
const IPV6 = /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])/gi;
const POLICY = /<name>\s*policyName\s*<\/name>\s*<value>([^<]*)<\/value>|<policyName>([^<]*)<\/policyName>/gi;
const ENDPOINT_NAMES: ReadonlySet<string> = new Set(['macaddress', 'ipaddress']);

/** Upper case with colons for a MAC address in any usual spelling; other addresses in lower case. */
export function normalAddress(address: string): string {
  const digits = address.replace(/[^0-9a-f]/gi, '');
  const isMac = digits.length === 12 && /^[0-9a-f]{2,4}(?:[:.-]?[0-9a-f]{2,4})*$/i.test(address.trim());
  if (!isMac) return address.trim().toLowerCase();
  return digits.toUpperCase().replace(/(..)(?=.)/g, '$1:');
}

function walk(value: unknown, found: { endpoints: string[]; policies: string[] }): void {
  if (Array.isArray(value)) for (const item of value) walk(item, found);
  if (typeof value !== 'object' || value === null) return;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const take = (name: string, held: unknown) => {
    if (typeof held !== 'string') return;
    if (ENDPOINT_NAMES.has(name.toLowerCase()) && looksLikeAddress(held)) found.endpoints.push(normalAddress(held));
    if (name.toLowerCase() === 'policyname') found.policies.push(held);
  };
  if (typeof members['name'] === 'string') take(members['name'], members['value']);
  for (const [name, held] of Object.entries(members)) {
    take(name, held);
    walk(held, found);
  }
}

function looksLikeAddress(text: string): boolean {
  const digits = text.replace(/[^0-9a-f]/gi, '');
  return digits.length === 12 || /^\s*(?:\d{1,3}\.){3}\d{1,3}\s*$/.test(text) || /:.*:/.test(text);
}

/**
 * Everything an apply or clear body could act on, whatever its form: members of the JSON, XML elements, and, as a last
 * net, anything in the text that is shaped like an address. Text that is no address is left out: it can name no endpoint.
 */
export function ancTargets(body: string): AncTargets {
  const found: { endpoints: string[]; policies: string[] } = { endpoints: [], policies: [] };
  try {
    walk(JSON.parse(body), found);
  } catch {
    // Not JSON: only the net below can tell what it names.
  }
  for (const pattern of [MAC, IPV4])
    for (const [hit] of body.matchAll(pattern)) found.endpoints.push(normalAddress(hit));
  for (const [hit] of body.replace(MAC, ' ').matchAll(IPV6)) found.endpoints.push(normalAddress(hit));
  for (const [, item, member] of body.matchAll(POLICY)) found.policies.push(item ?? member ?? '');
  return { endpoints: [...new Set(found.endpoints)], policies: [...new Set(found.policies)] };
}

const STRICT_MAC = /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i;
const STRICT_IP = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The one member of an object, where it has exactly that one. */
function onlyMember(value: unknown, name?: string): unknown {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.length === 1 && (name === undefined || entries[0]?.[0] === name) ? entries[0]?.[1] : undefined;
}

/**
 * What the body of an apply or clear acts on, where it is certain: JSON as this program writes it, `additionalData` with
 * name and value pairs of the listed names, addresses in the usual form. Undefined for anything else: a server may read
 * there what the guard does not see, such as a second member of one name or an address written as a number.
 */
export function ancBody(body: string): AncTargets | undefined {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (JSON.stringify(json) !== body) return undefined;
  const items = onlyMember(json, 'additionalData') ?? onlyMember(onlyMember(json), 'additionalData');
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const endpoints: string[] = [];
  const policies: string[] = [];
  for (const item of items as readonly unknown[]) {
    if (!isObject(item) || Object.keys(item).length !== 2) return undefined;
    const { name, value } = item;
    if (typeof value !== 'string') return undefined;
    if (name === 'policyName') policies.push(value);
    else if (name === 'macAddress' && STRICT_MAC.test(value)) endpoints.push(normalAddress(value));
    else if (name === 'ipAddress' && STRICT_IP.test(value)) endpoints.push(value);
    else return undefined;
  }
  return endpoints.length === 0 ? undefined : { endpoints, policies };
}
