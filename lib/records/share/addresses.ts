import { isIPv4, isIPv6 } from 'node:net';
import type { Pseudonym } from './pseudonyms.ts';

const V4 = /(?<=^|%[0-9a-f]{2}|\D)\d{1,3}(\.|%2E|&#46;|&#x2e;)\d{1,3}(?:\1\d{1,3}){2}(?!\d)/gi;
/** As clouds call machines: `ip-10-0-0-1`. */
const DASHED = /(?<=\b(?:ip|host|node|ec2)[-_])\d{1,3}(?:-\d{1,3}){3}(?![\d-])/gi;
const V6 =
  /(?:[0-9a-f]{0,4}(?::|%3A|%253A)){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{1,4})?(?:(?:%25|%)(?:eth|en|wlan)[a-z0-9]{0,12})?/gi;

/** One spelling of an IPv6 address: short, lower case, without the interface. */
const canonical = (address: string): string => new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname;

/** Puts pseudonyms where IPv4 and IPv6 addresses stand, percent encoded ones among them. */
export function withoutIpAddresses(text: string, pseudonym: Pseudonym): string {
  return text
    .replace(V6, (found: string, at: number) => {
      const address = found.replace(/%253A|%3A/gi, ':');
      const before = text.slice(Math.max(0, at - 3), at);
      const inWord = /[a-z_]$/i.test(before) && !/%[0-9a-f]{2}$/i.test(before);
      const isAddress = isIPv6(address.replace(/%.*$/, '')) && address !== '::';
      if (!isAddress || inWord || /^[g-z_]/i.test(text.slice(at + found.length))) return found;
      return pseudonym('ip', canonical(address));
    })
    .replace(DASHED, (found) => found.replaceAll('-', '.'))
    .replace(V4, (found) => {
      const address = found.replace(/%2E|&#46;|&#x2e;/gi, '.');
      return isIPv4(address) ? pseudonym('ip', address) : found;
    });
}

/** What stands between two digits of an address: as it is, percent encoded once or twice, as a JSON or XML escape. */
const SEPARATOR = '(?::|-| |\\.|_|%3A|%2D|%253A|%252D|\\\\u003a|&#58;|&#x3a;)';
const PAIRS = new RegExp(`[0-9a-f]{2}(${SEPARATOR})[0-9a-f]{2}(?:\\1[0-9a-f]{2}){4}`, 'gi');
const DOTTED = /[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}/gi;
/** Most of an address: what a filter looks for, or what a cut body still shows. */
const FRAGMENT = /[0-9a-f]{1,2}(:|%3A)[0-9a-f]{1,2}(?:\1[0-9a-f]{1,2}){2,3}(?![0-9a-f])/gi;
/** Twelve digits without a separator, or with one or two: an address where something says so, or nothing speaks against it. */
const BARE =
  /(?<=^|%[0-9a-f]{2}|[^0-9a-f])(?:[0-9a-f]{12}|[0-9a-f]{6}-[0-9a-f]{6}|[0-9a-f]{4}([-:])[0-9a-f]{4}\1[0-9a-f]{4})(?![0-9a-f])/gi;
/** Value of a filter on a member that holds an address, whole or in part. */
const FILTER = /(mac[a-z]{0,20}(?:\.|%2E)[a-z]{1,12}(?:\.|%2E))(?!mac-)([^&\s"'<>\\]+)/gi;
/** The last group of an id that was made from the clock is the MAC address of the machine that made it. */
const CLOCK_UUID = /([0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-)([0-9a-f]{12})/gi;

/** How far before twelve digits the word that calls them a MAC address is looked for. */
const BEFORE = 60;

/** The twelve digits of an address, lower case, without what its separators are escaped with. */
function digitsOf(address: string): string {
  return address
    .replace(/%(?:25)?(?:3A|2D)|\\u003a|&#x3a;|&#58;/gi, '')
    .replace(/[^0-9a-f]/gi, '')
    .toLowerCase();
}

/** Digits of every address in a text that is recognized by itself or by the words before it. */
export function macAddressesIn(text: string): string[] {
  const bare = [...text.matchAll(BARE)].filter(({ 0: found, index }) => {
    const before = text.slice(Math.max(0, index - BEFORE), index);
    if (found.length === 12 && !/[0-9a-f]{4}-$/i.test(before) && /mac/i.test(before)) return true;
    // Digits alone may be a date or a number, and a part of something longer an id or a digest.
    const isPart = /(?<!%[0-9a-f]?)[a-z0-9:-]$/i.test(before) || /^[a-z0-9:-]/i.test(text.slice(index + found.length));
    return /[a-f]/i.test(found) && /\d/.test(found) && !isPart;
  });
  return [...text.matchAll(PAIRS), ...text.matchAll(DOTTED), ...bare].map(([found]) => digitsOf(found));
}

/** Puts pseudonyms where MAC addresses stand; `known` are those that are to be found without separators too. */
export function withoutMacAddresses(text: string, known: ReadonlySet<string>, pseudonym: Pseudonym): string {
  const hidden = (found: string) => pseudonym('mac', digitsOf(found));
  return text
    .replace(
      CLOCK_UUID,
      (_, head: string, machine: string) => `${head}${pseudonym('mac', machine.toLowerCase()).slice(4)}00`,
    )
    .replace(PAIRS, hidden)
    .replace(DOTTED, hidden)
    .replace(BARE, (found) => (known.has(digitsOf(found)) ? hidden(found) : found))
    .replace(FILTER, (_, head: string, value: string) => head + hidden(value))
    .replace(FRAGMENT, hidden);
}
