import { describe, expect, it } from 'vitest';
import { REDACTED, redactedWriter, redactor } from '../../../../lib/client/redaction/redact.ts';
import type { RunWriter } from '../../../../lib/records/folder/writer.ts';
import type { RunHeader } from '../../../../lib/records/run.ts';
import { aHeader } from '../../../helpers/a-run.ts';

const redact = redactor({ username: 'tester', password: 'S3cret&Word' });

describe('the redactor', () => {
  it.each(['Authorization', 'cookie', 'SET-COOKIE', 'X-CSRF-TOKEN'])('hides the whole value of header %s', (name) => {
    expect(redact.header(name, 'anything')).toBe(REDACTED);
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
    ['a JSON member', '{"Node":{"passWord":"x","gateWay":"a"}}', '{"Node":{"passWord":"[redacted]","gateWay":"a"}}'],
    ['a JSON member with escapes', '{"userName": "a\\"b","name":"x"}', '{"userName": "[redacted]","name":"x"}'],
    ['a JSON member that is a number', '{"token":12345,"name":"x"}', '{"token":"[redacted]","name":"x"}'],
    ['a JSON member that was cut', '{"secret":"half of i', '{"secret":"[redacted]"'],
    ['an XML element', '<passWord>x</passWord><fqdn>h</fqdn>', '<passWord>[redacted]</passWord><fqdn>h</fqdn>'],
    ['an XML attribute', `<n userName='me' id="1"/>`, '<n userName="[redacted]" id="1"/>'],
    ['a query member', '/ers/config/sgt?token=abc&page=2', '/ers/config/sgt?token=[redacted]&page=2'],
    ['user information of a URL', 'see https://me:p@w@host/ers', 'see https://[redacted]@host/ers'],
  ])('hides %s and leaves what stands beside it', (_, given, expected) => {
    expect(redact.text(given)).toBe(expected);
  });
});

it('a password with quotes and signs is looked for in time that grows with the text alone', () => {
  const { text } = redactor({ username: 'tester', password: "!Secret'99x" });
  const slashes = '\\'.repeat(400_000);
  expect(text(`${slashes}Secret${slashes}`)).toHaveLength(800_006);
  expect(text(`a !Secret\\'99x b`)).not.toContain('Secret');
});

it('the writer of a run lets no login through that stands in an option', () => {
  const written: RunHeader[] = [];
  const inner = { header: (header: RunHeader) => void written.push(header) } as unknown as RunWriter;
  const outputs = ['influxdb=http://me:canary-4711@host/db?token=canary-4712&password=canary-4713'];
  const options = { ...aHeader().options, 'k6-out': { value: outputs, from: 'flag' } } as RunHeader['options'];
  redactedWriter(inner, () => redactor(null)).header(aHeader({ options }));
  expect(written).toHaveLength(1);
  expect(JSON.stringify(written)).not.toMatch(/canary/);
});
