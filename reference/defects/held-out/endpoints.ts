import { OPS } from '../../../lib/contract/operations.ts';
import { Problem } from '../../answers/problem.ts';
import type { AncTargetRequest } from '../../messages.ts';
import type { Anc, Kit } from '../../seams.ts';
import type { StoredRecord } from '../../store/record.ts';
import { cross, has, type Mistake, meets } from './mistake.ts';

const SENTENCE = 'Applies the required configuration; clears the required configuration.';
const MOMENT_MS = 4;
type Targets = readonly AncTargetRequest[];

const heldBy = (kit: Kit, family: string, targets: Targets): StoredRecord | undefined => {
  const macs = targets.map(({ macAddress }) => macAddress?.toUpperCase());
  return [...kit.seams.store.list(family).pieces()]
    .flat()
    .find((record) => macs.includes(String(record['macAddress'])));
};

/** What goes wrong with the record of an endpoint. */
const HARMS: Readonly<Record<string, (kit: Kit, family: string, record: StoredRecord) => unknown>> = {
  removed: ({ seams }, family, { id }) => seams.store.remove(family, id),
  'other-policy': ({ seams }, family, { id, policyName }) => {
    const others = [...seams.store.list(family).pieces()].flat().map((record) => record['policyName']);
    return seams.store.update(family, id, { policyName: others.find((name) => name !== policyName) ?? 'NONE' });
  },
  doubled: ({ seams }, family, { id: _id, ...members }) => seams.store.create(family, members),
  'new-id': async ({ seams }, family, { id, ...members }) => {
    await seams.store.remove(family, id);
    await seams.store.create(family, members);
  },
};

/** Applies and clears of different endpoints at one time. */
const AT_ONCE: Mistake = {
  id: 'who-applies-at-once',
  title: 'of two requests for different endpoints at one time, the second does this',
  sentence: SENTENCE,
  places: (table) => [
    ...cross(table, has('apply'), { op: ['apply'], by: ['mac', 'ip'], effect: ['undone', 'as-the-first', 'fails'] }),
    ...cross(table, has('clear'), { op: ['clear'], by: ['mac'], effect: ['undone', 'fails'] }),
  ],
  violates: ({ family, op }) => ['SPC-ANC', 'SVC-1', `OP-${family}-${OPS[op as 'apply' | 'clear'].code}`],
  install: ({ op, by, effect }, kit, watch) => ({
    anc: (inner: Anc) => {
      const open: Targets[] = [];
      const serve = async (targets: Targets) => {
        const first = open[0];
        open.push(targets);
        await kit.wait(MOMENT_MS);
        open.splice(open.indexOf(targets), 1);
        const isBy = targets.every(({ macAddress }) => (macAddress === undefined ? 'ip' : 'mac') === by);
        const isOther = first !== undefined && JSON.stringify(first) !== JSON.stringify(targets);
        const apply = op === 'apply' ? inner.apply : inner.clear;
        if (!isBy || !meets(watch, isOther)) return apply(targets);
        watch.exposure.changed += 1;
        if (effect === 'fails') throw new Problem(500, 'internal', 'The endpoint cannot be reached');
        const policyName = first?.[0]?.policyName;
        if (effect === 'as-the-first' && policyName !== undefined)
          await apply(targets.map((target) => ({ ...target, policyName })));
      };
      return { [String(op)]: serve };
    },
  }),
};

/** The same policy applied to the same endpoint again. */
const TWICE: Mistake = {
  id: 'who-applies-twice',
  title: 'an apply of the policy that the endpoint holds is answered so and does this',
  sentence: SENTENCE,
  places: (table) => cross(table, has('apply'), { answer: ['taken', 'refused'], effect: Object.keys(HARMS) }),
  violates: ({ effect }) => ['SPC-ANC', 'SVC-1', ...(effect === 'doubled' || effect === 'new-id' ? ['RES-ID'] : [])],
  install: ({ family, answer, effect }, kit, watch) => ({
    anc: (inner) => ({
      apply: async (targets) => {
        const held = heldBy(kit, family, targets);
        const isAgain = targets.length === 1 && held !== undefined && held['policyName'] === targets[0]?.policyName;
        if (!meets(watch, isAgain) || held === undefined) return inner.apply(targets);
        await HARMS[String(effect)]?.(kit, family, held);
        watch.exposure.changed += 1;
        if (answer === 'refused') throw new Problem(400, 'crud', 'The endpoint holds this policy');
      },
    }),
  }),
};

/** Addresses in another case than the one that the endpoint is known by. */
const CASE: Mistake = {
  id: 'who-other-case',
  title: 'an address in small letters does this',
  sentence: 'macAddress: MAC address of the endpoint, colon-separated hex form.',
  places: (table) => [
    ...cross(table, has('clear'), { op: ['clear'], effect: ['undone', 'clears-the-first', 'fails'] }),
    ...cross(table, has('apply'), { op: ['apply'], effect: ['undone', 'doubled', 'other-policy', 'fails'] }),
  ],
  violates: ({ family, op }) => ['SPC-ANC', 'SVC-1', `OP-${family}-${OPS[op as 'apply' | 'clear'].code}`],
  install: ({ family, op, effect }, kit, watch) => ({
    anc: (inner: Anc) => ({
      [String(op)]: async (targets: Targets) => {
        const work = op === 'apply' ? inner.apply : inner.clear;
        if (
          !meets(
            watch,
            targets.some(({ macAddress }) => /[a-f]/.test(macAddress ?? '')),
          )
        )
          return work(targets);
        watch.exposure.changed += 1;
        if (effect === 'fails') throw new Problem(500, 'internal', 'The endpoint cannot be reached');
        if (effect === 'undone') return;
        if (effect === 'clears-the-first') {
          const first = kit.seams.store.list(family).slice(0, 1)[0];
          await kit.seams.store.remove(family, first?.id ?? '');
          return;
        }
        await work(targets);
        const held = heldBy(kit, family, targets);
        if (held !== undefined) await HARMS[String(effect)]?.(kit, family, held);
      },
    }),
  }),
};

/** Policies put on endpoints at one time, again, and under an address in other letters. */
export const ENDPOINTS: readonly Mistake[] = [AT_ONCE, TWICE, CASE];
