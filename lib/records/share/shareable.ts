import { mappedTexts } from '../../text.ts';
import type { ExchangeRecord } from '../conformance.ts';
import type { Report } from '../report.ts';
import {
  hostNameRemover,
  hostNamesIn,
  macAddressesIn,
  pseudonyms,
  withoutIpAddresses,
  withoutMacAddresses,
} from './addresses.ts';

/** A judged run and the exchanges that show it: what the renderers are given. */
export interface Shown {
  readonly report: Report;
  readonly exchanges: readonly ExchangeRecord[];
}

/** Members whose texts are our own words: identity of results and cells, verdicts, histograms, closed lists of the schema. */
const OUR_OWN: ReadonlySet<string> = new Set([
  ...['hdr', 'family', 'operation', 'profile', 'verdict', 'kind', 'level', 'checkId', 'check', 'variant', 'cell'],
  ...[
    'requirement',
    'blockedBy',
    'results',
    'unexpected',
    'newRequirements',
    'runId',
    'specDigest',
    'depth',
    'mode',
    'limit',
    'effect',
  ],
  ...['source', 'purpose', 'state', 'outcome', 'signal'],
]);

const isText = (value: unknown): value is string => typeof value === 'string';
const isOurs = (name: string, value: unknown) =>
  OUR_OWN.has(name) && (isText(value) || (Array.isArray(value) && value.every(isText)));

/** A copy of a value with every text changed, names of members among them where they came from the target. */
const mapped = (value: unknown, change: (text: string) => string): unknown =>
  mappedTexts(value, change, { name: (name) => (/[:.%]/.test(name) ? change(name) : name), isKept: isOurs });

function visit(value: unknown, look: (text: string) => void): void {
  mapped(value, (text) => {
    look(text);
    return text;
  });
}

function targetHost({ run }: Report): string | undefined {
  try {
    return new URL(run.target.baseUrl).hostname.replace(/^\[|\]$/g, '');
  } catch {
    // The embedded deployment has no URL of its own in the header.
    return undefined;
  }
}

/** Words of paths, which a host may be called as well. */
function serviceWords({ catalogue }: Report): Set<string> {
  const paths = catalogue.operations?.flatMap(({ path }) => path.split('/')) ?? [];
  return new Set(['ers', 'config', 'embedded', ...paths, ...catalogue.families.map(({ name }) => name.toLowerCase())]);
}

/** Families whose records are hosts: those that are read by name. */
function hostFamilies({ catalogue }: Report): Set<string> {
  const byName = new Set(catalogue.operations?.filter(({ path }) => path.includes('/name/')).map(({ name }) => name));
  const own = catalogue.families.filter(({ operations }) => operations.some((operation) => byName.has(operation)));
  return new Set(own.map(({ name }) => name));
}

/**
 * What may be given away of a judged run: MAC and IP addresses and host names are replaced by pseudonyms, the same for the same
 * value within one key, in every text and every spelling. Judged before, so that counts and verdicts are those of the run.
 * What the tables said is kept as it is. Pieces shorter than four pairs that a filter cut out of an address stay.
 */
export function shareable({ report, exchanges }: Shown, key: Uint8Array): Shown {
  const { catalogue, ...said } = report;
  const macs = new Set<string>();
  const hosts = new Set<string>();
  const ofHosts = hostFamilies(report);
  const collect = (isHosts: boolean) => (text: string) => {
    for (const mac of macAddressesIn(text)) macs.add(mac);
    for (const host of hostNamesIn(text, isHosts)) hosts.add(host);
  };
  visit(said, collect(false));
  for (const exchange of exchanges) visit(exchange, collect(ofHosts.has(exchange.family)));
  const pseudonym = pseudonyms(key);
  const withoutHosts = hostNameRemover(hosts, targetHost(report), serviceWords(report), pseudonym);
  const change = (text: string) =>
    withoutMacAddresses(withoutIpAddresses(withoutHosts(text), pseudonym), macs, pseudonym);
  return {
    report: { ...(mapped(said, change) as Omit<Report, 'catalogue'>), catalogue, redaction: 'share' },
    exchanges: exchanges.map((exchange) => mapped(exchange, change) as ExchangeRecord),
  };
}
