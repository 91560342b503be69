import { hasOp } from '../../lib/contract/types.ts';
import { entriesOf, idOf, type JsonObject } from '../../lib/wire/answer.ts';
import { tryAnc } from '../dialect/anc.ts';
import { tryFamily } from '../dialect/trial/trial.ts';
import { isCreatable, referenceOf, sentFields } from '../kit/fields.ts';
import { nameOf } from '../kit/record/record-reads.ts';
import { type FamilyScope, familyScope, type RunScope } from './context.ts';
import { tearDown } from './teardown.ts';
import { emptyTrace } from './trace.ts';

/** Records that others point at: several, so that a family in which all point at one is told from others. */
const REFERENCES = 3;
/** As many as the checks of a family have records at one time, if no two may point at the same one. */
const UNIQUE_REFERENCES = 64;
/** Keeps the names and numbers of first tries apart from those of all other makers. */
const BEYOND_TRIES = 4000;

/** Records to start from, by family, as the operator gave them. */
export type Templates = Readonly<Record<string, JsonObject>>;

async function tryOne(run: RunScope, name: string, templates: Templates): Promise<void> {
  if (run.unwritable(name) !== undefined || run.client.closed(name) !== undefined || run.signal.aborted) return;
  const scope = familyScope(run, name, BEYOND_TRIES);
  const trace = emptyTrace('first', name);
  const client = run.client.view({ label: trace.label });
  // A fault says nothing of what the target takes: the checks meet it again, and tell.
  const { learned, clock, visibilityMs } = run;
  const context = scope.context(trace);
  await tryFamily({ context, client, learned, clock, visibilityMs, template: templates[name] }).catch(() => undefined);
  await tearDown(run, trace);
  await scope.release();
}

/** The first writes to a target: one record in each family, removed and proven gone before anything else is written. Teaches what is taken and refused; makes the records that others point at. */
export async function firstContact(run: RunScope, served: readonly string[], templates: Templates = {}): Promise<void> {
  const { references } = run;
  const { mode } = run.client.options;
  if (mode === 'read-only') return;
  const writable = served.filter((name) => isCreatable(run.table[name]));
  const targets = pointedAt(run, writable);
  for (const name of [...targets, ...writable.filter((each) => !targets.includes(each))]) {
    const points = pointedAt(run, [name]);
    for (const target of points) await references.provide(target, REFERENCES);
    await tryOne(run, name, templates);
    const isUnique = [...run.learned.uniqueReferences].some((key) => key.startsWith(`${name} `));
    if (isUnique) for (const target of points) await references.provide(target, UNIQUE_REFERENCES);
  }
  const anc = mode === 'full' ? served.find((name) => run.table[name] && hasOp(run.table[name], 'apply')) : undefined;
  if (anc !== undefined && !run.signal.aborted) {
    const scope = familyScope(run, anc, BEYOND_TRIES);
    run.learned.anc = await tryAnc(scope.context(emptyTrace('first', anc))).catch(() => ({ effective: {} }));
    const { kept } = run.learned.anc;
    if (kept !== undefined) run.client.refuse(anc, `a first endpoint could not be cleared again: ${kept.why}`);
    await scope.release();
  }
}

function pointedAt({ table }: RunScope, names: readonly string[]): readonly string[] {
  const targets = names.flatMap((name) => {
    const family = table[name];
    if (family === undefined || !isCreatable(family)) return [];
    return sentFields(family, 'create').flatMap(([member]) => referenceOf(table, family, member) ?? []);
  });
  return [...new Set(targets)];
}

/** Opens the records that members of other families point at: made before any family is checked, and there until all are, so that no list changes for them. `offset` keeps their names apart. */
export function openReferences(run: () => RunScope, offset: number) {
  const ids = new Map<string, string[]>();
  const nameOfId = new Map<string, string>();
  const turns = new Map<string, number>();
  const taken = new Set<string>();
  const scopes = new Map<string, FamilyScope>();
  return {
    /** Id or name of one of them, each time another; undefined where the family has none. */
    next(family: string, by?: 'name'): string | undefined {
      const all = ids.get(family) ?? [];
      if (all.every((id) => taken.has(id))) taken.clear();
      const known = all.filter((id) => !taken.has(id));
      const turn = turns.get(family) ?? 0;
      turns.set(family, turn + 1);
      const id = known[turn % known.length];
      return by === undefined || id === undefined ? id : nameOfId.get(id);
    },
    /** Leaves one out that another record was seen to point at already, until all are left out. */
    leaveOut: (id: string): void => void taken.add(id),
    /** Makes records of the family, or takes those that are there where none can be made, until there are so many. */
    async provide(family: string, count: number): Promise<void> {
      const known = ids.get(family) ?? [];
      ids.set(family, known);
      const scope = scopes.get(family) ?? familyScope(run(), family, offset);
      scopes.set(family, scope);
      const context = scope.context(emptyTrace('references', family));
      const make = () => context.run.shared(`reference-${known.length}`, ({ fixture }) => fixture());
      while (known.length < count && run().unwritable(family) === undefined && context.run.mayCreate()) {
        const made = await make().catch(() => undefined);
        if (made === undefined) break;
        known.push(made.id);
        nameOfId.set(made.id, nameOf(context, made));
      }
      if (known.length >= count) return;
      for (const entry of entriesOf(await context.send('list')) ?? []) {
        const id = idOf(entry);
        if (id === undefined || known.includes(id) || known.length >= count) continue;
        known.push(id);
        if (typeof entry['name'] === 'string') nameOfId.set(id, entry['name']);
      }
    },
    /** Removes what was made. Never throws. */
    async release(): Promise<void> {
      for (const scope of scopes.values()) await scope.release();
    },
  };
}
export type References = ReturnType<typeof openReferences>;
