import { afterEach, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import { runAgainst } from '../../../helpers/conformance-run.ts';
import { type Answered, startTinyTarget, type TinyTarget } from '../../../helpers/tiny-target.ts';

const TABLE = { portaltheme: FAMILIES.portaltheme };
const FAMILY = '/ers/config/portaltheme';
const VICTIM = '11111111-1111-4111-8111-111111111111';

let target: TinyTarget;
afterEach(() => target.close());

type Asked = { readonly method: string; readonly path: string; readonly body: string };
type Standard = (asked: Asked) => Answered;

const isCreate = ({ method, path }: Asked) => method === 'POST' && path === FAMILY;
const isRead = ({ method, path }: Asked, id: string) => method === 'GET' && path === `${FAMILY}/${id}`;

/** A deployment with a record of somebody else's that lies as the attack says; what was sent to that record. */
async function attack(lie: (asked: Asked, standard: Standard) => Answered | undefined, victim = VICTIM) {
  const held = { id: victim, name: 'of somebody else', description: 'keep' };
  let alive = true;
  target = await startTinyTarget(TABLE, (asked, standard) => {
    const lied = lie(asked, standard);
    if (lied !== undefined) return lied;
    if (isRead(asked, victim)) return alive ? { status: 200, body: { PortalTheme: held } } : { status: 404 };
    if (asked.method === 'DELETE' && asked.path === `${FAMILY}/${victim}`) alive = false;
    if (asked.method === 'GET' && asked.path.startsWith(`${FAMILY}?`)) {
      const listed = standard(asked).body as { SearchResult: { total: number; resources: unknown[] } };
      const resources = [...(alive ? [{ id: victim, name: held.name }] : []), ...listed.SearchResult.resources];
      return { status: 200, body: { SearchResult: { total: resources.length, resources } } };
    }
    return undefined;
  });
  const run = await runAgainst(
    { baseUrl: target.baseUrl },
    { table: TABLE, mode: 'own-data', seed: 1, visibilityMs: 40, checks: ['record/*', 'filter/*'] },
  );
  const sent = target.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith(`${FAMILY}/${victim}`));
  return { run, sent };
}

const location = (id: string): Answered => ({ status: 201, headers: { Location: `${FAMILY}/${id}` } });
const inBody = (id: string): Answered => ({ status: 201, body: { PortalTheme: { id } } });

/** Stores the record of a create, and answers with something else. */
function storeAndAnswer(asked: Asked, standard: Standard, answer: Answered): Answered | undefined {
  if (!isCreate(asked)) return undefined;
  standard(asked);
  return answer;
}

describe('a record of somebody else', () => {
  it.each<[string, (asked: Asked, standard: Standard) => Answered | undefined]>([
    ['its id stands in the Location of a create', (...asked) => storeAndAnswer(...asked, location(VICTIM))],
    ['its id stands in the body of the answer to a create', (...asked) => storeAndAnswer(...asked, inBody(VICTIM))],
    [
      'the name filter answers with its id under our name',
      (asked, standard) => {
        if (isCreate(asked)) return storeAndAnswer(asked, standard, { status: 201 });
        const name = /filter=name\.EQ\.([^&]+)/.exec(asked.path)?.[1];
        if (name === undefined) return undefined;
        const resources = [{ id: VICTIM, name: decodeURIComponent(name) }];
        return { status: 200, body: { SearchResult: { total: 1, resources } } };
      },
    ],
  ])('gets no write where %s', async (how, lie) => {
    const { run, sent } = await attack(lie);
    expect(sent).toEqual([]);
    expect(run.results.find(({ checkId }) => checkId === 'record/create')).toMatchObject({ verdict: 'fail' });
    // What a search shows was never given for a record of the run.
    const given = how.startsWith('its id') ? [{ family: 'portaltheme', id: VICTIM }] : [];
    expect(run.cleanup.leftAlone ?? []).toMatchObject(given);
    expect(run.cleanup.fingerprint?.equal).toBe(true);
    expect(target.records('portaltheme')).toEqual([]);
  });

  it('gets no write where every read of it answers with our name', async () => {
    let name = '';
    const { sent, run } = await attack((asked, standard) => {
      if (isCreate(asked)) {
        name = JSON.parse(asked.body).PortalTheme?.name ?? name;
        return storeAndAnswer(asked, standard, location(VICTIM));
      }
      if (isRead(asked, VICTIM) && name !== '') return { status: 200, body: { PortalTheme: { id: VICTIM, name } } };
      return undefined;
    });
    expect(sent).toEqual([]);
    expect(run.results.find(({ checkId }) => checkId === 'record/create')).toMatchObject({ verdict: 'fail' });
  });

  it('fails the create also where a single one was answered with its id', async () => {
    let creates = 0;
    const { run, sent } = await attack((asked, standard) => {
      if (isCreate(asked)) creates += 1;
      return creates === 9 ? storeAndAnswer(asked, standard, location(VICTIM)) : undefined;
    });
    expect(sent).toEqual([]);
    expect(run.results.find(({ checkId }) => checkId === 'record/create')).toMatchObject({
      requirement: 'OP-portaltheme-C',
      verdict: 'fail',
    });
  });

  it('gets no write where it was made while the run was on', async () => {
    const late = '22222222-2222-4222-8222-222222222222';
    const { run } = await attack((asked, standard) => {
      if (isCreate(asked)) return storeAndAnswer(asked, standard, location(late));
      if (isRead(asked, late)) return { status: 200, body: { PortalTheme: { id: late, name: 'made meanwhile' } } };
      return undefined;
    });
    expect(target.requests.filter(({ method, path }) => method !== 'GET' && path.includes(late))).toEqual([]);
    expect(run.results.find(({ checkId }) => checkId === 'record/create')).toMatchObject({ verdict: 'fail' });
    expect(run.cleanup.leftAlone).toMatchObject([{ id: late, name: 'made meanwhile' }]);
    expect(target.records('portaltheme')).toEqual([]);
  });

  // Which ids are malformed, the tests of bounds say.
  it.each(['\ud800', 'a/../b'])('and a malformed id %j ends the creates, and what stays is listed', async (id) => {
    const { run } = await attack((asked, standard) => storeAndAnswer(asked, standard, inBody(id)));
    expect(target.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(run.cleanup.leftAlone).toMatchObject([{ family: 'portaltheme' }]);
    expect(run.faults).toEqual([]);
    expect(target.records('portaltheme')).toEqual([]);
  });
});

it('a family whose list has no end gets no create', async () => {
  const { run } = await attack((asked) =>
    asked.method === 'GET' && asked.path.split('?')[0] === FAMILY ? { status: 500 } : undefined,
  );
  expect(target.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(run.cleanup.fingerprint?.equal).toBe(false);
});
