import { describe, expect, it } from 'vitest';
import { inertJson, inertLine } from '../../../lib/outgoing.ts';

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
