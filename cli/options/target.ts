import { BlockList, isIP } from 'node:net';
import { readCredentials } from '../../lib/client/http/credentials.ts';
import { oneAddress } from '../../lib/client/one-address.ts';
import { redactor } from '../../lib/client/redaction/redact.ts';
import type { TargetSpec } from '../../lib/client/target-spec.ts';
import type { TargetConfig } from '../../lib/client/types.ts';
import { defined } from '../../lib/defined.ts';
import { UsageError } from '../../lib/errors.ts';
import { protectOutgoing } from '../../lib/outgoing.ts';
import { readAuthority, readClientCertificate } from './client-certificate.ts';
import { checkNeeds } from './needs.ts';

/** Polite to somebody's production system: it is theirs, and we are guests. */
const DEFAULT_CONNECTIONS = 10;
const DEFAULT_TIMEOUT_MS = 30_000;

/** A URL as it may be shown: without what stands for a login, however the rest is written. */
const shown = (text: string): string => text.replace(/^([^@]*\/\/|)[^@]*@/s, '$1…@').replace(/[?#].*$/s, '?…');

/** What to type instead of a text that is no URL. */
function urlHint(text: string): string {
  if (/^(https?:\/\/)?[\da-f]*:[\da-f]*:[\da-f:]*\/*$/i.test(text))
    return 'write an IPv6 address in brackets, such as --base-url https://[2001:db8::1]:9060';
  const isBare = /^(?=.*[a-z.])[^@/?#:\s]+(:\d+)?(\/[^@?#]*)?$/i.test(text) && URL.canParse(`https://${text}`);
  return isBare
    ? `give --base-url https://${text}`
    : 'give the origin of the deployment, such as --base-url https://policy.example.com:9060';
}

/** The URL of a deployment. Throws `UsageError` for one that names none, or that holds a login. */
export function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('bad-base-url', `${shown(text)} is not an http or https URL`, {
      hint: urlHint(text),
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'credentials-in-url',
      'the base URL contains credentials, which would end up in logs and reports',
      { hint: 'set ERS_USERNAME and ERS_PASSWORD, or ERS_CREDENTIALS_FILE, and leave them out of the URL' },
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError('bad-base-url', `${shown(text)} has more than scheme, host and port`, {
      hint: `give --base-url ${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    });
  }
  const own = /\/ers(\/config(\/.*)?)?\/*$/.exec(url.pathname);
  if (own !== null) {
    throw new UsageError('bad-base-url', `${shown(text)} ends with ${own[0]}, which every request adds already`, {
      hint: `give --base-url ${url.origin}${url.pathname.slice(0, own.index)}`,
    });
  }
  return url;
}

/** True for the names and addresses of this machine alone. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Refuses to send a login over plain HTTP to another machine, unless that was asked for. */
function checkTransport(url: URL, { allowHttp }: { readonly allowHttp?: boolean }): void {
  if (url.protocol !== 'http:' || isLoopback(url.hostname) || allowHttp === true) return;
  throw new UsageError('plain-http', `${url.origin} is plain HTTP: anybody on the network can read the login`, {
    hint: 'use https, or add --allow-http to accept the risk',
  });
}

function proxyFor(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  const named =
    url.protocol === 'https:' ? (env['HTTPS_PROXY'] ?? env['https_proxy']) : (env['HTTP_PROXY'] ?? env['http_proxy']);
  const spared = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(/[\s,]+/).some((entry) => spares(entry, url));
  if (named === undefined || named === '' || spared || isLoopback(url.hostname)) return undefined;
  const proxy = URL.canParse(named) ? new URL(named) : undefined;
  if (proxy === undefined || !['http:', 'https:'].includes(proxy.protocol) || proxy.hostname === '') {
    // Its text may hold a login.
    throw new UsageError('bad-proxy', 'the proxy named by HTTPS_PROXY or HTTP_PROXY is not an http or https URL', {
      hint: 'write it as http://proxy.example.com:3128, or exempt the target with NO_PROXY',
    });
  }
  return named;
}

const bare = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** True if an entry of NO_PROXY names the host of a URL: a name, a domain, an address or a range of them, with a port or without. */
function spares(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  // An address of version 6 has colons of its own, unless it stands in brackets.
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry);
  const [host, port] = [found?.[1] ?? entry, found?.[2]];
  const own = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  if (host === '' || (port !== undefined && port !== own)) return false;
  const name = bare(url.hostname);
  const [address = '', bits] = host.split('/');
  if (isIP(bare(address)) === 0) {
    const domain = bare(host.replace(/^\*?\./, ''));
    return domain !== '' && (name === domain || name.endsWith(`.${domain}`));
  }
  const family = isIP(name) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(name) !== isIP(bare(address))) return false;
  const range = new BlockList();
  const most = family === 'ipv6' ? 128 : 32;
  range.addSubnet(bare(address), Math.min(most, Number(bits ?? most)) || 0, family);
  return range.check(name, family);
}

/** The deployment that the operator named: a run folder never tells where the login goes. Throws `UsageError`. */
export function baseUrlNamed({ baseUrl }: { readonly baseUrl?: string | undefined }): string {
  if (baseUrl !== undefined) return baseUrl;
  throw new UsageError('no-base-url', 'no deployment was named', {
    hint: 'add --base-url URL: it is never taken from a run folder',
  });
}

export type TargetOptions = Partial<Omit<TargetSpec, 'seed'>> & {
  readonly environment?: NodeJS.ProcessEnv | undefined;
};

/** Configuration of the client from the options and the environment. Throws `UsageError`. */
export function targetConfig(
  baseUrl: string,
  options: TargetOptions,
  credentials: TargetConfig['credentials'],
  env: NodeJS.ProcessEnv = process.env,
): TargetConfig {
  const url = checkedUrl(baseUrl);
  checkTransport(url, options);
  if (options.ca !== undefined) readAuthority(options.ca);
  const proxy = proxyFor(url, env);
  return {
    baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    credentials,
    timeoutMs: Math.round(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    connections: options.connections ?? DEFAULT_CONNECTIONS,
    ...defined({ caFile: options.ca, clientCertificate: readClientCertificate(options, env) }),
    ...(options.insecure === true ? { insecure: true } : {}),
    ...(proxy === undefined ? { only: oneAddress() } : {}),
    ...defined({ proxy, requestsPerSecond: options.maxRps }),
  };
}

/** The deployment that the options name, or the one at the URL, with its login. Throws `UsageError`, also if there is no login. */
export function givenTarget(options: TargetOptions, baseUrl = options.baseUrl ?? ''): TargetConfig {
  const { environment = process.env } = options;
  checkNeeds({ environment }, ['credentials']);
  const credentials = readCredentials(environment);
  if (credentials === null) throw new Error('unreachable');
  protectOutgoing(redactor(credentials).net);
  return targetConfig(baseUrl, options, credentials);
}
