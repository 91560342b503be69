import type { ExitCode } from '../../exit-codes.ts';
import type { Figure, Reason, Statement } from '../../records/answer.ts';
import type { CellReport } from '../../records/load/load.ts';

/** A figure that cells measured. Throws `RangeError` if there is no cell, or one that is not valid. */
export function measured(text: string, cells: readonly Pick<CellReport, 'id' | 'verdict'>[]): Figure {
  const invalid = cells.find(({ verdict }) => verdict === 'invalid');
  if (invalid !== undefined) throw new RangeError(`${text} rests on the invalid cell ${invalid.id}`);
  if (cells.length === 0) throw new RangeError(`${text} rests on no cell`);
  return { text, from: cells.map(({ id }) => ({ kind: 'cell', id })) };
}

/** A figure that checks showed, such as a number of failures. Throws `RangeError` if there is none. */
export function shown(text: string, checks: readonly { readonly checkId: string }[]): Figure {
  if (checks.length === 0) throw new RangeError(`${text} rests on no check`);
  return { text, from: [...new Set(checks.map(({ checkId }) => checkId))].map((id) => ({ kind: 'check', id })) };
}

type Words = Statement['words'];

/** Words of a template, with the figures and the statements in their places. */
export const words = (parts: TemplateStringsArray, ...values: readonly (string | number | Figure | Words)[]): Words =>
  parts.flatMap((part, at): Words => {
    const value = values[at];
    const own = value === undefined ? [] : typeof value === 'number' ? [String(value)] : value;
    return [part, ...(Array.isArray(own) ? own : [own])].filter((word) => word !== '') as Words;
  });

export const say = (about: string, says: string, said: string | Words): Statement => ({
  about,
  says,
  words: typeof said === 'string' ? [said] : said,
});

export const joined = (statements: readonly Statement[]): Words =>
  statements.flatMap(({ words: own }, at) => (at === 0 ? own : ['; ', ...own]));

/** A reason of which nothing but its words is told; they are what it is about, unless that is named. */
export const because = (code: ExitCode, text: string, about = text): Reason => ({ ...say(about, 'so', text), code });
