import { hasOp } from '../../../lib/contract/types.ts';
import { isSuccess, type JsonObject } from '../../../lib/wire/answer.ts';
import type { CheckContext } from '../check.ts';
import { mustBeBlocked } from '../fault.ts';
import { nameMember, textMember } from '../fields.ts';
import { freeText, readUntil, updateFields } from './record-reads.ts';
import { attempt, discard, leftBy } from './write-attempt.ts';

/** False if the target takes an update in XML and shows no text of it, nor of a create: the XML form of a resource is not shown, and it reads another. */
export const readsXml = (context: CheckContext): Promise<boolean> =>
  context.run.shared('xml form', async () => {
    const { family } = context;
    const own = hasOp(family, 'update') ? await context.fixture().catch(mustBeBlocked) : undefined;
    if (own === undefined) return true;
    const changes = freeText(context, `in XML ${context.run.prefix}`, own);
    const flat = Object.entries(updateFields(own, changes)).filter(([, value]) => typeof value !== 'object');
    const updated = await context.send('update', { id: own.id, fields: Object.fromEntries(flat), format: 'xml' });
    const isChanged = (held: JsonObject) => Object.keys(changes).some((member) => held[member] !== own.sent[member]);
    if (!isSuccess(updated) || (await readUntil(context, own, isChanged)).fits) return true;
    const tried = await attempt(context, { format: 'xml' });
    await leftBy(context, tried);
    const texts = [nameMember(family), textMember(family)].flatMap((member) => member ?? []);
    const isNamed = (held: JsonObject) => texts.some((member) => (held[member] ?? '') !== '');
    const isRead = tried.made !== undefined && (await readUntil(context, tried.made, isNamed)).fits;
    await discard(context, tried);
    return isRead;
  });
