import { spelled } from './text.ts';

type Scrub = (text: string) => string;

let scrub: Scrub = (text) => text;

/** Keeps a login out of everything that is printed or written from now on. */
export function protectOutgoing(next: Scrub): void {
  scrub = next;
}

/** Text without the login of the run: every file and every line goes through here. */
export const scrubbed: Scrub = (text) => scrub(text);

/** Control and format characters, line separators and unpaired surrogates; the tab passes. */
const UNSEEN = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The colors and weights that lines are painted with; never the one that hides text. */
const COLOR = new RegExp(`(${String.fromCharCode(27)}\\[(?:[01234]|2[234]|[34]9|3[0-7]|9[0-7])m)`);

/** A line that no terminal and no CI takes for a command: what is invisible is spelled out. `colored`: with our colors, for a terminal. */
export function inertLine(line: string, colored = false): string {
  const pieces = colored ? line.split(COLOR) : [line];
  return pieces
    .map((piece) => (colored && COLOR.test(piece) ? piece : piece.replace(UNSEEN, spelled)))
    .join('')
    .replace(/^(\s*):(?=:)/, '$1\\u003a')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** JSON in which no CI system finds a command; it reads as before. */
export function inertJson(text: string): string {
  return text
    .replace(/##(?=\w*\[)/g, '#\\u0023')
    .replace(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, spelled);
}
