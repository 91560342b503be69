import { expect, it } from 'vitest';
import { titleOf } from '../../../lib/said.ts';
import { excerpt, short } from '../../../lib/text.ts';

it.each([
  ['<title>HTTP Status 500</title><h1>Status</h1><p><b>Message</b> ORA-00904: &quot;X&quot;</p>', 'ORA-00904: "X"'],
  ['<title>Please log in</title><p>User</p>', 'Please log in'],
  ['<e><message>not &amp; here</message></e>', 'not & here'],
  ['plain words', 'plain words'],
  ['<'.repeat(1_000_000), '<'.repeat(1_000_000)],
])('the words of %.80s are its message, or its title', (body, words) => {
  expect(titleOf({ json: undefined, body })).toBe(words);
});

it('what people read is cut at the end of a word, and of a long word where it has to be', () => {
  expect(short("one of 'accept' / 'content-type' headers", 30)).toBe("one of 'accept' /…");
  expect(short('x'.repeat(40), 30)).toBe(`${'x'.repeat(29)}…`);
  expect(excerpt('one of two words', 10)).toBe('one of… (10 more characters)');
});
