import { isIPv4, isIPv6 } from 'node:net';
import type { Pseudonym } from './pseudonyms.ts';

const V4 = /(?<=^|%[0-9a-f]{2}|\D)\d{1,3}(\.|%2E|&#46;|&#x2e;)\d{1,3}(?:\1\d{1,3}){2}(?!\d)/gi;
/** As clouds call machines: `ip-10-0-0-1`. */
const DASHED = /(?<=\b(?:ip|host|node|ec2)[-_])\d{1,3}(?:-\d{1,3}){3}(?![\d-])/gi;
const V6 =
  /(?:[0-9a-f]{0,4}(?::|%3A|%253A)){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{1,4})?(?:(?:%25|%)(?:eth|en|wlan)[a-z0-9]{0,12})?/gi;

/** One spelling of an IPv6 address: short, lower case, without the interface. */
function canonical(address: string): string {
  return new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname;
}

const isNobody = (address: string) => address === '::';

/** Puts pseudonyms where IPv4 and IPv6 addresses stand, percent encoded ones among them. */
export function withoutIpAddresses(text: string, pseudonym: Pseudonym): string {
  return text
    .replace(V6, (found: string, at: number) => {
      const address = found.replace(/%253A|%3A/gi, ':');
      const before = text.slice(Math.max(0, at - 3), at);
      const inWord = /[a-z_]$/i.test(before) && !/%[0-9a-f]{2}$/i.test(before);
      const isAddress = isIPv6(address.replace(/%.*$/, '')) && !isNobody(address);
      if (!isAddress || inWord || /^[g-z_]/i.test(text.slice(at + found.length))) return found;
      return pseudonym('ip', canonical(address));
    })
    .replace(DASHED, (found) => found.replaceAll('-', '.'))
    .replace(V4, (found) => {
      const address = found.replace(/%2E|&#46;|&#x2e;/gi, '.');
      return isIPv4(address) ? pseudonym('ip', address) : found;
    });
}
