import { withText } from '../exchange.ts';
import { answering, isAnything, type Mutation, pick, reply } from './mutation.ts';

const on =
  (...ops: readonly string[]): Mutation['on'] =>
  ({ op }) =>
    op !== undefined && ops.includes(op);

/** Each write, whose answer may be lost after it was done. */
const WRITES = ['create', 'update', 'delete', 'apply', 'clear', 'bulkSubmit'] as const;

/** Writes that are answered with success and do nothing, do something else, or do it although they were refused. */
export const EFFECTS: readonly Mutation[] = [
  { id: 'delete/without-effect', on: on('delete'), instead: () => reply(204) },
  { id: 'delete/without-effect-404', on: on('delete'), instead: () => reply(404, {}) },
  answering('delete/refused-with-effect', on('delete'), (_given, _asked, { random }) =>
    reply(pick(random, [400, 403, 500, 503]), {}),
  ),
  ...['lost', 'done'].map((how) =>
    answering(`delete/${how}-and-handed-on`, on('delete'), async (given, { family, id }, { random, handOn }) => {
      if (given.status >= 300 || id === undefined) return undefined;
      await handOn(family, id);
      return how === 'lost' ? reply(pick(random, [500, 503, 302]), {}) : undefined;
    }),
  ),
  answering('colleague/takes-over', isAnything, async (_given, _asked, { random, told, takeOver }) => {
    if (told.length === 0) return undefined;
    const { family, id } = pick(random, told);
    await takeOver(family, id, random() < 0.5 ? 'renames' : 'makes anew');
    return undefined;
  }),
  ...WRITES.map((op) =>
    answering(`lost/${op}`, on(op), (given, _asked, { random }) =>
      random() < 0.5
        ? { ...given, delivery: random() < 0.5 ? { silent: true } : { cutAfter: 0 } }
        : reply(pick(random, [500, 502, 504, 302]), {}),
    ),
  ),
  answering('bulk/success-of-another', on('bulkMonitor'), (given, { family }, world) => {
    const ids = world.foreignIds(family.startsWith('bulk') ? family.slice(4) : family);
    if (ids.length === 0) return undefined;
    const text = given.body.toString('utf8');
    const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
    return withText(given, text.replace(uuid, () => pick(world.random, ids)).replaceAll('"FAIL"', '"SUCCESS"'));
  }),
  {
    id: 'update/without-effect',
    on: on('update'),
    instead: () => reply(200, { UpdatedFieldsList: { updatedField: [] } }),
  },
  { id: 'update/refused-with-effect', on: on('update'), answer: () => reply(400, {}) },
  { id: 'read/gone', on: on('read'), answer: (given) => (given.status === 200 ? reply(404, {}) : undefined) },
  answering('read/still-there', on('read'), (given, { id }) =>
    given.status === 404 ? reply(200, { Record: { id, name: 'still there' } }) : undefined,
  ),
  { id: 'clear/without-effect', on: on('clear'), instead: () => reply(204) },
  { id: 'apply/without-effect', on: on('apply'), instead: () => reply(204) },
  { id: 'apply/refused-with-effect', on: on('apply'), answer: () => reply(500, {}) },
  ...['apply', 'clear'].map(
    (op): Mutation => ({
      id: `${op}/on-another-endpoint`,
      on: on(op),
      request: (asked, { random, poolMacs }) => ({
        ...asked,
        body: asked.body.replace(/([0-9A-F]{2}:){5}[0-9A-F]{2}/i, pick(random, poolMacs)),
      }),
    }),
  ),
  answering(
    'anc/mac-of-another',
    ({ op, family }) => family === 'ancendpoint' && (op === 'read' || op === 'list'),
    (given, _asked, { random, poolMacs }) =>
      withText(
        given,
        given.body
          .toString('utf8')
          .replace(/([0-9A-F]{2}:){5}[0-9A-F]{2}/gi, () => pick(random, [...poolMacs, '00:1B:54:AA:BB:CC'])),
      ),
  ),
  {
    id: 'bulk/without-effect',
    on: on('bulkSubmit'),
    instead: () => reply(202, undefined, { location: '/ers/config/x/bulk/1' }),
  },
];
