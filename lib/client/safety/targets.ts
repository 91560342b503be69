import { jsonOf } from '../../json-text.ts';
import { isObject, isSuccess } from '../../wire/answer.ts';
import type { Exchange } from '../types.ts';

export interface AncTargets {
  readonly endpoints: readonly string[];
  readonly policies: readonly string[];
}

/** Members that name an endpoint, and texts in the form of an address. */
const ENDPOINT = [
  /(?:mac|ip)_?address/i,
  /\b(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}\b|\b[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}\b/i,
  /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/,
  /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])/i,
];

export const namesEndpoint = (json: string): boolean => ENDPOINT.some((form) => form.test(json));

/** Upper case with colons for a MAC address in any usual spelling; other addresses in lower case. */
export function normalAddress(address: string): string {
  const digits = address.replace(/[^0-9a-f]/gi, '');
  const isMac = digits.length === 12 && /^[0-9a-f]{2,4}(?:[:.-]?[0-9a-f]{2,4})*$/i.test(address.trim());
  if (!isMac) return address.trim().toLowerCase();
  return digits.toUpperCase().replace(/(..)(?=.)/g, '$1:');
}

const STRICT_MAC = /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i;
const STRICT_IP = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;

function onlyMember(value: unknown, name?: string): unknown {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.length === 1 && (name === undefined || entries[0]?.[0] === name) ? entries[0]?.[1] : undefined;
}

/**
 * What the body of an apply or clear acts on, if it is certain: JSON as this program writes it, addresses in the usual form. Undefined for
 * anything else: a server may read there what the guard does not see, such as a second member of one name.
 */
export function ancBody(body: string): AncTargets | undefined {
  const json = jsonOf(body);
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

function member(record: object, name: string): string | undefined {
  const hit = Object.entries(record).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return typeof hit?.[1] === 'string' ? hit[1] : undefined;
}

/** MAC address (also as its members write it) and policy in a read of an endpoint, `''` for one without a name; undefined without a record. */
export function heldPolicyIn({ status, json }: Pick<Exchange, 'status' | 'json'>) {
  const held = isSuccess({ status }) && typeof json === 'object' && json !== null ? Object.values(json) : [];
  const record = held.find((value): value is object => typeof value === 'object' && value !== null);
  if (record === undefined) return undefined;
  const written = [member(record, 'macAddress'), member(record, 'name')].flatMap((text) => text ?? []);
  return { mac: normalAddress(written[0] ?? ''), policy: member(record, 'policyName') ?? '', written };
}
