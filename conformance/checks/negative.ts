import type { Exchange } from '../../lib/client/types.ts';
import { OPS, PATH_PREFIX } from '../../lib/contract/operations.ts';
import { hasOp, type Op } from '../../lib/contract/types.ts';
import { isForbidden, isSuccess, recordOf } from '../../lib/wire/answer.ts';
import { rootKey } from '../../lib/wire/request.ts';
import { answerFailure, answerText, mustSucceed } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { Blocked, CheckFailure, Inconclusive } from '../kit/fault.ts';
import { isCreatable, nameMember } from '../kit/fields.ts';
import { anyId } from '../kit/record/any-record.ts';
import { shown } from '../kit/record/record-reads.ts';
import { attemptBy, leftBy } from '../kit/record/write-attempt.ts';
import { UNKNOWN_ID } from '../kit/values/payload.ts';

/** An id that names no record. */
const NO_SUCH_ID = UNKNOWN_ID.replace(/^0{8}/, 'cf000000');

/** An unknown id gives no record. */
const unknownIdRefused: Check = {
  id: 'negative/unknown-id',
  title: 'a read of an id that names no record is refused',
  requirement: 'NEG-404',
  level: 'implied',
  appliesTo: (family) => hasOp(family, 'read'),
  needs: 'read',
  async run(context) {
    const control = await context.send('read', { id: await anyId(context) });
    if (recordOf(mustSucceed(control, 'the control read')) === undefined)
      throw new Inconclusive('the control read gave no record');
    const answer = await context.send('read', { id: NO_SUCH_ID });
    context.observe('status', answer.status);
    // An answer without any content says that there is none.
    const isEmpty = answer.body === '' || answer.json === null;
    if (isSuccess(answer) && !isEmpty)
      throw answerFailure('an unknown id to be refused', answer, { subject: 'id unknown' });
    context.witness('refused');
    return undefined;
  },
};

const BODIES = ['malformed', 'empty', 'list', 'name-object', 'no-root-object'] as const;

function badBody(kind: string, root: string, fields: Readonly<Record<string, unknown>>, member: string): string {
  const whole = JSON.stringify({ [root]: fields });
  if (kind === 'malformed') return whole.slice(0, -1);
  if (kind === 'empty') return '';
  if (kind === 'list') return JSON.stringify([{ [root]: fields }]);
  if (kind === 'name-object') return JSON.stringify({ [root]: { ...fields, [member]: { text: fields[member] } } });
  return JSON.stringify({ [root]: JSON.stringify(fields) });
}

function postRaw(
  context: CheckContext,
  op: Op,
  body: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Exchange> {
  return context.raw({
    family: context.family.name,
    op,
    method: OPS[op].method,
    path: `${PATH_PREFIX}/${context.family.name}`,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body,
    fields,
  });
}

/** A body that is not of the listed form creates nothing. */
const badBodyRefused = checkOfEach<(typeof BODIES)[number]>({
  id: 'negative/bad-body',
  title: 'a create whose body is not of the listed form creates nothing',
  requirement: 'NEG-BODY',
  level: 'implied',
  appliesTo: isCreatable,
  variants: () => BODIES.map((kind) => ({ name: kind, data: kind })),
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context, kind) {
    const member = nameMember(context.family) ?? 'name';
    const root = rootKey(context.family, 'create') ?? '';
    const tried = await attemptBy(context, (fields) =>
      postRaw(context, 'create', badBody(kind, root, fields, member), fields),
    );
    if (isForbidden(tried.exchange)) throw new Blocked('no permission to create');
    context.observe('status', tried.exchange.status);
    const control = await attemptBy(context, (fields) =>
      postRaw(context, 'create', JSON.stringify({ [root]: fields }), fields),
    );
    if (!isSuccess(control.exchange))
      throw new Inconclusive(`the control was refused too: ${answerText(control.exchange)}`);
    const left = tried.made === undefined ? await leftBy(context, tried) : [tried.made.id];
    if (left.length > 0)
      throw new CheckFailure({
        expected: 'no record',
        observed: `created ${shown(left)}`,
        about: { kind: 'accepted', operation: 'create', subject: `body ${kind}` },
      });
    if (isSuccess(tried.exchange))
      throw answerFailure('the create to be refused', tried.exchange, { subject: `body ${kind}` });
    context.witness('refused');
    return undefined;
  },
});

const LEAKS = /\bat [\w.$]+\([\w]+\.(?:java|js|ts|py):\d+\)|Traceback \(most recent|\n\s+at .+:\d+:\d+|stack ?trace/i;

/** What an answer to bad input is like; recorded as advice. */
function errorAdvice(
  id: Check['id'],
  title: string,
  requirement: string,
  judge: (answer: Exchange) => string | undefined,
): Check {
  return {
    id,
    title,
    requirement,
    level: 'advice',
    appliesTo: (family) => hasOp(family, 'read') || hasOp(family, 'list'),
    needs: 'read',
    async run(context) {
      const answers = [
        await context.send('list', { extra: [['filter', 'cfm']] }),
        await context.send('list', { extra: [['size', 'many']] }),
      ];
      if (hasOp(context.family, 'read')) answers.push(await context.send('read', { id: NO_SUCH_ID }));
      for (const answer of answers.filter((each) => !isSuccess(each))) {
        const fault = judge(answer);
        context.observe(`${answer.request.op} ${answer.status}`, answer.body.slice(0, 200));
        if (fault !== undefined)
          throw new CheckFailure({
            expected: title,
            observed: `${fault}: ${answerText(answer)}`,
            about: { kind: 'value', operation: answer.request.op, subject: `refusal ${id.split('/')[1]}` },
          });
        context.witness('refusals');
      }
      return undefined;
    },
  };
}

const clientErrors = errorAdvice(
  'negative/client-error',
  'bad input is answered with a client error',
  'ADV-5XX',
  ({ status }) => (status >= 500 ? `status ${status}` : undefined),
);

const errorBodies = errorAdvice('negative/error-body', 'a refusal has a body', 'ADV-ERR', ({ body }) =>
  body.trim() === '' ? 'an empty body' : undefined,
);

const noLeaks = errorAdvice('negative/no-leak', 'a refusal shows no stack trace', 'ADV-LEAK', ({ body }) =>
  LEAKS.test(body) ? 'a stack trace' : undefined,
);

export const negativeChecks: readonly Check[] = [unknownIdRefused, badBodyRefused, clientErrors, errorBodies, noLeaks];
