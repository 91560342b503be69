/** Texts at boundaries, and texts that look like something else. All can be stored by the tables. */
export const TEXTS: readonly string[] = [
  'plain',
  'Plain Text',
  'PLAIN',
  'plain text',
  '007',
  '42',
  '-1',
  '1e3',
  'true',
  'False',
  'null',
  'or',
  'name.EQ.plain',
  'a OR b AND c',
  'GT',
  'one.two.three',
  'ends.',
  'a,b;c|d',
  'a/b\\c',
  "it's",
  'say "so"',
  'two  blanks',
  ' blank at both ends ',
  'a&b <c> &amp; d',
  '100 %+b_%41',
  '*.*',
  'Zürich straße',
  'e\u0301 composed \u00e9',
  'ＡＢＣ',
  '網路 設定',
  'smile 😀 end',
  'ßſ İı',
  'l'.repeat(60),
  'l'.repeat(256),
  'x'.repeat(1200),
];

/** What may follow the unique part of a name. */
export const SUFFIXES: readonly string[] = [
  '',
  '',
  '',
  '007',
  ' two',
  '.dot',
  '_A',
  '%b',
  'é',
  '😀',
  "'q",
  'TRUE',
  '&',
  'z'.repeat(70),
];

/** Integers around the limits of their usual encodings. */
export const INTEGERS: readonly number[] = [
  2, 3, 9, 10, 99, 100, 127, 128, 255, 256, 999, 1000, 9999, 10_000, 32_766, 32_767, 32_768, 32_769, 40_000, 65_518,
  65_519,
];

/** Operands that no stored value holds, as texts. */
export const OPERANDS: readonly string[] = [
  '0',
  '-32769',
  '32768',
  '65536',
  '65545',
  '2147483648',
  '4294967305',
  'nothing',
  '%',
  '_',
  'true',
  'e',
  ' ',
];
