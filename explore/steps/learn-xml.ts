import { hasOp } from '../../lib/contract/types.ts';
import { UsageError } from '../../lib/errors.ts';
import { isSuccess } from '../../lib/wire/answer.ts';
import type { Stage } from '../sequence.ts';

/** Learns whether XML bodies are taken at all: the form of a resource in XML is not shown. */
export async function learnXml({ context, lessons, serial }: Stage): Promise<void> {
  if (!hasOp(context.family, 'create')) return;
  const member = Object.keys(context.payload()).find((each) => /name$/i.test(each)) ?? 'name';
  const fields = context.payload({ [member]: `${context.run.prefix}${serial()}` });
  try {
    if (!isSuccess(await context.send('create', { fields, format: 'xml' }))) return;
    lessons.accepted.add('xml');
    const own = context.ledger.created().find(({ family }) => family === context.family.name);
    if (own !== undefined && hasOp(context.family, 'delete')) await context.send('delete', { id: own.id });
  } catch (fault) {
    // A write that the client cannot prove to be ours is not sent: nothing more is learned then.
    if (!(fault instanceof UsageError)) throw fault;
  }
}
