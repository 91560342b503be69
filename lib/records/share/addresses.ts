import { createHmac } from 'node:crypto';
import { isIP, isIPv4, isIPv6 } from 'node:net';

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

/** What a pseudonym stands for; it begins with this word, so that a reader still sees what was there. */
type Hidden = 'mac' | 'ip' | 'host';

/** `mac-3f2a9c01d2`: the same for the same value, and useless without the key. */
type Pseudonym = (kind: Hidden, value: string) => string;

/** 40 bits: two of a thousand addresses share one in one of two million reports. */
const DIGITS = 10;

/** Keyed hashes of one report. Addresses are few enough to be tried one by one, so a hash without a key would hide nothing. */
export function pseudonyms(key: Uint8Array): Pseudonym {
  const known = new Map<string, string>();
  return (kind, value) => {
    const what = `${kind} ${value}`;
    const given = known.get(what);
    if (given !== undefined) return given;
    const made = `${kind}-${createHmac('sha256', key).update(what).digest('hex').slice(0, DIGITS)}`;
    known.set(what, made);
    return made;
  };
}

// Every repetition has a bound: a target answers what it likes, and none of it may take longer to read than it is long.
const HOST = '[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?';
const OF_URL = new RegExp(`(?::|%3A)(?:\\\\?/|%2F){2}(?:[^\\s/?#@"'<>]{0,200}@)?(${HOST})`, 'gi');
/** Where a host name stands by the form of the text alone. */
const PLACES: readonly RegExp[] = [
  OF_URL,
  new RegExp(`"[a-z]{0,30}(?:fqdn|host|hostname|domain|domainname|server)"\\s{0,20}:\\s{0,20}"(${HOST})`, 'gi'),
  new RegExp(
    `<(?:[\\w.-]{1,30}:)?[a-z]{0,30}(?:fqdn|host|hostname|domain|domainname|server)(?:\\s[^<>]{0,200})?>\\s{0,20}(${HOST})`,
    'gi',
  ),
  new RegExp(`\\bDNS:\\s*(?:\\*\\.)?(${HOST})`, 'gi'),
  new RegExp(`\\bCN\\s*=\\s*(${HOST})`, 'gi'),
  new RegExp(`\\b(?:ENOTFOUND|EAI_AGAIN)\\s+(${HOST})`, 'gi'),
];
const DOT = '(?:\\.|%2E|&#46;|&#x2e;)';
/** Three labels and more in any text; one of them has to have what words and names of members have not, a digit or a hyphen. */
const FREE = new RegExp(
  `(?<![\\w.%/@-])((?:[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?${DOT}){2,8}[a-z]{2,24})(?![\\w-]|\\.\\w)`,
  'gi',
);
const isTelling = (name: string) => /[a-z]/.test(name) && /[\d-]/.test(name.replace(/%2e|&#46;|&#x2e;/g, '.'));
/** A name in an answer, or in a path, of a family whose records are hosts. */
const NAMES: readonly RegExp[] = [
  new RegExp(`"name"\\s{0,20}:\\s{0,20}"(${HOST})"`, 'gi'),
  new RegExp(`<name>\\s{0,20}(${HOST})\\s{0,20}</name>`, 'gi'),
  new RegExp(`\\sname="(${HOST})"`, 'gi'),
  new RegExp(`/name/(${HOST})`, 'gi'),
];
/** A shorter name alone is too likely to be a word. */
const SHORTEST_LABEL = 3;
const SHORT_SUFFIX = 3;

const placed = (text: string, places: readonly RegExp[]) =>
  places.flatMap((place) => [...text.matchAll(place)].map(([, name]) => (name ?? '').toLowerCase()));

/** Host names that a text shows by its form; `ofHosts`: its records are hosts, so that their names are host names. */
export function hostNamesIn(text: string, ofHosts = false): string[] {
  const free = placed(text, [FREE]).filter(isTelling);
  return [...free, ...placed(text, PLACES), ...(ofHosts ? placed(text, NAMES) : [])].filter((name) => isIP(name) === 0);
}

/** The domain of a host name that its neighbors share: its last two labels, three where the last but one is short (`co.uk`). */
function domainOf(host: string): string | undefined {
  const labels = host.split('.');
  if (labels.length < 2) return undefined;
  if (labels.length === 2) return labels[1];
  const short = (labels.at(-2) ?? '').length <= SHORT_SUFFIX && labels.length > SHORT_SUFFIX;
  return labels.slice(short ? -3 : -2).join('.');
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Makes the replacement of host names: those that were found, every name in the domain of the target, and the first label of
 * the target's own. `words` are the paths and families of the service: a host that is called like one is replaced in URLs only.
 */
export function hostNameRemover(
  found: ReadonlySet<string>,
  target: string | undefined,
  words: ReadonlySet<string>,
  pseudonym: Pseudonym,
): (text: string) => string {
  const own = target === undefined || isIP(target) !== 0 ? undefined : target;
  const labels = own === undefined ? [] : [own.split('.')[0] ?? ''];
  const isSafe = (name: string) => name.includes('.') || (name.length >= SHORTEST_LABEL && !words.has(name));
  const names = [...new Set([...found, ...(own === undefined ? [] : [own]), ...labels])].filter(isSafe);
  const domain = own === undefined ? undefined : domainOf(own);
  const alternatives = [
    ...(domain === undefined ? [] : [`(?:[a-z0-9_-]{1,63}\\.){1,8}${escaped(domain)}`]),
    ...(domain?.includes('.') === true ? [escaped(domain)] : []),
    ...names.sort((a, b) => b.length - a.length).map(escaped),
  ];
  const literal =
    alternatives.length === 0
      ? undefined
      : new RegExp(`(?<=^|%[0-9a-f]{2}|\\\\[nrt]|[^\\w-])(?:${alternatives.join('|')})(?![\\w-])`, 'gi');
  const hidden = (name: string) => pseudonym('host', name.toLowerCase());
  return (text) => {
    const withoutUrls = text.replace(OF_URL, (whole: string, name: string) =>
      isIP(name) !== 0 ? whole : whole.slice(0, whole.length - name.length) + hidden(name),
    );
    return literal === undefined ? withoutUrls : withoutUrls.replace(literal, hidden);
  };
}
