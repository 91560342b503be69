/** Signs that deployments have been seen to take for something else; each by itself, as bundles mask each other. */
export const SIGNS: Readonly<Record<string, string>> = {
  letters: '',
  blank: ' ',
  percent: '%',
  plus: '+',
  star: '*',
  underscore: '_',
  ampersand: '&',
  quote: '"',
  apostrophe: "'",
  angle: '<',
  'line break': '\n',
  comma: ',',
  slash: '/',
  backslash: '\\',
  dot: '.',
  composed: 'é',
  supplementary: '😀',
};

/** Texts that look like something else. */
export const MEANINGS: Readonly<Record<string, string>> = {
  none: '',
  number: '4711',
  'led by zeros': '0017',
  truth: 'true',
  null: 'null',
  operator: 'name.EQ.plain',
  join: 'one OR two',
  capitals: 'UPPER',
};

/** Lengths of a text: a sign of several bytes lies across powers of two, in characters and in bytes. */
export const LENGTHS = ['plain', 'one', 'empty', '64', '255', '256', '1024'] as const;

/** Numbers of a member with a range: its bounds, one to be generated, and around powers of two. */
export const NUMBERS = ['any', 'low', 'high', 'generated', '255', '256', '32767', '32768'] as const;

/** What a member with an object or a list for a value holds. */
export const NESTED = ['sample', 'left out', 'empty', 'another', 'many'] as const;

/** A text of the row: a fresh word, the sign inside it, and the length that is asked for. */
export function textOf(
  word: string,
  { sign = 'letters', length = 'plain', meaning = 'none' }: Readonly<Record<string, string>>,
): string {
  if (meaning !== 'none') return MEANINGS[meaning] ?? '';
  if (length === 'empty') return '';
  const mark = SIGNS[sign] ?? '';
  if (length === 'one') return mark || 'x';
  const wanted = Number(length);
  // A sign begins right before the end of a block.
  return `${Number.isFinite(wanted) ? word.padEnd(wanted - 1, 'l') : word}${mark}b`;
}
