import { isIP } from 'node:net';
import type { Pseudonym } from './pseudonyms.ts';

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
