import { findByName } from '../../lib/client/cleanup/find-by-name.ts';
import type { ErsClient, LeftAlone } from '../../lib/client/types.ts';
import { opRequirementId } from '../../lib/contract/requirements.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { TargetError } from '../../lib/errors.ts';
import { isOfState, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { answerText } from '../kit/answer.ts';
import type { CheckContext } from '../kit/check.ts';
import { CheckFailure, Inconclusive, memberOf, ToleratedDeviation } from '../kit/fault.ts';
import { nameMember } from '../kit/fields.ts';
import { refusedOnlyIf } from '../kit/only-if.ts';
import { attemptOnly } from '../kit/record/write-attempt.ts';
import { retold } from '../plans/retold.ts';
import type { RunScope } from './context.ts';
import type { Trace } from './trace.ts';

const MOST = 5;

const isMeant = ({ id, name }: LeftAlone, text: string): boolean =>
  text.includes(id) || (name !== undefined && name !== '' && text.includes(name));

/** True if read and list agree that the record bears the name: then it is what the target holds, and no wrong answer. */
async function isHeld(client: ErsClient, { family: name, id, name: given }: LeftAlone): Promise<boolean> {
  const family = client.options.table[name];
  if (family === undefined || given === undefined) return false;
  const member = nameMember(family) ?? 'name';
  if (hasOp(family, 'read') && recordOf(await client.send(name, 'read', { id }))?.[member] !== given) return false;
  return (await findByName(client, name, given)).ids.includes(id);
}

const renamedIn = (client: ErsClient) => client.leftAlone().filter(({ kind }) => kind === 'renamed');

/** What was known when a check began: how often the target was down, and which records of the run others had renamed. */
export const momentOf = (client: ErsClient) => ({
  outages: client.outages(),
  renamed: new Set(renamedIn(client).map(({ id }) => id)),
});
type Moment = ReturnType<typeof momentOf>;

/** Who else wrote to a record of the run that a failure names, or renamed it as no write of the run did. Undefined if nobody did. */
async function foreignWrite(client: ErsClient, failure: string, { renamed }: Moment): Promise<string | undefined> {
  const met = renamedIn(client).filter((stray) => !renamed.has(stray.id) || isMeant(stray, failure));
  for (const stray of met.slice(-MOST))
    if (await isHeld(client, stray))
      return `somebody else wrote to ${stray.family} ${stray.id}, a record of the run: it is named ${stray.name} now`;
  return undefined;
}

/** What a check ended with. A failure counts only if the target worked meanwhile: if it answers nothing well, no operation is at fault. */
export async function faultOf(thrown: unknown, { client }: RunScope, since: Moment): Promise<unknown> {
  if (!(thrown instanceof CheckFailure)) return thrown;
  let foreign: string | undefined;
  try {
    await client.answersStill();
    foreign = await foreignWrite(client, thrown.message, since);
  } catch (fault) {
    return fault;
  }
  if (foreign !== undefined) return new Inconclusive(`${foreign}. Without that: ${thrown.message}`);
  if (client.outages() === since.outages) return thrown;
  return new TargetError('reset', `the target answered nothing well for a while, and then: ${thrown.message}`);
}

/** A failure, unless the usual create is refused by now too: how many records a target takes is not shown ("States and transitions"). */
async function withControl(thrown: unknown, context: CheckContext, { refused }: Trace): Promise<unknown> {
  if (!(thrown instanceof CheckFailure)) return thrown;
  const { kind, operation } = thrown.facts.about;
  const refusal = kind === 'refused' && operation === 'create' ? refused.get(operation) : undefined;
  if (refusal === undefined || !isOfState(refusal) || context.run.values.taken([operation], {}) === 0) return thrown;
  const { exchange } = await attemptOnly(context, {}).catch(() => ({ exchange: undefined }));
  if (exchange === undefined || isSuccess(exchange)) return thrown;
  return new Inconclusive(`the usual create is refused as well by now: ${answerText(exchange)}`);
}

/** What a check ended with; of a failure, if it still is one beside the usual create, and its condition, if a plainer request is taken. */
export async function withCondition(fault: unknown, context: CheckContext, trace: Trace): Promise<unknown> {
  const thrown = await withControl(fault, context, trace);
  if (!(thrown instanceof CheckFailure) || thrown instanceof ToleratedDeviation) return thrown;
  const { about, onlyIf, isNarrowed } = thrown.facts;
  const { refused, listed, fixtures, writes } = trace;
  // A page that a link leads to is asked for as the link says.
  if (about.subject === 'pages' || isNarrowed) return thrown;
  // A read without effect was not answered with the record.
  const isRefused = about.kind === 'refused' || (about.kind === 'no-effect' && about.operation === 'read');
  const exchange = isRefused ? refused.get(about.operation) : undefined;
  // What had to be done before is known; what about the query, the request itself tells.
  if (onlyIf !== undefined && exchange?.request.method !== 'GET') return thrown;
  const { operation: op, kind, record, times } = about;
  const isOfRecord =
    exchange !== undefined ||
    (memberOf(about) !== undefined && /^(value|missing)$/.test(kind) && (op === 'create' || op === 'update')) ||
    (record !== undefined && (times === 0 || (kind === 'no-effect' && op === 'delete')));
  const sent = {
    fixtures: [...fixtures],
    writes: [...writes],
    known: trace.grounds?.writes,
    refused: exchange,
    listed,
  };
  const own = [...trace.evidence];
  const find = async () =>
    (exchange && (await refusedOnlyIf(context, exchange))) ??
    (isOfRecord ? await retold(context, about, sent) : undefined);
  const found = await find().catch(() => undefined);
  // A refusal is shown by the plainest request that is refused; anything else by what showed it.
  if (!isRefused) trace.evidence.splice(0, trace.evidence.length, ...own);
  if (found === undefined) return thrown;
  // A body that the usual request is refused for too is what is refused, and not the form of the request.
  const isOfBody = isRefused && op === 'create' && /^(media type|header|parameter) /.test(about.subject);
  const plain = {
    about: { ...about, subject: 'request' },
    requirement: opRequirementId(context.family.name, op),
  } as const;
  const told = onlyIf === undefined ? found : `${onlyIf}, and ${found}`;
  return new CheckFailure({ ...thrown.facts, ...(isOfBody ? plain : {}), onlyIf: told });
}
