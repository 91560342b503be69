import type { PeerCertificate } from 'node:tls';
import { TargetError } from '../../errors.ts';
import { inert } from '../../text.ts';

type TransportCode = 'unreachable' | 'proxy' | 'refused' | 'dns' | 'tls' | 'timeout' | 'reset' | 'not-this-api';

/** What helps if no answer came, by what kept it from coming. */
export const HINTS: Readonly<Record<TransportCode, string>> = {
  unreachable:
    'check host, port, proxy and firewall; where the configuration interface is switched off, connections to its port time out',
  refused:
    'nothing listens on that port: check --base-url; the interface is usually on 9060, or on 443 behind a gateway',
  dns: 'the host name does not resolve: check --base-url and the name server',
  proxy:
    'the proxy that HTTPS_PROXY or HTTP_PROXY names does not pass this on: check it, or exempt the target with NO_PROXY',
  tls: 'name the certificate authority of the target with --ca, or accept any certificate with --insecure (stamped in the report)',
  timeout:
    'the target took the connection and did not finish its answer: check that the interface is enabled, or raise --timeout',
  reset: 'check gateways between here and the target, and lower --connections',
  'not-this-api': 'what answers there does not speak this API: check host and port of --base-url',
};

/** Alerts of a target that wants to know who the client is: none came, or one that it does not take. */
const CLIENT_ALERTS: readonly (readonly [RegExp, string])[] = [
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE/,
    'the target asks for a client certificate: name one with --cert and --key',
  ],
  [
    /UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|ACCESS_DENIED/,
    'the target does not take the client certificate: --cert has to be signed by an authority that it trusts',
  ],
  [/CERTIFICATE_(EXPIRED|REVOKED)/, 'the target does not take the client certificate any more: ask for a new one'],
];

/** Certificates that no authority would make good. */
const SERVER_CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the target has expired, or the clock here is wrong',
  CERT_NOT_YET_VALID: 'the certificate of the target is not valid yet, or the clock here is wrong',
  CERT_REVOKED: 'the certificate of the target was revoked: ask whoever runs it',
};

const LONGEST_NAMES = 200;

/** What is wrong with the certificate of the target other than who signed it. */
function serverCertificateHint(fault: unknown, code: string): string | undefined {
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return SERVER_CERTIFICATES[code];
  const { cert } = deepest(fault) as { cert?: Partial<PeerCertificate> };
  const names = cert?.subjectaltname ?? [cert?.subject?.CN ?? 'no name'].flat().join(', ');
  return `the certificate of the target is for ${inert(names, LONGEST_NAMES)}: use one of its names in --base-url, or accept any certificate with --insecure (stamped in the report)`;
}

const CODES: readonly (readonly [TransportCode, RegExp])[] = [
  ['refused', /^ECONNREFUSED$/],
  ['dns', /^(ENOTFOUND|EAI_AGAIN)$/],
  ['unreachable', /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/],
  ['timeout', /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/],
  ['not-this-api', /^(UND_ERR_HEADERS_OVERFLOW$|HPE_)/],
  ['reset', /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/],
  [
    'tls',
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|ERR_INVALID_CERT|HOSTNAME_MISMATCH|INVALID_CA)/,
  ],
];

/** The innermost cause that has a code; undefined if none has. */
function deepest(fault: unknown): (Error & { readonly code: unknown }) | undefined {
  if (!(fault instanceof Error)) return undefined;
  const inner = fault instanceof AggregateError ? fault.errors[0] : fault.cause;
  return deepest(inner) ?? ('code' in fault ? fault : undefined);
}

function codeOf(code: string, message: string): TransportCode {
  const [known] = CODES.find(([, form]) => form.test(code)) ?? [];
  return known ?? (/certificate|\bSSL|\bTLS/i.test(message) ? 'tls' : 'reset');
}

/** A scheme that the port does not speak shows as a connection that breaks, or as an answer that is no HTTP; so does a certificate that it misses. */
function firstContactHint(code: string, kind: TransportCode, origin: string): string | undefined {
  if (origin.startsWith('http:') && (kind === 'reset' || code.startsWith('HPE_')))
    return `the port may expect TLS: try --base-url ${origin.replace(/^http:/, 'https:')}`;
  // Without an alert, a target that takes no certificate, or not this one, just closes the connection.
  if (code === 'UND_ERR_SOCKET')
    return 'the target may ask for a client certificate, or for another than that of --cert: name one with --cert and --key that an authority signed which it trusts';
  return /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/.test(code)
    ? `the port may speak plain HTTP: try --base-url ${origin.replace(/^https:/, 'http:')}`
    : undefined;
}

/** A proxy is named if nothing came through it so far. */
export function timeoutFault(request: string, timeoutMs: number, cause: unknown, proxy?: string): TargetError {
  const [by, hint] =
    proxy === undefined ? ['', HINTS.timeout] : [` through the proxy ${new URL(proxy).host}`, HINTS.proxy];
  return new TargetError('timeout', `${request}${by}: no whole answer within ${timeoutMs} ms`, { cause, hint });
}

/** What the TLS library says, without its places in memory and in its source. */
const plainTls = (words: string): string =>
  words.replace(/[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):\S*/g, '$1').trim();

/** Faults before a connection stands: behind a proxy it is the proxy that was called. */
const BEFORE_CONTACT: ReadonlySet<TransportCode> = new Set(['refused', 'dns', 'unreachable']);

/** Turns whatever the HTTP library threw into a `TargetError`. A target that has answered before speaks what it was spoken to in. */
export function asTargetError(
  fault: unknown,
  origin: string,
  {
    request = origin,
    hasAnswered = false,
    proxy,
  }: { request?: string; hasAnswered?: boolean; proxy?: string | undefined } = {},
): TargetError {
  if (fault instanceof TargetError) return fault;
  const words = plainTls(fault instanceof Error ? fault.message : String(fault));
  const code = String(deepest(fault)?.code ?? '');
  // The request itself cannot be put on the wire: that is no fault of the target.
  if (code === 'UND_ERR_INVALID_ARG') throw fault;
  const kind = codeOf(code, words);
  const told = code === '' || words.includes(code) ? words : `${code} ${words}`;
  const broken = /^Z_|BROTLI/.test(code)
    ? 'the body is not packed as its Content-Encoding says'
    : 'the connection broke before the whole answer came';
  const message = kind === 'reset' ? `${request}: ${broken} (${told})` : `${origin}: ${told}`;
  if (proxy !== undefined && (BEFORE_CONTACT.has(kind) || /^Proxy response/.test(words))) {
    const { host } = new URL(proxy);
    return new TargetError('proxy', `${origin} through the proxy ${host}: ${told}`, {
      cause: fault,
      hint: HINTS.proxy,
    });
  }
  const faultOf = (hint: string, of: TransportCode = kind) => new TargetError(of, message, { cause: fault, hint });
  const [, alert] = CLIENT_ALERTS.find(([form]) => /ALERT/.test(code) && form.test(code)) ?? [];
  const certificate = alert ?? serverCertificateHint(fault, code);
  if (certificate !== undefined) return faultOf(certificate, 'tls');
  const first = hasAnswered ? undefined : firstContactHint(code, kind, origin);
  if (first === undefined) return faultOf(HINTS[kind]);
  return faultOf(kind === 'tls' ? first : `${first}; otherwise ${HINTS[kind]}`);
}
