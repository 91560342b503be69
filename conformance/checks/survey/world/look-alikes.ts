import type { JsonObject } from '../../../../lib/wire/answer.ts';
import { nameMember } from '../../../kit/fields.ts';
import type { Likeness } from './texts.ts';
import { textMembers } from './wanted.ts';
import type { World } from './world.ts';

/** Zeros and more, so that these texts have one order as texts, another as numbers, and a third without the zeros. */
const ZEROS = ['0082', '017', '09', '05', '0061'] as const;
const NAMES = ['null', 'true', 'false', 'yes'] as const;
const WORDS = ['TRUE', 'no', 'null', 'FALSE'] as const;

/** Number of the family, as the names of its survey end with it. */
const numberOf = ({ start }: World): number => Number.parseInt(start.slice(-1), 36);

/** A name of digits alone that nobody else has: zeros first, then the number of this run and of the family. */
function digitsName(world: World, turn: number): string {
  const run = Number.parseInt(world.context.run.prefix.replace(/[^0-9a-f]/gi, '').slice(-8), 16) % 10 ** 8;
  return `${ZEROS[turn % ZEROS.length]}${String(run).padStart(8, '0')}${String(numberOf(world)).padStart(2, '0')}`;
}

/** A word in letters of both cases, others in each family: hardly anybody has a record of that name. */
function wordName(world: World, turn: number): string {
  const capitals = 1 + numberOf(world);
  return [...(NAMES[turn % NAMES.length] ?? '')]
    .map((letter, at) => ((capitals >> at) % 2 === 1 ? letter.toUpperCase() : letter))
    .join('');
}

/** Texts of one likeness for every text that a write may choose, the name among them; others for each of four turns. */
export function lookAlikeTexts(world: World, likeness: Likeness, turn: number): JsonObject {
  const name = nameMember(world.family) ?? 'name';
  const isDigits = likeness === 'digits';
  const texts = textMembers(world.family).map((member, at): [string, string] => {
    if (member === name) return [member, (isDigits ? digitsName : wordName)(world, turn)];
    return [member, isDigits ? `0${turn}73${at}10` : (WORDS[(turn + at) % WORDS.length] ?? '')];
  });
  return Object.fromEntries(texts);
}
