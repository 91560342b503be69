import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Write } from '../../../conformance/model/history.ts';
import type { ListQuestion, Observation, ReadQuestion, ShownList } from '../../../conformance/model/observation.ts';
import type { Defect } from '../../../reference/defects/defect.ts';
import { generate, generatedLines, sampleLines } from '../../../reference/defects/generated/generated.ts';
import { lineId } from '../../../reference/defects/generated/line.ts';
import { DEFECTS } from '../../../reference/defects/table.ts';
import { inProcess } from '../../helpers/in-process.ts';
import { judged, type Played, type Pool, play, programs, questionsOf, SUBJECTS } from '../../helpers/programs.ts';

/** Texts whose every comparison is decided: small letters, some of which go on where others end; and dots, that no pattern may eat. */
const WORDS = ['beta', 'betamax', 'xbeta', 'xbetax', 'alpha', 'alphabet', 'gamma', 'zeta', 'eta', 'delta', 'theta'];
const PLAIN: Pool = {
  names: [...WORDS, 'a.b', 'a.b.c', 'axb', 'm\u00fc  ller'],
  texts: [...WORDS, 'b.a', 'bxa', '\u6f22\u5b57'],
  operands: [...WORDS, 'et', 'al', 'mma', '10', '100', 'true', 'a.b', 'b.a', 'a.b.c'],
  numbers: [9, 10, 11, 99, 100, 101, 1000, 2, 65519],
  isPlain: true,
};

type Records = Readonly<Record<string, unknown>>;
type Question = ReadQuestion | ListQuestion;

const isList = (question: Question): question is ListQuestion => question.window === 'list';

/** True if two answers show another value of a member; one that lacks it shows none, unless nothing may be left out. */
function isOther(one: Records = {}, other: Records = {}, isWhole = false): boolean {
  const members = ['name', 'description', 'value', 'propogateToApic', 'settings', 'sgtId', 'virtualnetworklist'];
  return members.some((member) => {
    const [left, right] = [one[member], other[member]];
    if (!isWhole && (left === undefined || right === undefined)) return false;
    return JSON.stringify(left) !== JSON.stringify(right);
  });
}

/** What is decided of a list: how it ends, the size of its pages, its known records, in order if it is sorted. */
function listed(question: ListQuestion, { pages, end }: ShownList, ids: readonly string[]): string {
  const { sort, size = 1000 } = question;
  const isSized = pages.every(({ length }, at) => length === size || (length <= size && at === pages.length - 1));
  const known = pages.flat().flatMap(({ id }) => (ids.includes(id) ? [ids.indexOf(id)] : []));
  return JSON.stringify([end, isSized, sort === undefined ? known.sort() : known]);
}

/** True if two deployments with the same records visibly answer differently of them, in something that is decided. */
function differs(
  question: Question,
  one: readonly [Observation, Played],
  other: readonly [Observation, Played],
): boolean {
  const [[{ shown: left }, { ids }], [{ shown: right }, { ids: otherIds }]] = [one, other];
  if ('pages' in left && 'pages' in right && isList(question)) {
    if (listed(question, left, ids) !== listed(question, right, otherIds)) return true;
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
  readonly silent: readonly unknown[];
  /** Requirement that is named by the plainest look at which it shows; undefined if the defect violates it. */
  readonly misnamed: string | undefined;
}

const facts = (history: readonly Write[]): string => JSON.stringify(history.map(({ id: _id, ...rest }) => rest));

/** Plays programs on a sound deployment and on one with the defect, and compares what both show with what the oracle says. */
async function scored(
  defect: () => Defect,
  { seed, most }: { readonly seed: number; readonly most: number },
): Promise<Score> {
  let shows = 0;
  const silent: unknown[] = [];
  let plainest:
    | { readonly weight: number; readonly name: string; readonly isRight: boolean; readonly text: string }
    | undefined;
  for (const program of fc.sample(programs(PLAIN), { seed, numRuns: most })) {
    const made = defect();
    const [sound, wrong] = [inProcess([]), inProcess([made])];
    const [right, played] = [await play(sound, program), await play(wrong, program)];
    // A write that the one refused and the other took makes other records.
    if (facts(right.history) !== facts(played.history)) continue;
    const again = questionsOf(program, played);
    for (const [at, question] of questionsOf(program, right).entries()) {
      const other = again[at] as Question;
      const [expected, seen] = [await sound.look(question), await wrong.look(other)];
      if (!differs(question, [expected, right], [seen, played])) continue;
      shows += 1;
      const found = judged(played, seen, { caseRule: 'sensitive' });
      if (found === undefined)
        silent.push({ question: other, shown: seen.shown, expected: expected.shown, history: played.history });
      else if (plainest === undefined || weight(question) < plainest.weight)
        plainest = {
          weight: weight(question),
          name: found.requirement,
          isRight: isNamed(made.violates, found.requirement),
          text: JSON.stringify({ question: other, found, history: played.history }),
        };
    }
    if (shows > 20) break;
  }
  const misnamed = plainest === undefined || plainest.isRight ? undefined : plainest.name + plainest.text;
  return { shows, silent, misnamed };
}

const LISTS = /^M(0[1235]|1[0-7]|2[0789]|3\d|4\d)$/;

describe('the oracle and a defect that shows', () => {
  it.each(
    DEFECTS.filter(({ id }) => LISTS.test(id)).map((defect) => [`${defect.id} ${defect.title}`, defect] as const),
  )('disagree: %s', async (_title, defect) => {
    const { shows, silent, misnamed } = await scored(() => defect, { seed: 1, most: 60 });
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
      const { shows, silent, misnamed } = await scored(() => generate(line).defect, { seed: 3, most: 25 });
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
