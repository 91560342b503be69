import { LIST_ENVELOPE } from '../../lib/contract/list.ts';
import { readRoot, serviceDocument } from '../answers/present.ts';
import { Problem } from '../answers/problem.ts';
import { problemOutcome } from '../answers/responder.ts';
import type { Fields, Kit, Outcome, OutcomeKind, Responder, Wraps } from '../seams.ts';
import type { Variation } from './variation.ts';

type Shape = Responder['shape'];

const shaped =
  (make: (outcome: Outcome, call: Parameters<Shape>[1], kit: Kit) => Outcome) =>
  (kit: Kit): Wraps => ({
    responder: (inner) => ({ shape: (outcome, call) => make(inner.shape(outcome, call), call, kit) }),
  });

const statuses = (given: Readonly<Partial<Record<OutcomeKind, number>>>) =>
  shaped((outcome) => ({ ...outcome, status: given[outcome.kind] ?? outcome.status }));

const onList = (change: (value: Fields) => Fields) =>
  shaped((outcome) =>
    outcome.kind === 'list' && outcome.document !== undefined
      ? { ...outcome, document: { ...outcome.document, value: change(outcome.document.value) } }
      : outcome,
  );

/** Location of a create moves into its body, under the root key of the family. */
const idInBody = shaped((outcome, call, { table }) => {
  const location = outcome.headers?.['Location'];
  const family = call.route?.family;
  if (outcome.kind !== 'created' || location === undefined || family === undefined) return outcome;
  const id = decodeURIComponent(location.split('/').at(-1) ?? '');
  return { kind: 'created', status: outcome.status, document: serviceDocument(readRoot(table, family), { id }) };
});

const GENERIC_ERROR = '{"code":0,"message":"the request was refused"}';

const EXTRA = { 'x-served-by': 'variation', createdBy: 'system', revision: 7 };

/** Milliseconds after which the monitor knows a bulk request. */
const KNOWN_AFTER_MS = 150;

/** The monitor knows a bulk request a moment after it was taken; another one that comes meanwhile is refused by 409. */
function lateMonitor({ wait }: Kit): Wraps {
  const known = new Set<string>();
  let underWay = 0;
  return {
    bulk: (inner) => ({
      submit: (...request) => {
        if (underWay > 0) throw new Problem(409, 'busy', 'another bulk request is at work');
        const id = inner.submit(...request);
        underWay += 1;
        void wait(KNOWN_AFTER_MS).then(() => {
          known.add(id);
          underWay -= 1;
        });
        return id;
      },
      monitor: (name, id) => (known.has(id) ? inner.monitor(name, id) : undefined),
    }),
  };
}

/** Variations of statuses, bodies and list envelopes. */
export const ANSWER_VARIATIONS: readonly Variation[] = [
  {
    id: 'V01',
    title: 'create 200, update 204, delete 200',
    silence: 'G-07',
    install: statuses({ created: 200, updated: 204, deleted: 200, anc: 200 }),
  },
  {
    id: 'V01b',
    title: 'create 202, delete 202, apply and clear 202',
    silence: 'G-07',
    install: statuses({ created: 202, deleted: 202, anc: 202 }),
  },
  { id: 'V01c', title: 'create 204', silence: 'G-07', install: statuses({ created: 204 }) },
  { id: 'V02', title: 'the new id is in the body', silence: 'G-07', install: idInBody },
  {
    id: 'V02b',
    title: 'the new id is in no answer',
    silence: 'G-07',
    install: shaped((outcome) => (outcome.kind === 'created' ? { kind: 'created', status: outcome.status } : outcome)),
  },
  {
    id: 'V06',
    title: 'nextPage is null on the last page, and nothing else is beside it',
    silence: 'LST-NEXT: only href is named',
    install: onList((value) => ({
      [LIST_ENVELOPE.items]: value[LIST_ENVELOPE.items],
      [LIST_ENVELOPE.next]: value[LIST_ENVELOPE.next] ?? null,
    })),
  },
  {
    id: 'V06b',
    title: 'nextPage is an empty object on the last page',
    silence: 'LST-NEXT: only href is named',
    install: onList((value) => ({ ...value, [LIST_ENVELOPE.next]: value[LIST_ENVELOPE.next] ?? {} })),
  },
  {
    id: 'V08',
    title: 'list entries are full records',
    silence: 'G-07',
    install: (kit) => ({ present: () => ({ entry: (name, record) => kit.seams.present.read(name, record) }) }),
  },
  {
    id: 'V15',
    title: 'every error is 400 with another body',
    silence: 'G-12',
    install: shaped((outcome) =>
      outcome.kind === 'problem' && outcome.status !== 401 && outcome.status !== 403
        ? { kind: 'problem', status: 400, headers: { 'Content-Type': 'application/json' }, text: GENERIC_ERROR }
        : outcome,
    ),
  },
  {
    id: 'V15b',
    title: 'every error is 500 without a body',
    silence: 'G-12',
    install: shaped((outcome) =>
      outcome.kind === 'problem' && outcome.status !== 401 && outcome.status !== 403
        ? { kind: 'problem', status: 500 }
        : outcome,
    ),
  },
  {
    id: 'V18',
    title: 'records have further members, in another order',
    silence: 'G-07',
    install: () => ({
      present: (inner) => ({
        read: (name, record) => ({
          ...EXTRA,
          ...Object.fromEntries(Object.entries(inner.read(name, record)).reverse()),
        }),
        entry: (name, record, position) => ({ ...EXTRA, ...inner.entry(name, record, position) }),
      }),
    }),
  },
  {
    id: 'V23',
    title: 'families of version group 3.1.1 are missing',
    silence: 'G-15',
    install: (kit) => ({
      routing: (inner) => ({
        routes: inner.routes.filter(
          ({ family }) => kit.table[family]?.versions.some((group) => group !== '3.1.1') === true,
        ),
      }),
    }),
  },
  {
    id: 'V42',
    title: 'what is asked for without Accept is answered in XML',
    silence: 'G-07',
    install: () => ({ codec: ({ acceptOf }) => ({ acceptOf: (accept) => (accept ? acceptOf(accept) : 'xml') }) }),
  },
  { id: 'V43', title: 'a bulk request is known a moment later', silence: 'G-07', install: lateMonitor },
  {
    id: 'V23b',
    title: 'another body of the version information',
    silence: 'G-16',
    install: shaped((outcome) =>
      outcome.kind === 'version' ? { ...outcome, document: serviceDocument('Version', { release: '3.1.1' }) } : outcome,
    ),
  },
];

/** A refusal of operations for want of permission. */
export function forbid(kit: Kit, refused: (call: Parameters<Shape>[1]) => boolean): Wraps {
  return {
    front: (inner) => ({
      handle: (call) =>
        refused(call)
          ? kit.seams.responder.answer(problemOutcome(new Problem(403, 'access', 'Forbidden'), call), call)
          : inner.handle(call),
    }),
  };
}
