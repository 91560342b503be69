import { pick } from '../mutations/mutation.ts';
import { append, edit, type Members, PATHS, type Tampering } from './tampering.ts';

/** Headers and journals that name what is not of the run. */
export const RECORD_TAMPERINGS: readonly Tampering[] = [
  {
    id: 'header/target',
    apply: (folder, { elsewhere }) =>
      edit(folder, 'run.json', (header) => ({
        ...header,
        target: { ...(header['target'] as Members), baseUrl: elsewhere },
      })),
  },
  {
    id: 'header/mode',
    apply: (folder, { random }) =>
      edit(folder, 'run.json', (header) => ({
        ...header,
        mode: pick(random, ['full', 'own-data', 'read-only', 'god']),
      })),
  },
  {
    id: 'header/run-id',
    apply: (folder, { random }) => edit(folder, 'run.json', (header) => ({ ...header, runId: pick(random, PATHS) })),
  },
  {
    id: 'header/options',
    apply: (folder, { random, victim }) =>
      edit(folder, 'run.json', (header) => ({
        ...header,
        options: {
          ...(header['options'] as Members),
          endpoints: pick(random, [
            '00:1B:54:AA:BB:00+4000000000',
            victim,
            '/dev/zero',
            '02:00:00:00:00:00+16777216',
            7,
          ]),
          policy: pick(random, ['HARNESS_MONITOR', '', 5, 'x'.repeat(100_000)]),
          out: victim,
        },
      })),
  },
  {
    id: 'journal/foreign-record',
    apply: (folder, { random, foreign }) => {
      const { family, id, name } = pick(random, foreign);
      append(folder, {
        event: 'created',
        family,
        id,
        ...(random() < 0.5 ? {} : { name: pick(random, [name, 'cfm-0a10b7wy-x']) }),
      });
    },
  },
  {
    id: 'journal/foreign-name',
    apply: (folder, { random, foreign }) => {
      const { family, name } = pick(random, foreign);
      append(folder, { event: 'intent', family, name });
    },
  },
  {
    id: 'journal/foreign-endpoint',
    apply: (folder, { random }) =>
      append(folder, {
        event: 'applied',
        family: 'ancendpoint',
        operation: 'apply',
        endpoint: pick(random, ['00:1B:54:AA:BB:CC', '001b.54aa.bbcc', '02:00:00:00:00:C5', 'x', '']),
      }),
  },
  {
    id: 'journal/wave',
    apply: (folder, { random, victim }) =>
      append(folder, {
        event: 'applied',
        family: 'ancendpoint',
        operation: 'apply',
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
  },
  {
    id: 'journal/malformed-id',
    apply: (folder, { random }) =>
      append(folder, { event: 'created', id: pick(random, ['\ud800', ...PATHS]), name: 'cfm-x' }),
  },
  {
    id: 'journal/many',
    apply: (folder) =>
      append(
        folder,
        ...Array.from({ length: 3000 }, (_, at) => ({ event: 'created', id: `id-${at}`, name: `cfm-0a10b7wy-${at}` })),
      ),
  },
];
