import { landedOutside } from '../../lib/client/anc/look.ts';
import { policyRefused } from '../../lib/client/anc/policy-refused.ts';
import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { titleOf } from '../../lib/said.ts';
import { isSuccess, type JsonObject } from '../../lib/wire/answer.ts';
import { tryAnc } from '../dialect/anc.ts';
import { tryFamily } from '../dialect/trial/trial.ts';
import type { CheckContext, Fixture } from '../kit/check.ts';
import { isCreatable, referenceOf, sentFields } from '../kit/fields.ts';
import { readRecord } from '../kit/record/record-reads.ts';
import { retold } from '../plans/retold.ts';
import { familyScope, type RunScope, TURNS } from './context.ts';
import { tearDown } from './teardown.ts';
import { emptyTrace, type Trace } from './trace.ts';

/** Records that others point at: several, so that a family in which all point at one is told from others. */
const REFERENCES = 3;
/** As many as the checks of a family have records at one time, if no two may point at the same one. */
const UNIQUE_REFERENCES = 64;

/** Records to start from, by family, as the operator gave them. */
export type Templates = Readonly<Record<string, JsonObject>>;

/** What about an updated record a delete left it for. One that is refused would leave each record that is updated: it is tried on what holds the same. */
async function whyKept(context: CheckContext, { writes }: Trace, deleted: Exchange, own: Fixture) {
  const about = { operation: 'delete', subject: 'request', record: own.id } as const;
  if (isSuccess(deleted)) return retold(context, { ...about, kind: 'no-effect' }, { fixtures: [own], writes });
  const { record: sent = own.sent } = await readRecord(context, own);
  const alike = { fixtures: [{ ...own, sent }], writes: [], refused: deleted };
  return (await retold(context, { ...about, kind: 'refused' }, alike)) ?? 'the record was updated';
}

async function tryOne(run: RunScope, name: string, templates: Templates): Promise<void> {
  if (run.unwritable(name) !== undefined || run.client.closed(name) !== undefined || run.signal.aborted) return;
  run.phase(`first writes, ${name}`);
  const scope = familyScope(run, name, TURNS.first);
  const trace = emptyTrace('first', name);
  const client = run.client.view({ label: trace.label });
  // A fault says nothing of what the target takes: the checks meet it again, and tell.
  const { learned, clock, visibilityMs } = run;
  const context = scope.context(trace);
  const tell = (deleted: Exchange, own: Fixture) => whyKept(context, trace, deleted, own);
  const template = templates[name];
  await tryFamily({ context, client, learned, clock, visibilityMs, template, tell }).catch(() => undefined);
  await tearDown(run, trace);
  await scope.release();
}

/** The first apply and clear of an endpoint. Throws `TargetError` if it is refused in words about the policy: before anything else is written. */
async function firstApply(run: RunScope, served: readonly string[]): Promise<void> {
  const anc = served.find((name) => run.table[name] && hasOp(run.table[name], 'apply'));
  if (run.client.options.mode !== 'full' || anc === undefined || run.signal.aborted) return;
  run.phase(`first writes, ${anc}`);
  const scope = familyScope(run, anc, TURNS.first);
  const landed = (ids: readonly string[]) => landedOutside(run.client, ids);
  run.learned.anc = await tryAnc(scope.context(emptyTrace('first', anc)), landed).catch(() => ({ effective: {} }));
  await scope.release();
  const { kept, refused } = run.learned.anc;
  if (kept !== undefined) run.client.refuse(anc, `a first endpoint could not be cleared again: ${kept.why}`);
  if (refused === undefined) return;
  const { policyName, macAddress, answer } = refused;
  const said = titleOf(answer);
  // Any other refusal is what the checks of endpoints are there to tell.
  const isOfPolicy = /polic(y|ies)/i.test(said) || said.includes(policyName);
  if (isOfPolicy) throw policyRefused(policyName, macAddress, answer.status, said);
}

/** The first writes: an apply, then one record in each family, removed and proven gone. Teaches what is taken; makes the records that others point at. */
export async function firstContact(run: RunScope, served: readonly string[], templates: Templates = {}): Promise<void> {
  const { references } = run;
  const { mode } = run.client.options;
  if (mode === 'read-only') return;
  await firstApply(run, served);
  const writable = served.filter((name) => isCreatable(run.table[name]));
  const targets = pointedAt(run, writable);
  for (const name of [...targets, ...writable.filter((each) => !targets.includes(each))]) {
    const points = pointedAt(run, [name]);
    for (const target of points) await references.provide(target, REFERENCES);
    await tryOne(run, name, templates);
    const isUnique = [...run.learned.uniqueReferences].some((key) => key.startsWith(`${name} `));
    if (isUnique) for (const target of points) await references.provide(target, UNIQUE_REFERENCES);
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
