import { describe, expect, it } from 'vitest';
import { redactor } from '../../../../lib/client/redaction/redact.ts';

const PASSWORD = "pa+ss/w'o&rd=<x>9";
const redact = redactor({ username: 'canary-user', password: PASSWORD });
const base64 = Buffer.from(`canary-user:${PASSWORD}`).toString('base64');
const all = (form: (character: string) => string) => [...PASSWORD].map(form).join('');
const hex = (character: string, digits = 2) => character.charCodeAt(0).toString(16).padStart(digits, '0');

describe('a login that a target echoes', () => {
  it.each<[string, string]>([
    ['as it is', PASSWORD],
    ['URL encoded', encodeURIComponent(PASSWORD)],
    ['URL encoded in lower case', encodeURIComponent(PASSWORD).toLowerCase()],
    ['URL encoded twice', encodeURIComponent(encodeURIComponent(PASSWORD))],
    ['every character URL encoded', all((character) => `%${hex(character)}`)],
    ['with %27 for the apostrophe', PASSWORD.replace("'", '%27')],
    ['escaped for JSON', JSON.stringify(PASSWORD)],
    ['with \\/ as some JSON writers do', PASSWORD.replaceAll('/', '\\/')],
    ['in \\u escapes', all((character) => `\\u${hex(character, 4)}`)],
    ['in \\u escapes of upper case', all((character) => `\\u${hex(character, 4).toUpperCase()}`)],
    ['with \\u0027 alone', PASSWORD.replace("'", '\\u0027')],
    ['escaped twice', PASSWORD.replace("'", '\\\\u0027')],
    ['in decimal references', all((character) => `&#${character.charCodeAt(0)};`)],
    ['in hexadecimal references', all((character) => `&#x${hex(character)};`)],
    ['with &#039; as PHP writes it', PASSWORD.replace("'", '&#039;').replace('&r', '&amp;r')],
    [
      'in named references',
      PASSWORD.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace("'", '&apos;'),
    ],
    ['in base64', base64],
    ['in base64url', Buffer.from(`canary-user:${PASSWORD}`).toString('base64url')],
    ['in base64 that is URL encoded', encodeURIComponent(base64)],
    ['in base64 within other text', Buffer.from(`user canary-user:${PASSWORD}!`).toString('base64')],
  ])('is taken out %s, of records and of whole files', (_how, echoed) => {
    for (const cleaned of [redact.text(`before ${echoed} after`), redact.net(`before ${echoed} after`)]) {
      expect(cleaned).toContain('[redacted]');
      expect(cleaned).not.toContain(echoed);
      expect(cleaned.replace('[redacted]', '').length).toBeLessThan(echoed.length + 14 - 8);
    }
  });

  it('leaves a file alone whose words a weak password is one of', () => {
    const weak = redactor({ username: 'admin', password: 'report' });
    expect(weak.net('{"reportVersion":2}')).toBe('{"reportVersion":2}');
  });
});
