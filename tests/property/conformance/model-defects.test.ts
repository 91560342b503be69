import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Write } from '../../../conformance/model/history.ts';
import type {
  ListQuestion,
  Observation,
  ReadQuestion,
  ShownEntry,
  ShownList,
} from '../../../conformance/model/observation.ts';
import type { Defect } from '../../../reference/defects/defect.ts';
import { generate, generatedLines, sampleLines } from '../../../reference/defects/generated/generated.ts';
import { lineId } from '../../../reference/defects/generated/line.ts';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { inProcess } from '../../helpers/in-process.ts';
import {
  judged,
  type Played,
  type Pool,
  type Program,
  play,
  programs,
  questionsOf,
  SUBJECTS,
} from '../../helpers/programs.ts';

/** Texts whose every comparison is decided: small letters, some of which go on where others end. */
const WORDS = ['beta', 'betamax', 'xbeta', 'xbetax', 'alpha', 'alphabet', 'gamma', 'zeta', 'eta', 'delta', 'theta'];
const PLAIN: Pool = {
  names: WORDS,
  texts: WORDS,
  operands: [...WORDS, 'et', 'al', 'mma', '10', '100', 'true'],
  numbers: [9, 10, 11, 99, 100, 101, 1000, 2, 65519],
  isPlain: true,
};

/** Texts with signs, whose order is open. */
const SIGNS = ['a.b', 'a.b.c', 'axb', 'a%b', 'm\u00fc  ller', '\u6f22\u5b57'];
const SIGNED: Pool = { ...PLAIN, names: [...SIGNS, ...WORDS], texts: SIGNS, operands: SIGNS };

type Records = Readonly<Record<string, unknown>>;
type Question = ReadQuestion | ListQuestion;

const isList = (question: Question): question is ListQuestion => question.window === 'list';

/** True if two answers show another value of a member; one that lacks it shows none, unless nothing may be left out. */
function isOther(one: Records = {}, other: Records = {}, isWhole = false): boolean {
  const members = ['name', 'description', 'value', 'propogateToApic', 'sgtId', 'virtualnetworklist'];
  return members.some((member) => {
    const [left, right] = [one[member], other[member]].map((value) =>
      Array.isArray(value) && value.length === 0 ? undefined : value,
    );
    if (!isWhole && (left === undefined || right === undefined)) return false;
    return JSON.stringify(left) !== JSON.stringify(right);
  });
}

/** What is decided of a list: how it ends, the size of its pages, its known records, in order if it is sorted. */
function listed(
  question: ListQuestion,
  { pages, end }: ShownList,
  ids: readonly string[],
  isOurs: (entry: ShownEntry) => boolean,
): string {
  const { sort, size = 1000 } = question;
  const isSized = pages.every(({ length }, at) => length === size || (length <= size && at === pages.length - 1));
  const known = pages.flat().flatMap(({ id }) => (ids.includes(id) ? [ids.indexOf(id)] : []));
  const strays = pages.flat().filter((entry) => !ids.includes(entry.id) && isOurs(entry)).length;
  return JSON.stringify([end, strays, isSized, sort === undefined ? known.sort() : known]);
}

/** True if two deployments with the same records visibly answer differently of them, in something that is decided. */
function differs(
  question: Question,
  one: readonly [Observation, Played],
  other: readonly [Observation, Played],
  isOurs: (entry: ShownEntry) => boolean,
): boolean {
  const [[{ shown: left }, { ids }], [{ shown: right }, { ids: otherIds }]] = [one, other];
  if ('pages' in left && 'pages' in right && isList(question)) {
    if (listed(question, left, ids, isOurs) !== listed(question, right, otherIds, isOurs)) return true;
    const entries = new Map(left.pages.flat().map(({ id, record }) => [ids.indexOf(id), record]));
    return right.pages
      .flat()
      .some(({ id, record }) => otherIds.includes(id) && isOther(entries.get(otherIds.indexOf(id)), record));
  }
  if (!('record' in left) || !('record' in right)) return false;
  if (left.status < 300 !== right.status < 300) return true;
  const place = ({ record }: typeof left, all: readonly string[]) => all.findIndex((id) => id === record?.['id']);
  if (left.record !== undefined && place(left, ids) !== place(right, otherIds)) return true;
  return isOther(left.record, right.record, question.window === 'read' && left.form === 'json');
}

/** How much a look asks at once: what a plainer one shows too is named by that. */
function weight(question: Question): number {
  if (!isList(question)) return question.window === 'view' ? 2 : question.form === 'xml' ? 1 : 0;
  const { filters, sort, size, join, family } = question;
  return (
    3 +
    4 * filters.length +
    [sort, size, join, family === 'portal' || undefined].filter((each) => each !== undefined).length
  );
}

const isNamed = (violates: readonly string[], requirement: string): boolean =>
  violates.some((each) => new RegExp(`^${each.replaceAll('*', '.*')}$`).test(requirement));

interface Score {
  /** Looks at which the defect shows. */
  readonly shows: number;
  /** Of these, those of which the oracle says nothing. */
  readonly silent: readonly string[];
  /** Requirement that is named by the plainest look at which it shows; undefined if the defect violates it. */
  readonly misnamed: string | undefined;
}

const written = (history: readonly Write[]): string => JSON.stringify(history.map(({ id: _id, ...rest }) => rest));

/** Each question with the plainer one that it holds: what that shows too is named by it. */
const plainer = (question: Question): readonly Question[] =>
  isList(question) ? [{ ...question, sort: undefined, size: undefined }, question] : [question];

/** Records of a program alone: their names are of the program. */
const namesOf = (history: readonly Write[]) => new Set(history.map(({ sent }) => sent['name']));

interface Shown {
  readonly question: Question;
  readonly found: string | undefined;
  readonly text: string;
}

/** Plays a program on a sound deployment and on one with the defect: the looks after each write at which they differ. */
async function compared(program: Program, defect: Defect): Promise<readonly Shown[]> {
  const [sound, wrong] = [inProcess([]), inProcess([defect])];
  const others = play(wrong, program);
  const all: Shown[] = [];
  let done = 0;
  for await (const right of play(sound, program)) {
    done += 1;
    const played = (await others.next()).value as Played;
    // A write that the one refused and the other took makes other records.
    if (written(right.history) !== written(played.history)) break;
    const asked = { ...program, queries: done === program.acts.length ? program.queries : [] };
    const again = questionsOf(asked, played).flatMap(plainer);
    for (const [at, question] of questionsOf(asked, right).flatMap(plainer).entries()) {
      const other = again[at] as Question;
      const [expected, seen] = [await sound.look(question), await wrong.look(other)];
      const names = namesOf(played.history);
      const isOurs = ({ record }: { readonly record: Records }) => names.has(record['name']);
      if (!differs(question, [expected, right], [seen, played], isOurs)) continue;
      const found = judged(played, seen, { caseRule: 'sensitive', isOurs });
      const text = JSON.stringify({
        other,
        found,
        shown: seen.shown,
        expected: expected.shown,
        history: played.history,
      });
      all.push({ question: other, found: found?.requirement, text });
    }
  }
  return all;
}

/** Compares what two deployments show with what the oracle says of the one with the defect. */
async function scored(defect: () => Defect, pool: Pool, most: number): Promise<Score> {
  const shown: Shown[] = [];
  for (const program of fc.sample(programs(pool), { seed: 1, numRuns: most })) {
    shown.push(...(await compared(program, defect())));
    if (shown.length > 20) break;
  }
  const silent = shown.flatMap(({ found, text }) => (found === undefined ? [text] : []));
  const named = shown
    .filter(({ found }) => found !== undefined)
    .sort((a, b) => weight(a.question) - weight(b.question));
  const [first] = named;
  const isRight = first?.found === undefined || isNamed(defect().violates, first.found);
  return { shows: shown.length, silent, misnamed: isRight ? undefined : `${first?.found} ${first?.text}` };
}

/** Some defects show on texts with signs, or on records that lack a member. */
const poolOf = (id: string): Pool =>
  /^M(03|37|38)$/.test(id) ? SIGNED : id === 'M41' ? { ...PLAIN, isPlain: false } : PLAIN;

const LISTS = /^M(0[1235]|1[0-7]|2[0789]|3\d|4\d)$/;

describe('the oracle and a defect that shows', () => {
  it.each(
    DEFECTS.filter(({ id }) => LISTS.test(id)).map((defect) => [`${defect.id} ${defect.title}`, defect] as const),
  )('disagree: %s', async (_title, defect) => {
    const { shows, silent, misnamed } = await scored(() => defect, poolOf(defect.id), 120);
    console.log(defect.id, shows, silent.length, misnamed);
    expect(silent).toEqual([]);
    expect(shows).toBeGreaterThan(0);
    expect(misnamed).toBeUndefined();
  });

  it('disagree on generated defects', async () => {
    const families: readonly string[] = [...SUBJECTS.map(({ family }) => family), 'portal'];
    const lines = generatedLines().filter(
      ({ operator, place, trigger }) =>
        trigger === 'always' &&
        families.includes(place.family) &&
        /^(filter|join|sort|page|seen|written|neighbor|id|stale)-/.test(operator),
    );
    const total = { shows: 0, silent: 0, misnamed: 0, lines: 0, shown: 0 };
    for (const line of sampleLines(lines, 200, 1)) {
      const { shows, silent, misnamed } = await scored(() => generate(line).defect, PLAIN, 25);
      total.lines += 1;
      total.shows += shows;
      total.silent += silent.length;
      if (shows > 0) total.shown += 1;
      if (misnamed !== undefined) total.misnamed += 1;
      if (silent.length > 0 || misnamed !== undefined)
        console.log(
          lineId(line),
          shows,
          silent.length,
          misnamed?.slice(0, 1200),
          JSON.stringify(silent[0])?.slice(0, 1800),
        );
    }
    console.log(JSON.stringify(total));
  }, 300_000);
});
