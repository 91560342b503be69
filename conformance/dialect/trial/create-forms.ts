import { type Family, fieldsOf } from '../../../lib/contract/types.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { entriesOf, idOf, isSuccess, type JsonObject, recordOf } from '../../../lib/wire/answer.ts';
import type { CheckContext } from '../../kit/check.ts';
import { isServerFilled, nameMember, rangeOf, referenceOf, sentFields } from '../../kit/fields.ts';
import type { CreateForm } from '../../kit/values/learned.ts';

/** Records of the target that are copied at most, of different settings each, and read at most to find them. */
const MOST_COPIED = 6;
const MOST_READ = 12;

/** Members that differ between the records of a run, or that the server fills in: the payload makes the former, nobody sends the latter. */
function isCopied(context: CheckContext, family: Family, member: string): boolean {
  const field = fieldsOf(family)[member];
  return (
    field !== undefined &&
    member !== nameMember(family) &&
    member !== 'description' &&
    rangeOf(field) === undefined &&
    referenceOf(context.table, family, member) === undefined &&
    !isServerFilled(family, member) &&
    vendorFacts(family.name).unique?.includes(member) !== true
  );
}

/** The members of a record that a create of another one may carry. */
function copied(context: CheckContext, record: JsonObject): JsonObject {
  const { family } = context;
  const members = sentFields(family, 'create').map(([member]) => member);
  return Object.fromEntries(
    members
      .filter((member) => isCopied(context, family, member) && record[member] !== undefined && record[member] !== null)
      .map((member) => [member, record[member]]),
  );
}

/** Records that the target holds, those of other settings first. */
async function* recordsThere(context: CheckContext): AsyncGenerator<readonly [string, JsonObject]> {
  const seen = new Set<string>();
  const entries = entriesOf(await context.send('list')) ?? [];
  // The oldest and the newest first: those in the middle are hardly of another kind.
  const order = entries.flatMap((_, at) => [at, entries.length - 1 - at]);
  for (const at of [...new Set(order)].slice(0, MOST_READ)) {
    const id = idOf(entries[at]);
    if (id === undefined || seen.size === MOST_COPIED) continue;
    const read = await context.send('read', { id });
    const record = isSuccess(read) ? recordOf(read) : undefined;
    const kind = JSON.stringify(record === undefined ? null : copied(context, record));
    if (record === undefined || seen.has(kind)) continue;
    seen.add(kind);
    yield [id, record];
  }
}

/**
 * Forms of a create, in the order in which they are tried: the template of the operator, the published example of an
 * imported family, the members that a create usually needs, copies of records that the target holds, and the smallest body.
 */
export async function* createForms(
  context: CheckContext,
  template: JsonObject | undefined,
): AsyncGenerator<CreateForm & { readonly isCopy?: true }> {
  if (template !== undefined) yield { source: 'the template of the operator', members: copied(context, template) };
  if (context.family.imported !== undefined)
    yield { source: 'the published example', members: copied(context, context.run.values.samples(0)) };
  yield { source: 'the usual members', members: {} };
  if (context.family.ops.includes('list') && context.family.ops.includes('read'))
    for await (const [id, record] of recordsThere(context))
      yield { source: `a copy of ${id}`, members: copied(context, record), isCopy: true };
  yield { source: 'the name alone', members: {}, isBare: true };
}
