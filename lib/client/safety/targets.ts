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
