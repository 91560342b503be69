/**
 * Texts that hold, all in one, what deployments have been seen to confuse. Letters beyond ASCII, surrogate pairs, quotes
 * and markup; percent and plus signs, dots, separators and slashes; words of the query language; runs of blanks, and one
 * at the end. No small letter, so that a change of case shows; longer than 255 characters.
 */
const BEGINNING = 'THE SAME BEGINNING OF EACH OF THEM BEYOND WHAT IS CUT OFF';
const SIGNS = ` ZÜRICH 網路 😀 "Q" 'S' <B>&AMP; 50%25 X+Y A.B,C;D|E /F\\G EQ OR  DOUBLE `;
const PADDING = 'Q7'.repeat(70);
const DENSE = `${BEGINNING}${SIGNS}${PADDING}.TAIL `;

/**
 * The dense text behind a beginning, and texts that are mistaken for it: longer at either end, alike up to a separator, without the
 * blank, with the same last word, with other letters for the percent sign. The first is asked for; each of the others belongs to
 * the answer of another wrong question.
 */
export function denseTexts(start: string): readonly string[] {
  const whole = `${start}${DENSE}`;
  return [
    whole,
    `${whole}X`,
    `${start}W${whole}`,
    `${whole.slice(0, whole.indexOf(','))} OTHERWISE`,
    whole.trimEnd(),
    `${start}ANOTHER END.TAIL `,
    whole.replaceAll('%', 'PCT'),
  ];
}

/** The dense text without any beginning: what a part of a value is asked for. */
export const denseTail = (): string => DENSE;

/** What a text may be mistaken for: a number, or a truth value or nothing. */
export type Likeness = 'digits' | 'words';

/**
 * Texts that look like values of another type. The order of those of digits is one as texts, another as numbers, and a
 * third as texts without the zeros.
 */
export const LOOK_ALIKES = ['0082910', 'no', 'null', '017', 'true', 'FALSE', '09'] as const;

/** Small letters and digits, which every collation orders alike, behind what is the same in all of them. */
const SAME = 'q'.repeat(56);
const ENDINGS = ['m', 'aqq', 'zq', 'c', 'xaa', 'b', 'kzz', 'fq', 'e', 't7', 'dq', 'g', 'hh', 'p', 'oqq', 'n1'] as const;

/** Plain texts that differ far from their beginning, are not of one length, and come in no order. */
export function plainText(index: number): string {
  return `${SAME}${ENDINGS[index % ENDINGS.length]}${index >= ENDINGS.length ? index : ''}`;
}

/** A text of more than a thousand characters that is the same nowhere. */
export function longText(start: string): string {
  let text = `${start}${SIGNS}`;
  for (let part = 100; text.length < 1060; part += 1) text += ` ${part.toString(36).toUpperCase()}`;
  return `${text}.END `;
}
