import { OPS } from '../../../lib/contract/operations.ts';
import type { Op } from '../../../lib/contract/types.ts';
import { defined } from '../../../lib/defined.ts';
import type { AncTarget } from '../../../lib/wire/anc.ts';
import { Problem } from '../../answers/problem.ts';
import { refuse } from '../../answers/responder.ts';
import type { Call } from '../../http/wire.ts';
import type { Kit } from '../../seams.ts';
import type { StoredRecord } from '../../store/store.ts';
import { areBy, cross, has, type Place, recordsOf } from '../generated/line.ts';
import { fromSources, inState, type Mistake, QUOTES } from './effects.ts';
import { lives } from './history.ts';

const failure = (kit: Kit, call: Call) => refuse(kit, call, new Problem(500, 'internal', 'Internal fault'));

const LATER = inState({
  id: 'who-later',
  title: 'on another connection, this long after this write, a record suffers this',
  sentence: QUOTES.service,
  states: (table) =>
    (['create', 'update'] as const).flatMap((write) =>
      cross(table, fromSources(table, has(write)), { write: [write], ms: [50, 300] }),
    ),
  hasBefore: ({ write }) => write === 'update',
  isWrong: (_place, effect) => !/^(update|delete)/.test(effect),
  more: () => ['FRESH-1'],
  bind: ({ write, ms }, kit, watch) => {
    const { of, wraps } = lives(kit, watch);
    const suffers = ({ id }: { readonly id: string }) => {
      const life = of(id);
      if (life === undefined || life.write !== write || life.connection === watch.now()?.connection) return false;
      return performance.now() - life.at > Number(ms);
    };
    return { wraps, suffers, before: ({ id }) => of(id)?.before };
  },
});

/** How long a request is on its way, so that another one can come in between. */
const MOMENT_MS = 4;

const AT_ONCE: Mistake = {
  id: 'who-reads-at-once',
  title: 'of two different reads or lists at one time, the second does this',
  sentence: QUOTES.codes,
  places: (table) =>
    (['read', 'list', 'readByName'] as const).flatMap((op) =>
      cross(table, has(op), { op: [op], effect: ['answers-the-first', 'fails'] }),
    ),
  violates: ({ family, op }) => [
    ...(op === 'list'
      ? ['LST-FILT', 'LST-PAGE', 'LST-SORT', 'LST-SIZE', 'FOP-*', `OP-${family}-L`]
      : [`OP-${family}-R`]),
    ...(op === 'readByName' ? ['SPC-NODE', `OP-${family}-${OPS.readByName.code}`] : ['RES-ID', 'LIST-GET']),
  ],
  install: ({ family, op, effect }, kit, watch) => {
    let open: Call | undefined;
    const asked = ({ request }: Call) => `${request.path}?${request.query}`;
    return {
      front: ({ handle }) => ({
        handle: async (call) => {
          if (call.route?.family !== family || call.route.op !== op) return handle(call);
          const first = open;
          open ??= call;
          await kit.wait(MOMENT_MS);
          if (open === call) open = undefined;
          if (!watch.meets(first !== undefined && asked(first) !== asked(call))) return handle(call);
          return watch.changes(effect === 'fails' || first === undefined ? failure(kit, call) : handle(first));
        },
      }),
    };
  },
};

/** True for an operation that needs what only the other one makes. */
const needs = (op: Op, other: Op) => /^(update|delete|clear)$/.test(op) && /^(create|apply)$/.test(other);
const OTHERS = ['create', 'list', 'read', 'version', 'bulkSubmit', 'apply'] as const;
const FIRSTS = [...OTHERS, 'update', 'delete', 'clear'] as const;

const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  version: ['SPC-VER'],
  bulkSubmit: ['SPC-BULK'],
  apply: ['SPC-ANC'],
  clear: ['SPC-ANC'],
};

const FIRST: Mistake = {
  id: 'who-first',
  title: 'the first call of this operation fails, if it comes then, before or after the first of the other',
  sentence: QUOTES.codes,
  places: (table) =>
    FIRSTS.flatMap((op) =>
      OTHERS.filter((other) => other !== op).flatMap((other) =>
        cross(table, has(op, other), {
          op: [op],
          other: [other],
          when: needs(op, other) ? ['after'] : ['before', 'after'],
        }),
      ),
    ),
  violates: ({ family, op }) => [`OP-${family}-${OPS[op as Op].code}`, ...(SPECIAL[String(op)] ?? [])],
  install: ({ family, op, other, when }, kit, watch) => {
    const used = new Set<Op>();
    return {
      front: ({ handle }) => ({
        handle: (call) => {
          if (call.route?.family !== family) return handle(call);
          const isFirst = call.route.op === op && !used.has(op as Op);
          const isThen = used.has(other as Op) === (when === 'after');
          used.add(call.route.op);
          return isFirst && watch.meets(isThen) ? watch.changes(failure(kit, call)) : handle(call);
        },
      }),
    };
  },
};

export const WHO: readonly Mistake[] = [LATER, AT_ONCE, FIRST];

type Targets = readonly AncTarget[];

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
      `OP-${family}-${OPS[op as 'apply' | 'clear'].code}`,
      ...(effect === 'doubled' || effect === 'new-id' ? ['RES-ID'] : []),
    ],
    install: (place, kit, watch) => ({
      anc: (inner) => {
        const { family, op, effect } = place;
        const open: Targets[] = [];
        const serve = async (targets: Targets) => {
          const served = { kit, family, targets, first: open[0], work: inner[op as 'apply' | 'clear'] };
          open.push(targets);
          await kit.wait(MOMENT_MS);
          open.splice(open.indexOf(targets), 1);
          if (!watch.meets(isIt(served, place))) return inner[op as 'apply' | 'clear'](targets);
          watch.exposure.changed += 1;
          if (effect === 'fails') throw new Problem(500, 'internal', 'The endpoint cannot be reached');
          if (effect !== 'undone') await turn(served, place);
        };
        return { [String(op)]: serve };
      },
    }),
  };
}

const APPLIED_AT_ONCE = ancMistake(
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

const APPLIED_TWICE = ancMistake(
  {
    id: 'who-applies-twice',
    title: 'an apply of the policy that the endpoint holds is answered so and does this',
    sentence: 'applies the required configuration',
    places: (table) =>
      cross(table, has('apply'), { op: ['apply'], answer: ['taken', 'refused'], effect: Object.keys(HARMS) }).filter(
        // What an apply that is taken makes of the id is not shown: "States and transitions". One that is refused changes nothing.
        ({ answer, effect }) => answer === 'refused' || effect !== 'new-id',
      ),
  },
  ({ kit, family, targets }) =>
    targets.length === 1 && heldBy(kit, family, targets)?.['policyName'] === targets[0]?.policyName,
  async ({ kit, family, targets }, { answer, effect }) => {
    const held = heldBy(kit, family, targets);
    if (held !== undefined) await HARMS[String(effect)]?.(kit, family, held);
    if (answer === 'refused') throw new Problem(400, 'crud', 'The endpoint holds this policy');
  },
);

const OTHER_CASE = ancMistake(
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

export const ENDPOINTS: readonly Mistake[] = [APPLIED_AT_ONCE, APPLIED_TWICE, OTHER_CASE];
