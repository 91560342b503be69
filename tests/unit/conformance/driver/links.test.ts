import { describe, expect, it } from 'vitest';
import { followLinks, isDeadLink } from '../../../../conformance/driver/links.ts';
import type { Session } from '../../../../conformance/driver/session.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';

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
    table: FAMILIES,
    follow: async (path: string) => {
      followed.push(path);
      return answer(path);
    },
    send: async (_: string, { id }: { readonly id: string }) => answer(`/ers/config/sgt/${id}`),
  };
  return { session: { context, lessons: { links: new Map() } } as unknown as Session, followed };
}

const link = (form: string, id: string) => ({ id, href: `${form}${id}` });

describe('links to records', () => {
  it('are followed once for each form, by their paths alone', async () => {
    const { session, followed } = sessionOn(['1', '2']);
    await followLinks(session, 'sgt', [link(RIGHT, '1'), link(RIGHT, '2'), { id: '1' }]);
    expect(followed).toEqual(['/ers/config/sgt/1']);
  });

  it('are dead if they lead nowhere and another form leads to its record', async () => {
    const { session } = sessionOn(['1', '2']);
    await followLinks(session, 'sgt', [link(RIGHT, '1'), link(WRONG, '2')]);
    expect([RIGHT, WRONG].map((form) => isDeadLink(session, 'sgt', link(form, '9')))).toEqual([false, true]);
  });

  it('may all have a form that leads nowhere from here, as behind a gateway', async () => {
    const { session } = sessionOn(['1', '2']);
    await followLinks(session, 'sgt', [link(WRONG, '1'), link(WRONG, '2')]);
    expect(isDeadLink(session, 'sgt', link(WRONG, '1'))).toBe(false);
  });

  it('are dead under the path of another family, if they lead nowhere', async () => {
    const OTHER = 'https://node-1:9060/ers/config/sxpvpns/';
    const { session } = sessionOn(['1', '2']);
    await followLinks(session, 'sgt', [link(OTHER, '1'), link(OTHER, '2')]);
    expect(isDeadLink(session, 'sgt', link(OTHER, '1'))).toBe(true);
  });

  it('tell nothing if their record is gone', async () => {
    const { session } = sessionOn(['1']);
    await followLinks(session, 'sgt', [link(RIGHT, '1'), link(WRONG, '2')]);
    expect(isDeadLink(session, 'sgt', link(WRONG, '2'))).toBe(false);
  });
});
