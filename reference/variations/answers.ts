import { LIST_ENVELOPE } from '../../lib/contract/list.ts';
import { readRoot, serviceDocument } from '../answers/present.ts';
import { Problem } from '../answers/problem.ts';
import { refusing } from '../answers/responder.ts';
import { type Variation, variation } from '../deviation.ts';
import type { Call } from '../http/wire.ts';
import { type Fields, type Kit, type Outcome, type OutcomeKind, shaping, type Wraps, withValue } from '../seams.ts';

const shaped = (
  id: string,
  title: string,
  silence: string,
  make: (outcome: Outcome, call: Call, kit: Kit) => Outcome,
): Variation => variation(id, title, silence, shaping(make));

const statuses = (id: string, title: string, given: Readonly<Partial<Record<OutcomeKind, number>>>) =>
  shaped(id, title, 'G-07', (outcome) => ({ ...outcome, status: given[outcome.kind] ?? outcome.status }));

const onList = (id: string, title: string, change: (value: Fields) => Fields) =>
  shaped(id, title, 'LST-NEXT: only href is named', (outcome) =>
    outcome.kind === 'list' ? withValue(outcome, change) : outcome,
  );

/** Location of a create moves into its body, under the root key of the family. */
const idInBody = (outcome: Outcome, call: Call, { table }: Kit): Outcome => {
  const location = outcome.headers?.['Location'];
  const family = call.route?.family;
  if (outcome.kind !== 'created' || location === undefined || family === undefined) return outcome;
  const id = decodeURIComponent(location.split('/').at(-1) ?? '');
  return { kind: 'created', status: outcome.status, document: serviceDocument(readRoot(table, family), { id }) };
};

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

export const ANSWER_VARIATIONS: readonly Variation[] = [
  statuses('V01', 'create 200, update 204, delete 200', { created: 200, updated: 204, deleted: 200, anc: 200 }),
  statuses('V01b', 'create 202, delete 202, apply and clear 202', { created: 202, deleted: 202, anc: 202 }),
  statuses('V01c', 'create 204', { created: 204 }),
  shaped('V02', 'the new id is in the body', 'G-07', idInBody),
  shaped('V02b', 'the new id is in no answer', 'G-07', (outcome) =>
    outcome.kind === 'created' ? { kind: 'created', status: outcome.status } : outcome,
  ),
  onList('V06', 'nextPage is null on the last page, and nothing else is beside it', (value) => ({
    [LIST_ENVELOPE.items]: value[LIST_ENVELOPE.items],
    [LIST_ENVELOPE.next]: value[LIST_ENVELOPE.next] ?? null,
  })),
  onList('V06b', 'nextPage is an empty object on the last page', (value) => ({
    ...value,
    [LIST_ENVELOPE.next]: value[LIST_ENVELOPE.next] ?? {},
  })),
  variation('V08', 'list entries are full records', 'G-07', (kit) => ({
    present: () => ({ entry: (name, record) => kit.seams.present.read(name, record) }),
  })),
  shaped('V15', 'every error is 400 with another body', 'G-12', (outcome) =>
    outcome.kind === 'problem' && outcome.status !== 401 && outcome.status !== 403
      ? { kind: 'problem', status: 400, headers: { 'Content-Type': 'application/json' }, text: GENERIC_ERROR }
      : outcome,
  ),
  shaped('V15b', 'every error is 500 without a body', 'G-12', (outcome) =>
    outcome.kind === 'problem' && outcome.status !== 401 && outcome.status !== 403
      ? { kind: 'problem', status: 500 }
      : outcome,
  ),
  variation('V18', 'records have further members, in another order', 'G-07', 'present', (inner) => ({
    read: (name, record) => ({
      ...EXTRA,
      ...Object.fromEntries(Object.entries(inner.read(name, record)).reverse()),
    }),
    entry: (name, record, position) => ({ ...EXTRA, ...inner.entry(name, record, position) }),
  })),
  variation('V23', 'families of version group 3.1.1 are missing', 'G-15', 'routing', (inner, kit) => ({
    routes: inner.routes.filter(
      ({ family }) => kit.table[family]?.versions.some((group) => group !== '3.1.1') === true,
    ),
  })),
  variation('V42', 'what is asked for without Accept is answered in XML', 'G-07', 'codec', ({ acceptOf }) => ({
    acceptOf: (accept) => (accept ? acceptOf(accept) : 'xml'),
  })),
  onList('V44', 'entries of lists have no id', ({ resources, ...more }) => ({
    ...more,
    resources: (resources as readonly Fields[]).map(({ id: _, ...entry }) => entry),
  })),
  variation('V43', 'a bulk request is known a moment later', 'G-07', lateMonitor),
  shaped('V23b', 'another body of the version information', 'G-16', (outcome) =>
    outcome.kind === 'version' ? { ...outcome, document: serviceDocument('Version', { release: '3.1.1' }) } : outcome,
  ),
];

export const forbid = (refused: (call: Call) => boolean) =>
  refusing((call) => (refused(call) ? new Problem(403, 'access', 'Forbidden') : undefined));
