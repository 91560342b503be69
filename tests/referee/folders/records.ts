import { pick } from '../mutations/mutation.ts';
import { type Aim, append, edit, type Members, PATHS, type Tampering } from './tampering.ts';

/** Changes members of the header of a run. */
const header =
  (change: (aim: Aim, header: Members) => Members): Tampering =>
  (folder, aim) =>
    edit(folder, 'run.json', (given) => ({ ...given, ...change(aim, given) }));

/** An entry about an endpoint that the run is said to have applied to. */
const applied = { event: 'applied', family: 'ancendpoint', operation: 'apply' };

/** Headers and journals that name what is not of the run. */
export const RECORD_TAMPERINGS: Readonly<Record<string, Tampering>> = {
  'header/target': header(({ elsewhere }, { target }) => ({ target: { ...(target as Members), baseUrl: elsewhere } })),
  'header/mode': header(({ random }) => ({ mode: pick(random, ['full', 'own-data', 'read-only', 'god']) })),
  'header/run-id': header(({ random }) => ({ runId: pick(random, PATHS) })),
  'header/options': header(({ random, victim }, { options }) => ({
    options: {
      ...(options as Members),
      endpoints: pick(random, ['00:1B:54:AA:BB:00+4000000000', victim, '/dev/zero', '02:00:00:00:00:00+16777216', 7]),
      policy: pick(random, ['HARNESS_MONITOR', '', 5, 'x'.repeat(100_000)]),
      out: victim,
    },
  })),
  'journal/foreign-record': (folder, { random, foreign }) => {
    const { family, id, name } = pick(random, foreign);
    append(folder, {
      event: 'created',
      family,
      id,
      ...(random() < 0.5 ? {} : { name: pick(random, [name, 'cfm-0a10b7wy-x']) }),
    });
  },
  'journal/foreign-name': (folder, { random, foreign }) => {
    const { family, name } = pick(random, foreign);
    append(folder, { event: 'intent', family, name });
  },
  'journal/foreign-endpoint': (folder, { random }) =>
    append(folder, {
      ...applied,
      endpoint: pick(random, ['00:1B:54:AA:BB:CC', '001b.54aa.bbcc', '02:00:00:00:00:C5', 'x', '']),
    }),
  'journal/wave': (folder, { random, victim }) =>
    append(folder, {
      ...applied,
      endpoints: {
        source: pick<unknown>(random, [
          { kind: 'file', path: victim },
          { kind: 'range', firstMac: '00:1B:54:AA:BB:00' },
          { kind: 'file', path: '/dev/zero' },
          { kind: 'file', path: '/etc/hostname' },
        ]),
        from: 0,
        offset: 0,
        count: pick(random, [1, 300, 4e9, -1]),
        size: pick(random, [1, 300, 4e9, -1]),
      },
    }),
  'journal/malformed-id': (folder, { random }) =>
    append(folder, { event: 'created', id: pick(random, ['\ud800', ...PATHS]), name: 'cfm-x' }),
  'journal/many': (folder) =>
    append(
      folder,
      ...Array.from({ length: 3000 }, (_, at) => ({ event: 'created', id: `id-${at}`, name: `cfm-0a10b7wy-${at}` })),
    ),
};
