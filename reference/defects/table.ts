import { type Defect, defect } from '../deviation.ts';
import { routeOf } from '../http/wire.ts';
import { type Fields, type Kit, type Outcome, shaping, type Wraps, withLocation } from '../seams.ts';
import { allOf } from '../store/store.ts';
import { LIST_DEFECTS, PAGING_DEFECTS } from './lists.ts';
import { BODY_DEFECTS, RECORD_DEFECTS } from './records.ts';

/** A route that the table does not have: writes through a view go to the family that owns the record. */
function writesThroughViews(kit: Kit): Wraps {
  const ownerOf = (view: string, id: string) =>
    kit.seams.store.sources(view).find((name) => kit.seams.store.get(name, id) !== undefined) ?? view;
  const views = Object.keys(kit.table).filter((name) => kit.table[name]?.viewOf !== undefined);
  return {
    routing: (inner) => ({ routes: [...inner.routes, ...views.map((view) => routeOf(view, 'delete'))] }),
    store: (inner) => ({
      remove: (name, id) => inner.remove(kit.table[name]?.viewOf === undefined ? name : ownerOf(name, id), id),
    }),
  };
}

function withDashes(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([field, value]) => {
    const isMac = typeof value === 'string' && /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/.test(value);
    return [field, isMac ? value.replaceAll(':', '-') : value] as const;
  });
  return Object.fromEntries(entries);
}

function racingCreates(kit: Kit): Wraps {
  // Counted by family: creates of two families never race, so that what is lost does not hang on what else goes on.
  const inFlight = new Map<string, number>();
  const crossed = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string, by: number) => {
    const sum = (counts.get(name) ?? 0) + by;
    counts.set(name, sum);
    return sum;
  };
  return {
    front: (inner) => ({
      handle: async (call) => {
        const family = call.route?.family;
        if (family === undefined || call.route?.op !== 'create') return inner.handle(call);
        if (add(inFlight, family, 1) > 1) add(crossed, family, 1);
        await kit.wait(5);
        try {
          return await inner.handle(call);
        } finally {
          add(inFlight, family, -1);
        }
      },
    }),
    store: (inner) => ({
      create: (name, fields) => {
        if ((crossed.get(name) ?? 0) === 0) return inner.create(name, fields);
        add(crossed, name, -1);
        return { id: crypto.randomUUID(), ...fields };
      },
    }),
  };
}

const unknownBulkId = (outcome: Outcome): Outcome =>
  outcome.kind === 'bulkAccepted' ? withLocation(outcome, (href) => href.replace(/\d+$/, '1')) : outcome;

const SPECIAL_DEFECTS: readonly Defect[] = [
  defect(
    'M18',
    'a delete on a view removes the record from the family that owns it',
    ['VIEW-PORTAL'],
    writesThroughViews,
  ),
  defect('M19', 'a view leaves out one of its families', ['VIEW-PORTAL'], 'store', (inner, kit) => ({
    sources: (name) => (kit.table[name]?.viewOf === undefined ? inner.sources(name) : inner.sources(name).slice(0, -1)),
  })),
  defect('M20', 'every second id of a list names no record', ['OP-*-L', 'OP-*-R', 'LIST-GET'], 'present', (inner) => ({
    entry: (name, record, position) => {
      const entry = inner.entry(name, record, position);
      const { id } = record;
      return position % 2 === 0 ? entry : { ...entry, id: (id.startsWith('0') ? '1' : '0') + id.slice(1) };
    },
  })),
  defect('M50', 'the id of a bulk request is not known to its monitor', ['SPC-BULK'], shaping(unknownBulkId)),
  defect('M51', 'a bulk request never runs and never completes', ['SPC-BULK', 'SVC-1'], () => ({
    bulk: (inner) => {
      const stuck = new Map<string, { family: string; state: ReturnType<typeof inner.monitor> }>();
      return {
        submit: (name, request) => {
          const id = String(Date.now() + stuck.size);
          stuck.set(id, {
            family: name,
            state: { id, family: name, request, startedAt: new Date(), done: false, results: [] },
          });
          return id;
        },
        monitor: (name, id) => (stuck.get(id)?.family === name ? stuck.get(id)?.state : undefined),
      };
    },
  })),
  defect(
    'M52',
    'the monitor of every bulk request of a family tells of the first one',
    ['SPC-BULK'],
    'bulk',
    (inner) => {
      const first = new Map<string, string>();
      return {
        submit: (name, request) => {
          const id = inner.submit(name, request);
          if (!first.has(name)) first.set(name, id);
          return id;
        },
        monitor: (name, id) => inner.monitor(name, id) && inner.monitor(name, first.get(name) ?? id),
      };
    },
  ),
  defect('M53', 'apply answers success and stores nothing', ['SPC-ANC'], () => ({
    anc: () => ({ apply: () => undefined }),
  })),
  defect('M54', 'clear answers success and the policy stays', ['SPC-ANC'], () => ({
    anc: () => ({ clear: () => undefined }),
  })),
  defect('M55', 'reads show MAC addresses with dashes', ['RES-MAC'], () => ({
    present: (inner) => ({ read: (name, record) => withDashes(inner.read(name, record)) }),
  })),
  defect('M56', 'versioninfo is taken for an id', ['SPC-VER'], () => ({
    routing: (inner) => ({ routes: inner.routes.filter(({ op }) => op !== 'version') }),
  })),
  defect('M57', 'a read by name answers with the next record', ['SPC-NODE'], 'lookup', (inner, kit) => ({
    byName: async (name, value) => {
      const record = await inner.byName(name, value);
      const all = allOf(kit.seams.store.list(name));
      return record && all[(all.findIndex(({ id }) => id === record.id) + 1) % all.length];
    },
  })),
  defect('M59', 'parallel creates lose records', ['SVC-1', 'RES-ID'], racingCreates),
  defect('M60', 'a read during an update shows a mix of two versions', ['ATOM-1'], 'store', (inner, kit) => ({
    update: async (name, id, fields) => {
      const members = Object.entries(fields);
      const half = Math.ceil(members.length / 2);
      const first = await inner.update(name, id, Object.fromEntries(members.slice(0, half)));
      await kit.wait(15);
      return [...first, ...(await inner.update(name, id, Object.fromEntries(members.slice(half))))];
    },
  })),
];

export const DEFECTS: readonly Defect[] = [
  ...RECORD_DEFECTS,
  ...BODY_DEFECTS,
  ...LIST_DEFECTS,
  ...PAGING_DEFECTS,
  ...SPECIAL_DEFECTS,
].sort((a, b) => a.id.localeCompare(b.id));
