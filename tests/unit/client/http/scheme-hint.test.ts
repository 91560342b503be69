import { describe, expect, it } from 'vitest';
import { asTargetError } from '../../../../lib/client/http/transport-fault.ts';

const fault = (code: string) => Object.assign(new Error('other side closed'), { code });

describe('a scheme that the port does not speak', () => {
  it.each([
    ['UND_ERR_SOCKET', 'http://a:9060', /may expect TLS: try --base-url https:\/\/a:9060; otherwise/],
    ['HPE_INVALID_CONSTANT', 'http://a:9060', /may expect TLS/],
    ['ECONNRESET', 'http://a:9060', /may expect TLS/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'https://a:9060', /plain HTTP: try --base-url http:\/\/a:9060$/],
  ])('is hinted at by %s on %s', (code, origin, expected) => {
    expect(asTargetError(fault(code), origin).hint).toMatch(expected);
  });

  it('is not suspected where nothing listens, or where TLS spoke', () => {
    expect(asTargetError(fault('ECONNREFUSED'), 'http://a').hint).not.toMatch(/TLS/);
    expect(asTargetError(fault('ECONNRESET'), 'https://a').hint).not.toMatch(/may/);
    expect(asTargetError(fault('ECONNRESET'), 'http://a', { hasAnswered: true }).hint).not.toMatch(/TLS/);
    expect(asTargetError(fault('UND_ERR_SOCKET'), 'https://a', { hasAnswered: true }).hint).not.toMatch(/certificate/);
    expect(asTargetError(fault('CERT_HAS_EXPIRED'), 'https://a').hint).not.toMatch(/plain HTTP/);
    expect(asTargetError(fault('Z_DATA_ERROR'), 'https://a').message).toMatch(/not packed/);
  });
});

it.each([
  [fault('ECONNREFUSED'), 'ECONNREFUSED'],
  [fault('ENOTFOUND'), 'ENOTFOUND'],
  [new Error('Proxy response (502) !== 200 when HTTP Tunneling'), 'Proxy response (502)'],
])('a proxy that does not pass a request on is told of, and no port of the target: %s', (thrown, words) => {
  const { code, message, hint } = asTargetError(thrown, 'https://a', { proxy: 'http://me:secret@proxy:3128' });
  expect([code, message, hint]).toEqual([
    'proxy',
    expect.stringContaining(`https://a through the proxy proxy:3128: ${words}`),
    expect.stringContaining('NO_PROXY'),
  ]);
});

it('leaves out where in its memory and source the TLS library was', () => {
  const own =
    '807C04C6A77F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/ssl3_record.c:350:\n';
  const thrown = Object.assign(new Error(own), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
  expect(asTargetError(thrown, 'https://a').message).toBe(
    'https://a: ERR_SSL_WRONG_VERSION_NUMBER wrong version number',
  );
});

describe('a certificate', () => {
  it.each([
    ['UND_ERR_SOCKET', /^the target may ask for a client certificate, or for another than that of --cert/],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /asks for a client certificate/],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /does not take the client certificate/],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', /any more/],
    ['CERT_HAS_EXPIRED', /^the certificate of the target has expired/],
    ['CERT_NOT_YET_VALID', /is not valid yet/],
    ['CERT_REVOKED', /was revoked/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /^name the certificate authority of the target with --ca/],
  ])('is told of by %s', (code, expected) => {
    expect(asTargetError(fault(code), 'https://a').hint).toMatch(expected);
  });

  it.each([
    [{ subjectaltname: 'DNS:pan-1.corp, DNS:pan-2.corp' }, 'is for DNS:pan-1.corp, DNS:pan-2.corp: use one'],
    [{ subject: { CN: 'pan-1.corp' } }, 'is for pan-1.corp: use one'],
    [{}, 'is for no name: use one'],
  ])('of other names says which: %j', (cert, expected) => {
    const other = Object.assign(fault('ERR_TLS_CERT_ALTNAME_INVALID'), { cert });
    expect(asTargetError(new TypeError('failed', { cause: other }), 'https://a').hint).toContain(expected);
  });
});
