import { describe, expect, it } from 'vitest';
import { learnTheirs } from '../../../../conformance/driver/learn-others.ts';
import { followLinks, isDeadLink } from '../../../../conformance/driver/links.ts';
import { openSession } from '../../../../conformance/driver/open-session.ts';
import { doOthersWrite, missedOther, noticeOthers } from '../../../../conformance/driver/others.ts';
import type { Session } from '../../../../conformance/driver/session.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { TargetError } from '../../../../lib/errors.ts';
import { answerOf, aSession, listAnswer } from '../../../helpers/a-session.ts';

/** A session on a family whose list shows these ids, one answer after the other. */
function answering(...answers: readonly (readonly string[])[]): Session {
  let asked = 0;
  const eventually = async (look: () => Promise<unknown>) => {
    while (asked < answers.length) await look();
    return undefined;
  };
  const context = {
    family: { name: 'sgt', ops: ['list'], filters: [], sorts: [] },
    table: {},
    ledger: { standing: (_family: string, id: string) => (id === 'o' ? 'ours' : undefined), writes: () => 0 },
    send: async () => listAnswer((answers[asked++] ?? []).map((id) => ({ id }))),
    eventually,
  };
  return aSession({ context, eventually: eventually as Session['eventually'] });
}

describe('whether others write', () => {
  it.each([
    [true, 'a a ab ab'],
    [true, 'ab a a a'],
    // A record of ours, and one that a list hides now and then.
    [false, 'a ao ao ao'],
    [false, 'ab a ab a'],
    [false, 'a a a a'],
  ])('is %s if lists show %s', async (isTold, lists) => {
    expect(await doOthersWrite(answering(...lists.split(' ').map((ids) => [...ids])))).toBe(isTold);
  });

  it('is not told by a list whose link leads elsewhere', async () => {
    const nextPage = { href: 'javascript:alert(1)' };
    const send = async () => answerOf({ SearchResult: { total: 2, resources: [{ id: 'a' }], nextPage } });
    const follow = () => Promise.reject(new TargetError('foreign-link', 'the target sent a link outside'));
    const eventually = async (look: () => Promise<unknown>) => look();
    const context = { ...answering().context, send, follow, eventually };
    expect(await doOthersWrite(aSession({ context }))).toBe(false);
  });
});

it('what is learned of the records of others leaves out those of the run: another sequence may remove them at any time', async () => {
  const session = answering(['a', 'o', 'b']);
  (session.context as { table: unknown }).table = { sgt: session.context.family };
  await learnTheirs(session);
  expect([...session.book.values()].map(({ id }) => id)).toEqual(['a', 'b']);
});

/** The whole list of everything in the family, on one page. */
const listOf = (...ids: readonly string[]) => ({
  question: { window: 'list', family: 'sgt', filters: [] } as const,
  shown: { pages: [ids.map((id) => ({ id, record: {} }))], end: 'whole' } as const,
});

it.each([
  [true, 'a ab a'],
  [true, 'ab b'],
  // A record is back.
  [false, 'ab b ab'],
])('lists that the run looks at tell whether others wrote: %s for %s', async (isTold, lists) => {
  const session = answering();
  for (const ids of lists.split(' ')) noticeOthers(session, listOf(...ids));
  expect(await doOthersWrite(session)).toBe(isTold);
});

const missed = (...later: readonly string[]) => {
  const session = answering();
  for (const id of ['a', 'b']) session.others.there.add(id);
  return missedOther(session, listOf('b'), async () => listOf(...later));
};

it('a record of others that a list lacks was missed if it is there later, and removed if it is not', async () => {
  expect((await missed('a', 'b'))?.expected).toMatch(/^the record a,/);
  expect(await missed('b')).toBeUndefined();
});

const family = { ...FAMILIES.sgt, ops: [] };
const context = { table: FAMILIES, family, run: { prefix: 'cfm1' } } as unknown as Session['context'];

it('sessions on one family tell their records apart: no name of one begins as all names of another', async () => {
  const open = (turn: number, isAgain: boolean) =>
    openSession({ ...context, run: { ...context.run, isAgain } }, { isKnown: () => false, turn });
  const opened = await Promise.all([0, 1, 2, 27].flatMap((turn) => [open(turn, false), open(turn, true)]));
  for (const session of opened) {
    const names = Array.from({ length: 60 }, () => `cfm1${session.serial()}`);
    const owners = opened.filter((other) => names.some((name) => name.startsWith(other.own)));
    expect(owners.map((other) => other.own)).toEqual([session.own]);
  }
});

const RIGHT = 'https://node-1:9060/ers/config/sgt/';
const WRONG = 'https://node-1:9060/ers/config/ers/config/sgt/';

/** A session on a target that serves these records under their right paths; what was followed. */
function sessionOn(ids: readonly string[]) {
  const followed: string[] = [];
  const answer = (path: string) => {
    const id = ids.find((each) => path === `/ers/config/sgt/${each}`);
    return id === undefined ? { status: 404, json: {} } : { status: 200, json: { Sgt: { id } } };
  };
  const context = {
    ...{ table: FAMILIES, family: FAMILIES.sgt },
    follow: async (path: string) => {
      followed.push(path);
      return answer(path);
    },
    send: async (_: string, { id }: { readonly id: string }) => answer(`/ers/config/sgt/${id}`),
  };
  const others = { there: new Set(['theirs']) };
  return { session: { context, others, lessons: { links: new Map() } } as unknown as Session, followed };
}

const link = (form: string, id: string) => ({ id, href: `${form}${id}` });

describe('links to records', () => {
  it('are followed once for each form, by their paths alone', async () => {
    const { session, followed } = sessionOn(['1', '2']);
    await followLinks(session, 'sgt', [link(RIGHT, '1'), link(RIGHT, '2'), { id: '1' }]);
    expect(followed).toEqual(['/ers/config/sgt/1']);
  });

  const OTHER = 'https://node-1:9060/ers/config/sxpvpns/';
  it.each([
    ['another form leads to its record', '12', RIGHT, WRONG, true],
    ['another form leads to its record, but not this one', '12', WRONG, RIGHT, false],
    ['none leads to its record, as behind a gateway', '12', WRONG, WRONG, false],
    ['they name another family', '12', OTHER, OTHER, true],
    ['their record is gone', '1', RIGHT, WRONG, false],
  ])('may be dead if they lead nowhere and %s', async (_title, ids, one, other, isDead) => {
    const { session } = sessionOn([...ids]);
    await followLinks(session, 'sgt', [link(one, '1'), link(other, '2')]);
    expect(isDeadLink(session, 'sgt', link(other, '2'))).toBe(isDead);
    expect(isDeadLink(session, 'sgt', { ...link(one, 'theirs'), id: '2' })).toBe(true);
  });
});
