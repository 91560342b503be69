import { describe, expect, it } from 'vitest';
import { REDACTED, redactor } from '../../../../lib/client/redaction/redact.ts';

const redact = redactor({ username: 'tester', password: 'S3cret&Word' });

describe('the redactor', () => {
  it('shows the header that asks for a token', () => {
    expect(redactor(null).header('X-CSRF-TOKEN', 'fetch')).toBe('fetch');
  });

  it.each(['Authorization', 'cookie', 'SET-COOKIE', 'X-CSRF-TOKEN'])('hides the whole value of header %s', (name) => {
    expect(redact.header(name, 'anything')).toBe(REDACTED);
  });

  it.each([
    ['with &#039; as PHP writes it', "w'o&amp;rd9".replace("'", '&#039;')],
    ['escaped twice', 'w\\\\u0027o&rd9'],
    ['in base64 that is URL encoded', encodeURIComponent(Buffer.from("tester:w'o&rd9").toString('base64'))],
  ])('hides a login that a target echoes %s, in records and in whole files', (_, echoed) => {
    const { net, text } = redactor({ username: 'tester', password: "w'o&rd9" });
    for (const clean of [net, text]) expect(clean(`before ${echoed} after`)).not.toContain(echoed.slice(0, 12));
  });

  it('leaves a file alone whose words a weak password is one of', () => {
    const weak = redactor({ username: 'admin', password: 'report' });
    expect(weak.net('{"reportVersion":2}')).toBe('{"reportVersion":2}');
  });

  it('hides a password that was cut near its end, and no word that only begins like it', () => {
    const { net } = redactor({ username: 'tester', password: 'xYz-90812-AbCdEf-77310-qq' });
    expect(net('sends to http://h/xYz-90812-AbCdEf-77310-q')).toBe(`sends to http://h/${REDACTED}`);
    expect(net('xYz-90812 is a part')).toBe('xYz-90812 is a part');
  });

  it.each([
    [
      'a JSON member of a node record',
      '{"Node":{"passWord":"other","gateWay":"10.0.0.1"}}',
      '{"Node":{"passWord":"[redacted]","gateWay":"10.0.0.1"}}',
    ],
    ['a JSON member with escapes', '{"userName": "a\\"b","name":"x"}', '{"userName": "[redacted]","name":"x"}'],
    ['a JSON member that is a number', '{"token":12345,"name":"x"}', '{"token":"[redacted]","name":"x"}'],
    ['a JSON member that was cut', '{"secret":"half of i', '{"secret":"[redacted]"'],
    [
      'an XML element',
      '<n><passWord>other</passWord><fqdn>h</fqdn></n>',
      '<n><passWord>[redacted]</passWord><fqdn>h</fqdn></n>',
    ],
    ['an XML attribute', `<n userName='me' id="1"/>`, '<n userName="[redacted]" id="1"/>'],
    ['a query member', '/ers/config/sgt?token=abc&page=2', '/ers/config/sgt?token=[redacted]&page=2'],
    ['user information of a URL', 'see https://me:p@w@host/ers', 'see https://[redacted]@host/ers'],
  ])('hides %s and leaves what stands beside it', (_, given, expected) => {
    expect(redact.text(given)).toBe(expected);
  });

  it('leaves text without secrets as it is', () => {
    const text =
      '{"Sgt":{"name":"tokens","description":"password policy","value":5},"href":"https://host/ers/config/sgt?page=2"}';
    expect(redact.text(text)).toBe(text);
  });
});

describe('a password with quotes and signs', () => {
  it('is looked for in time that grows with the text alone', () => {
    const { text } = redactor({ username: 'tester', password: "!Secret'99x" });
    const slashes = '\\'.repeat(400_000);
    expect(text(`${slashes}Secret${slashes}`)).toHaveLength(800_006);
    expect(text(`a !Secret\\'99x b`)).not.toContain('Secret');
  });
});
