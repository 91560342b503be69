import { MEANINGS, SIGNS } from '../pairs/values.ts';

/** Texts that are drawn at random: each sign and meaning, and what is not worth a level of its own. All can be stored by the tables. */
export const TEXTS: readonly string[] = [
  ...Object.values(SIGNS).map((sign) => `plain${sign}text`),
  ...Object.values(MEANINGS).filter((text) => text !== ''),
  ...['Plain Text', '007', '-1', '1e3', '1.50', 'False', 'yes', 'or', 'AND', 'GT', 'a OR b AND c'],
  ...['one.two.three', 'ends.'],
  ...['a,b;c|d', 'two  blanks', ' blank at both ends ', 'blank at end ', 'a&b <c> &amp; d', '100 %+b_%41', '*.*'],
  ...['e\u0301 composed \u00e9', 'ＡＢＣ', '網路 設定', 'ßſ İı', 'l'.repeat(60), 'l'.repeat(256), 'x'.repeat(1200)],
];

/** What may follow the unique part of a name. */
export const ENDINGS: readonly string[] = [...Object.values(SIGNS), '007', 'TRUE', '%41', 'z'.repeat(70)];

/** Numbers around the limits of their usual encodings. */
export const INTEGERS: readonly number[] = [
  ...[2, 3, 9, 10, 99, 100, 127, 128, 255, 256, 999, 1000, 9999, 10_000],
  ...[32_766, 32_767, 32_768, 32_769, 40_000, 65_518, 65_519],
];

/** Operands that no stored value holds. */
export const OPERANDS: readonly string[] = [
  ...['0', '-32769', '32768', '65536', '65545', '2147483648', '4294967305'],
  ...['nothing', '%', '_', 'true', 'e', ' '],
];
