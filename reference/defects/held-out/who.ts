import { OPS } from '../../../lib/contract/operations.ts';
import type { Op } from '../../../lib/contract/types.ts';
import { Problem } from '../../answers/problem.ts';
import { refuse } from '../../answers/responder.ts';
import type { Call } from '../../http/wire.ts';
import type { Kit } from '../../seams.ts';
import { cross, has } from '../generated/line.ts';
import { inState } from './effects.ts';
import { lives } from './history.ts';
import { fromSources, type Mistake, QUOTES } from './mistake.ts';

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
