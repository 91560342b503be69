import { expect, it } from 'vitest';
import { titleOf } from '../../../lib/said.ts';

it.each([
  [
    '<title>HTTP Status 500</title><h1>HTTP Status 500</h1><p><b>Message</b> ORA-00904: &quot;X&quot;</p>',
    'ORA-00904: "X"',
  ],
  ['<title>Please log in</title><p>User</p>', 'Please log in'],
  ['<e><message>not &amp; here</message></e>', 'not & here'],
  ['plain words', 'plain words'],
])('the words of %s are its message, or its title', (body, words) => {
  expect(titleOf({ json: undefined, body })).toBe(words);
});
