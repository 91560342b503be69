import { jsonIn, type Reply, withHeader, withJson, withText } from '../exchange.ts';
import { answering, isCreate, type Mutation, pick, reply, type World } from './mutation.ts';

const stored = (given: Reply) => given.status === 201;
const located = (id: string, family: string, world: World) => `${world.ownOrigin}/ers/config/${family}/${id}`;

/** Ids that no deployment should give, already fit for a header. */
const MALFORMED = [
  '%ED%A0%80',
  '%',
  '%zz',
  '..',
  '%2e%2e',
  '..%2f..%2fadmin',
  '..;',
  '%00',
  '%0d%0aX-Injected:%201',
  '%1b[31mred',
  'apply',
  'clear',
  'bulk',
  'versioninfo',
  '%20',
  '@evil.example',
  `${'a'.repeat(30_000)}`,
  '-rf',
  '*',
  'a?b',
  '%3Fx=1',
  '__proto__',
  'constructor',
];

function relocated(id: string, where: string): Mutation {
  return {
    id,
    on: isCreate,
    answer: (given, { family }, world) => {
      if (!stored(given)) return undefined;
      const foreign = world.foreignIds(family);
      if (foreign.length === 0) return undefined;
      const target = pick(world.random, foreign);
      return withHeader(
        given,
        'location',
        where
          .replace('{own}', world.ownOrigin)
          .replace('{elsewhere}', world.elsewhere)
          .replace('{family}', family)
          .replace('{id}', target),
      );
    },
  };
}

/** Creates that name a record of somebody else, no record, or something that is no id. */
export const IDENTITY: readonly Mutation[] = [
  relocated('create/location-foreign', '{own}/ers/config/{family}/{id}'),
  relocated('create/location-foreign-relative', '/ers/config/{family}/{id}'),
  relocated('create/location-foreign-bare', '{id}'),
  relocated('create/location-foreign-upper', '{own}/ers/config/{family}/{id}/'),
  relocated('create/location-elsewhere', '{elsewhere}/ers/config/{family}/{id}'),
  answering('create/location-of-other-family', isCreate, (given, { family }, world) => {
    const other = pick(
      world.random,
      ['sgt', 'portaltheme', 'hotspotportal', 'sxpvpns'].filter((name) => name !== family),
    );
    const ids = world.foreignIds(other);
    if (!stored(given) || ids.length === 0) return undefined;
    return withHeader(given, 'location', located(pick(world.random, ids), pick(world.random, [family, other]), world));
  }),
  answering('create/location-of-colleague', isCreate, async (given, { family }, world) => {
    const id = stored(given) ? await world.colleague(family) : undefined;
    return id === undefined ? undefined : withHeader(given, 'location', located(id, family, world));
  }),
  answering('create/location-missing', isCreate, (given) =>
    stored(given) ? withHeader(given, 'location', undefined) : undefined,
  ),
  answering('create/location-malformed', isCreate, (given, { family }, world) =>
    stored(given) ? withHeader(given, 'location', located(pick(world.random, MALFORMED), family, world)) : undefined,
  ),
  answering('create/location-twice', isCreate, (given, { family }, world) => {
    const ids = world.foreignIds(family);
    const own = given.headers['location'];
    if (!stored(given) || ids.length === 0 || typeof own !== 'string') return undefined;
    const both = [own, located(pick(world.random, ids), family, world)];
    return withHeader(given, 'location', world.random() < 0.5 ? both : both.reverse());
  }),
  answering('create/location-of-earlier', isCreate, (given, { family }, world) => {
    const earlier = world.told.filter((one) => one.family === family);
    if (!stored(given) || earlier.length === 0) return undefined;
    return withHeader(given, 'location', located(pick(world.random, earlier).id, family, world));
  }),
  answering('create/body-id-foreign', isCreate, (given, { family }, world) => {
    const ids = world.foreignIds(family);
    if (!stored(given) || ids.length === 0) return undefined;
    const id = pick(world.random, [...ids, '\ud800', '\u0000', '../..', '\u001b[2J']);
    return withJson(withHeader(given, 'location', undefined), { Record: { id, name: world.sentNames.at(-1) } });
  }),
  answering('create/refused-with-effect', isCreate, (given, _asked, world) =>
    stored(given)
      ? reply(pick(world.random, [400, 409, 500, 503, 422]), {
          ERSResponse: { messages: [{ title: 'refused', type: 'ERROR' }] },
        })
      : undefined,
  ),
  {
    id: 'create/without-effect',
    on: isCreate,
    instead: ({ family }, world) =>
      reply(201, undefined, {
        location: located(`${Math.floor(world.random() * 1e9).toString(16)}-never-made`, family, world),
      }),
  },
  answering('create/cut', isCreate, (given) => (stored(given) ? { ...given, delivery: { cutAfter: 0 } } : undefined)),
  answering('create/twice', isCreate, (given) => (stored(given) ? withText({ ...given, status: 200 }, '') : undefined)),
  answering(
    'read/name-of-ours',
    ({ op }) => op === 'read',
    (given, { id, family }, world) => {
      const name = world.sentNames.at(-1);
      const text = given.body.toString('utf8');
      if (name === undefined || given.status !== 200 || !world.foreignIds(family).includes(id ?? '')) return undefined;
      return withText(given, text.replace(/"name"\s*:\s*"[^"]*"/, `"name":${JSON.stringify(name)}`));
    },
  ),
  answering(
    'read/id-foreign',
    ({ op }) => op === 'read',
    (given, { id, family }, world) => {
      const ids = world.foreignIds(family);
      if (given.status !== 200 || ids.length === 0 || id === undefined || jsonIn(given) === undefined) return undefined;
      return withText(given, given.body.toString('utf8').replaceAll(id, pick(world.random, ids)));
    },
  ),
];
