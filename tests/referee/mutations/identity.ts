import { jsonIn, type Reply, withHeader, withJson, withText } from '../exchange.ts';
import { answering, isCreate, type Mutation, pick, reply, type World } from './mutation.ts';

const located = (id: string, family: string, world: World) => `${world.ownOrigin}/ers/config/${family}/${id}`;

/** Ids that no deployment should give, already fit for a header. */
const MALFORMED = [
  ...['%ED%A0%80', '%', '%zz', '..', '%2e%2e', '..%2f..%2fadmin', '..;', '%00'],
  ...['%0d%0aX-Injected:%201', '%1b[31mred', 'apply', 'clear', 'bulk', 'versioninfo', '%20'],
  ...['@evil.example', `${'a'.repeat(30_000)}`, '-rf', '*', 'a?b', '%3Fx=1', '__proto__'],
  'constructor',
];

/** Creates that were taken, answered in another way; with an id of the family that is not of this run. */
const made = (
  id: string,
  change: (given: Reply, about: { readonly family: string; readonly world: World; readonly foreign: string }) => Told,
): Mutation =>
  answering(id, isCreate, (given, { family }, world) => {
    const ids = world.foreignIds(family);
    return given.status === 201 && ids.length > 0
      ? change(given, { family, world, foreign: pick(world.random, ids) })
      : undefined;
  });
type Told = Reply | undefined | Promise<Reply | undefined>;

const relocated = (id: string, where: (own: string, path: string, elsewhere: string) => string): Mutation =>
  made(id, (given, { family, foreign, world: { ownOrigin, elsewhere } }) =>
    withHeader(given, 'location', where(ownOrigin, `/ers/config/${family}/${foreign}`, elsewhere)),
  );

/** Creates that name a record of somebody else, no record, or something that is no id. */
export const IDENTITY: readonly Mutation[] = [
  relocated('create/location-foreign', (own, path) => own + path),
  relocated('create/location-foreign-relative', (_own, path) => path),
  relocated('create/location-foreign-bare', (_own, path) => path.split('/').at(-1) ?? ''),
  relocated('create/location-foreign-upper', (own, path) => `${own}${path}/`),
  relocated('create/location-elsewhere', (_own, path, elsewhere) => elsewhere + path),
  made('create/location-of-other-family', (given, { family, world }) => {
    const other = pick(
      world.random,
      ['sgt', 'portaltheme', 'hotspotportal', 'sxpvpns'].filter((name) => name !== family),
    );
    const id = pick(world.random, world.foreignIds(other));
    return withHeader(given, 'location', located(id, pick(world.random, [family, other]), world));
  }),
  made('create/location-of-colleague', async (given, { family, world }) => {
    const id = await world.colleague(family);
    return id === undefined ? undefined : withHeader(given, 'location', located(id, family, world));
  }),
  made('create/location-missing', (given) => withHeader(given, 'location', undefined)),
  made('create/location-malformed', (given, { family, world }) =>
    withHeader(given, 'location', located(pick(world.random, MALFORMED), family, world)),
  ),
  made('create/location-twice', (given, { family, world, foreign }) => {
    const both = [String(given.headers['location']), located(foreign, family, world)];
    return withHeader(given, 'location', world.random() < 0.5 ? both : both.reverse());
  }),
  made('create/location-of-earlier', (given, { family, world }) => {
    const earlier = world.told.filter((one) => one.family === family);
    if (earlier.length === 0) return undefined;
    return withHeader(given, 'location', located(pick(world.random, earlier).id, family, world));
  }),
  made('create/body-id-foreign', (given, { world, foreign }) => {
    const id = pick(world.random, [foreign, '\ud800', '\u0000', '../..', '\u001b[2J']);
    return withJson(withHeader(given, 'location', undefined), { Record: { id, name: world.sentNames.at(-1) } });
  }),
  made('create/refused-with-effect', (_given, { world }) =>
    reply(pick(world.random, [400, 409, 500, 503, 422]), {
      ERSResponse: { messages: [{ title: 'refused', type: 'ERROR' }] },
    }),
  ),
  {
    id: 'create/without-effect',
    on: isCreate,
    instead: ({ family }, world) =>
      reply(201, undefined, {
        location: located(`${Math.floor(world.random() * 1e9).toString(16)}-never-made`, family, world),
      }),
  },
  made('create/cut', (given) => ({ ...given, delivery: { cutAfter: 0 } })),
  made('create/twice', (given) => withText({ ...given, status: 200 }, '')),
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
