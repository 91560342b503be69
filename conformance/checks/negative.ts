import type { Exchange } from '../../lib/client/types.ts';
import { hasOp } from '../../lib/contract/types.ts';
import {
  entriesOf,
  holdsNothing,
  isDone,
  isForbidden,
  isSuccess,
  type JsonObject,
  recordOf,
} from '../../lib/wire/answer.ts';
import { buildRequest, rootKey } from '../../lib/wire/request.ts';
import { answerFailure, answerText, prerequisite } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { Blocked, failure, Inconclusive } from '../kit/fault.ts';
import { nameMember } from '../kit/fields.ts';
import { shown } from '../kit/record/record-reads.ts';
import { attemptBy, leftBy } from '../kit/record/write-attempt.ts';
import { UNKNOWN_ID } from '../kit/values/payload.ts';
import { siblingsOf } from '../plans/pairs/family-facts.ts';
import { lastingId, onRecords } from './common.ts';
import { badQueriesOf } from './list/shape-checks.ts';

const NO_SUCH_ID = UNKNOWN_ID.replace(/^0{8}/, 'cf000000');

const unknownIdRefused: Check = {
  id: 'negative/unknown-id',
  title: 'a read of an id that names no record is refused',
  requirement: 'NEG-404',
  level: 'implied',
  appliesTo: (family) => hasOp(family, 'read'),
  needs: 'read',
  async run(context) {
    const control = await context.send('read', { id: await lastingId(context) });
    if (recordOf(prerequisite(control)) === undefined) throw new Inconclusive('the control read gave no record');
    const answer = await context.send('read', { id: NO_SUCH_ID });
    context.observe('status', answer.status);
    // An answer without any content says that there is none.
    if (isSuccess(answer) && answer.body !== '' && !holdsNothing(answer.json))
      throw answerFailure('an unknown id to be refused', answer, 'id unknown');
    context.witness('refused');
    for (const sibling of siblingsOf(context.table, context.family)) {
      const [{ id, name } = {}] = entriesOf(await context.send('list', {}, sibling)) ?? [];
      const other = typeof id === 'string' ? await context.send('read', { id }) : answer;
      // Two resources may give one id to records of their own.
      if (isSuccess(other) && name !== undefined && recordOf(other)?.['name'] === name)
        throw answerFailure(`the id of a record of ${sibling} to be refused`, other, 'id unknown');
    }
  },
};

/** Bodies that are not of the listed form, made of one that is. */
const BODIES: Readonly<Record<string, (fields: JsonObject, root: string, name: string) => string>> = {
  malformed: (fields, root) => JSON.stringify({ [root]: fields }).slice(0, -1),
  empty: () => '',
  list: (fields, root) => JSON.stringify([{ [root]: fields }]),
  'name-object': (fields, root, name) => JSON.stringify({ [root]: { ...fields, [name]: { text: fields[name] } } }),
  'no-root-object': (fields, root) => JSON.stringify({ [root]: JSON.stringify(fields) }),
};

const createRaw = (context: CheckContext, bodyOf: (fields: JsonObject) => string) =>
  attemptBy(context, (fields) => {
    const usual = buildRequest(context.table, context.family.name, 'create', { fields });
    return context.raw({ ...usual, fields, body: bodyOf(fields) });
  });

const badBodyRefused = checkOfEach<string>({
  ...onRecords,
  id: 'negative/bad-body',
  title: 'a create whose body is not of the listed form creates nothing',
  requirement: 'NEG-BODY',
  level: 'implied',
  variants: () => Object.keys(BODIES),
  async run(context, kind) {
    const member = nameMember(context.family) ?? 'name';
    const root = rootKey(context.family, 'create') ?? '';
    const tried = await createRaw(context, (fields) => BODIES[kind]?.(fields, root, member) ?? '');
    if (isForbidden(tried.exchange)) throw new Blocked('no permission to create');
    context.observe('status', tried.exchange.status);
    const control = await createRaw(context, (fields) => JSON.stringify({ [root]: fields }));
    if (!isSuccess(control.exchange))
      throw new Inconclusive(`the control was refused too: ${answerText(control.exchange)}`);
    const left = await leftBy(context, tried);
    if (left.length > 0)
      throw failure('accepted', 'create', `body ${kind}`, {
        expected: 'no record',
        observed: `created ${shown(left)}`,
      });
    if (isDone(tried.exchange)) throw answerFailure('the create to be refused', tried.exchange, `body ${kind}`);
    context.witness('refused');
  },
});

const LEAKS = /\bat [\w.$]+\([\w]+\.(?:java|js|ts|py):\d+\)|Traceback \(most recent|\n\s+at .+:\d+:\d+|stack ?trace/i;

type Advice = readonly [Check['id'], title: string, requirement: string, judge: (answer: Exchange) => string | false];

/** What an answer to bad input is like; recorded as advice. */
const errorAdvice = ([id, title, requirement, judge]: Advice): Check => ({
  ...{ id, title, requirement, level: 'advice', needs: 'read' },
  appliesTo: (family) => hasOp(family, 'read') || hasOp(family, 'list'),
  async run(context) {
    const answers = [await context.send('list', { extra: [['size', 'many']] })];
    for (const { parameter, value } of badQueriesOf(context.family))
      answers.push(await context.send('list', { extra: [[parameter, value]] }));
    if (hasOp(context.family, 'read')) answers.push(await context.send('read', { id: NO_SUCH_ID }));
    for (const answer of answers.filter((each) => !isSuccess(each))) {
      const fault = judge(answer);
      context.observe(`${answer.request.op} ${answer.status}`, answer.body.slice(0, 200));
      if (fault !== false)
        throw failure('value', answer.request.op, `refusal ${id.split('/')[1]}`, {
          expected: title,
          observed: `${fault}: ${answerText(answer)}`,
        });
      context.witness('refusals');
    }
  },
});

const isFault: Advice[3] = ({ status }) => status >= 500 && `status ${status}`;

const ADVICE: readonly Advice[] = [
  ['negative/client-error', 'bad input is answered with a client error', 'ADV-5XX', isFault],
  ['negative/error-body', 'a refusal has a body', 'ADV-ERR', ({ body }) => body.trim() === '' && 'an empty body'],
  ['negative/no-leak', 'a refusal shows no stack trace', 'ADV-LEAK', ({ body }) => LEAKS.test(body) && 'a stack trace'],
];

export const negativeChecks: readonly Check[] = [unknownIdRefused, badBodyRefused, ...ADVICE.map(errorAdvice)];
