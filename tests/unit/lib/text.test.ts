import { describe, expect, it } from 'vitest';
import { jsonOf, jsonText } from '../../../lib/json-text.ts';
import { inertJson, inertLine } from '../../../lib/outgoing.ts';
import { titleOf } from '../../../lib/said.ts';
import { durationMs, durationText, excerpt, short } from '../../../lib/text.ts';

describe('a duration', () => {
  it('is a number with a unit, or seconds', () => {
    const texts = ['500ms', '20s', '5m', '1h', '1.5s', '7', '0'];
    expect(texts.map(durationMs)).toEqual([500, 20_000, 300_000, 3_600_000, 1500, 7000, 0]);
    for (const text of ['', 's', '-1s', '1 s', '1d', '1e3', '.5s', 'NaN', '1sm'])
      expect(durationMs(text)).toBeUndefined();
  });

  it('is written in its largest whole unit', () => {
    expect([500, 1000, 90_000, 120_000, 7_200_000].map(durationText)).toEqual(['500ms', '1s', '90s', '2m', '2h']);
  });
});

it('is the same for the same members in another order, however deep, and not for items in another order', () => {
  expect(jsonText({ b: [{ d: 1, c: null }], a: 'x' })).toBe(jsonText({ a: 'x', b: [{ c: null, d: 1 }] }));
  expect(jsonText([1, 2])).not.toBe(jsonText([2, 1]));
  expect(jsonText(undefined)).toBeUndefined();
});

it('keeps every digit of an id, and changes no text that holds one', () => {
  const held = { id: '1012345678901234567', text: '"id":1012345678901234567,', value: 7 };
  expect(jsonOf(`{"id" : 1012345678901234567 ,"text":${JSON.stringify(held.text)},"value":7}`)).toEqual(held);
  expect(jsonOf('{"a":{"id":9007199254740993},"id":42}')).toEqual({ a: { id: '9007199254740993' }, id: 42 });
});

it.each([
  ['<title>HTTP Status 500</title><h1>Status</h1><p><b>Message</b> ORA-00904: &quot;X&quot;</p>', 'ORA-00904: "X"'],
  ['<title>Please log in</title><p>User</p>', 'Please log in'],
  ['<e><message>not &amp; &#39;here&#39;</message></e>', "not & 'here'"],
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

describe('a line that is printed', () => {
  it.each<[string, string]>([
    ['\u001b[2J\u001b]0;title\u0007', '\\u001b[2J\\u001b]0;title\\u0007'],
    ['one\ntwo\r\u2028three', 'one\\u000atwo\\u000d\\u2028three'],
    ['::error::boom', '\\u003a:error::boom'],
    ['  ::add-mask::x', '  \\u003a:add-mask::x'],
    ['##vso[task.setvariable]x', '# #vso[task.setvariable]x'],
    ['see ##[error] here', 'see # #[error] here'],
    ['##teamcity[x]', '# #teamcity[x]'],
    ['\u202egnp', '\\u202egnp'],
  ])('%j does nothing to a terminal or a CI system', (line, printed) => {
    expect(inertLine(line)).toBe(printed);
  });

  it('keeps colors of our own on a terminal, and nothing else', () => {
    expect(inertLine('\u001b[31mfail\u001b[39m \u001b[8mhidden\u001b[2J', true)).toBe(
      '\u001b[31mfail\u001b[39m \\u001b[8mhidden\\u001b[2J',
    );
  });

  it('stays as it is where it commands nothing', () => {
    expect(inertLine('sgt a::b 5 %  # heading\tx')).toBe('sgt a::b 5 %  # heading\tx');
  });
});

it('JSON that is printed holds no command and reads as before', () => {
  const value = { text: '##vso[x]', line: 'a\u2028b' };
  const printed = inertJson(JSON.stringify(value));
  expect(printed).not.toContain('##vso[');
  expect(JSON.parse(printed)).toEqual(value);
});
