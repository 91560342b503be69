import { OPS } from '../../../lib/contract/operations.ts';
import { defined } from '../../../lib/defined.ts';
import type { AncTarget } from '../../../lib/wire/anc.ts';
import { Problem } from '../../answers/problem.ts';
import type { Kit } from '../../seams.ts';
import type { StoredRecord } from '../../store/record.ts';
import { areBy, cross, has, type Place, recordsOf } from '../generated/line.ts';
import type { Mistake } from './mistake.ts';

type Targets = readonly AncTarget[];
type Op = 'apply' | 'clear';
const MOMENT_MS = 4;

const heldBy = (kit: Kit, family: string, targets: Targets): StoredRecord | undefined => {
  const macs = targets.map(({ macAddress }) => macAddress?.toUpperCase());
  return recordsOf(kit, family).find((record) => macs.includes(String(record['macAddress'])));
};

/** What goes wrong with the record of an endpoint that is held, or with that of another one. */
const HARMS: Readonly<Record<string, (kit: Kit, family: string, record: StoredRecord) => unknown>> = {
  removed: ({ seams }, family, { id }) => seams.store.remove(family, id),
  'other-policy': (kit, family, { id, policyName }) => {
    const other = recordsOf(kit, family).find((record) => record['policyName'] !== policyName);
    return kit.seams.store.update(family, id, { policyName: other?.['policyName'] ?? 'NONE' });
  },
  doubled: ({ seams }, family, { id: _id, ...members }) => seams.store.create(family, members),
  'new-id': async ({ seams }, family, { id, ...members }) => {
    await seams.store.remove(family, id);
    await seams.store.create(family, members);
  },
};

interface Served {
  readonly kit: Kit;
  readonly family: string;
  readonly targets: Targets;
  /** Targets of the first request that is still open. */
  readonly first: Targets | undefined;
  /** Does what was asked for. */
  readonly work: (targets: Targets) => unknown;
}

/** A mistake in applies or clears for which something holds: fails, does nothing, or does something else. */
function ancMistake(
  about: Pick<Mistake, 'id' | 'title' | 'sentence' | 'places'>,
  isIt: (served: Served, place: Place) => boolean,
  turn: (served: Served, place: Place) => unknown,
): Mistake {
  return {
    ...about,
    violates: ({ family, op, effect }) => [
      'SPC-ANC',
      'SVC-1',
      `OP-${family}-${OPS[op as Op].code}`,
      ...(effect === 'doubled' || effect === 'new-id' ? ['RES-ID'] : []),
    ],
    install: (place, kit, watch) => ({
      anc: (inner) => {
        const { family, op, effect } = place;
        const open: Targets[] = [];
        const serve = async (targets: Targets) => {
          const served = { kit, family, targets, first: open[0], work: inner[op as Op] };
          open.push(targets);
          await kit.wait(MOMENT_MS);
          open.splice(open.indexOf(targets), 1);
          if (!watch.meets(isIt(served, place))) return inner[op as Op](targets);
          watch.exposure.changed += 1;
          if (effect === 'fails') throw new Problem(500, 'internal', 'The endpoint cannot be reached');
          if (effect !== 'undone') await turn(served, place);
        };
        return { [String(op)]: serve };
      },
    }),
  };
}

const AT_ONCE = ancMistake(
  {
    id: 'who-applies-at-once',
    title: 'of two requests for different endpoints at one time, the second does this',
    sentence: 'applies the required configuration … clears the required configuration',
    places: (table) => [
      ...cross(table, has('apply'), { op: ['apply'], by: ['mac', 'ip'], effect: ['undone', 'as-the-first', 'fails'] }),
      ...cross(table, has('clear'), { op: ['clear'], by: ['mac'], effect: ['undone', 'fails'] }),
    ],
  },
  ({ targets, first }, { by }) =>
    areBy(targets, by) && first !== undefined && JSON.stringify(first) !== JSON.stringify(targets),
  ({ targets, first, work }) =>
    work(targets.map((target) => ({ ...target, ...defined({ policyName: first?.[0]?.policyName }) }))),
);

const TWICE = ancMistake(
  {
    id: 'who-applies-twice',
    title: 'an apply of the policy that the endpoint holds is answered so and does this',
    sentence: 'applies the required configuration',
    places: (table) =>
      cross(table, has('apply'), { op: ['apply'], answer: ['taken', 'refused'], effect: Object.keys(HARMS) }),
  },
  ({ kit, family, targets }) =>
    targets.length === 1 && heldBy(kit, family, targets)?.['policyName'] === targets[0]?.policyName,
  async ({ kit, family, targets }, { answer, effect }) => {
    const held = heldBy(kit, family, targets);
    if (held !== undefined) await HARMS[String(effect)]?.(kit, family, held);
    if (answer === 'refused') throw new Problem(400, 'crud', 'The endpoint holds this policy');
  },
);

const CASE = ancMistake(
  {
    id: 'who-other-case',
    title: 'an address in small letters does this',
    sentence: 'MAC address of the endpoint, colon-separated hex form',
    places: (table) => [
      ...cross(table, has('clear'), { op: ['clear'], effect: ['undone', 'clears-the-first', 'fails'] }),
      ...cross(table, has('apply'), { op: ['apply'], effect: ['undone', 'doubled', 'other-policy', 'fails'] }),
    ],
  },
  ({ targets }) => targets.some(({ macAddress = '' }) => /[a-f]/.test(macAddress)),
  async ({ kit, family, targets, work }, { effect }) => {
    if (effect === 'clears-the-first') return kit.seams.store.remove(family, recordsOf(kit, family)[0]?.id ?? '');
    await work(targets);
    const held = heldBy(kit, family, targets);
    return held === undefined ? undefined : HARMS[String(effect)]?.(kit, family, held);
  },
);

export const ENDPOINTS: readonly Mistake[] = [AT_ONCE, TWICE, CASE];
