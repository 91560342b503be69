import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { entriesOf, isNotServed, isSuccess, linkOf } from '../../lib/wire/answer.ts';
import { encodeQuery } from '../../lib/wire/query.ts';
import { answerFailure, mustSucceed, prerequisite } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { failure } from '../kit/fault.ts';
import { freeText, isGone, shown, updateFields } from '../kit/record/record-reads.ts';
import { attemptOnly } from '../kit/record/write-attempt.ts';
import { UNKNOWN_PARAMETERS } from '../kit/values/payload.ts';
import { isListed, lastingId, onReads, onRecords } from './common.ts';

const EXTRA = encodeQuery(UNKNOWN_PARAMETERS);

/** Paths of the links that a list answer gives, resolved as a client would. */
async function linkedPaths(context: CheckContext): Promise<readonly string[]> {
  const list = prerequisite(await context.send('list'));
  const base = new URL(list.request.path, `${context.run.baseUrl}/`);
  return (entriesOf(list) ?? []).flatMap((entry) => {
    const link = linkOf(entry);
    return link !== undefined && URL.canParse(link.trim(), base.href) ? [new URL(link.trim(), base).pathname] : [];
  });
}

interface PathCheck extends Pick<Check, 'id' | 'title' | 'requirement'> {
  readonly list: string;
  readonly links: string;
  readonly isWrong: (path: string, context: CheckContext) => boolean;
}

/** A check of the path of a list and of its links, of which none may be wrong. */
const pathCheck = ({ list: expected, links, isWrong, ...check }: PathCheck): Check => ({
  ...onReads,
  ...check,
  appliesTo: isListed,
  async run(context) {
    const list = await context.send('list');
    // A list that is served and refused says nothing of its path.
    if (isNotServed(list)) mustSucceed(list, expected);
    const entries = entriesOf(prerequisite(list));
    const shownBy = shown(list.json ?? list.body);
    if (entries === undefined) throw failure('value', 'list', 'envelope', { expected: 'a list', observed: shownBy });
    const observed = (await linkedPaths(context)).find((path) => isWrong(path, context));
    if (observed !== undefined) throw failure('value', 'list', 'links', { expected: links, observed });
    context.witness('lists');
  },
});

const pathsBelowPrefix = pathCheck({
  id: 'paths/prefix',
  title: 'the family is below the prefix, and its links are too',
  requirement: 'SVC-2',
  list: 'a list below the prefix',
  links: `links below ${PATH_PREFIX}`,
  // An entry may link to whatever shows it, such as a page for people: that of the API names the family first.
  isWrong: (path, { run, table }) =>
    !path.includes(`${PATH_PREFIX}/`) &&
    Object.hasOwn(table, path.replace(new URL(run.baseUrl).pathname.replace(/\/$/, ''), '').split('/')[1] ?? ''),
});

const pathsWithoutVersion = pathCheck({
  id: 'paths/no-version',
  title: 'the path of a family has no version segment',
  requirement: 'VER-PATH',
  list: 'a list at a path without a version',
  links: 'links without a version segment',
  isWrong: (path) => /^v?\d+(\.\d+)*$/.test(path.split(`${PATH_PREFIX}/`)[1]?.split('/')[0] ?? ''),
});

const extraOnReads = checkOfEach<'read' | 'version'>({
  ...onReads,
  id: 'query/extra-on-reads',
  title: 'a read ignores a query parameter that the specification does not name',
  requirement: 'CNV-EXTRA',
  appliesTo: () => true,
  variants: (family) => (['read', 'version'] as const).filter((op) => hasOp(family, op)),
  async run(context, op) {
    const input = op === 'read' ? { id: await lastingId(context) } : {};
    const answer = await context.send(op, { ...input, extra: UNKNOWN_PARAMETERS });
    if (!isSuccess(answer)) prerequisite(await context.send(op, input));
    mustSucceed(answer, `${op} with ${EXTRA} as without`, 'parameter unknown');
    if (answer.body !== '') context.witness('pairs');
  },
});

const extraOnWrites: Check = {
  ...onRecords,
  id: 'query/extra-on-create',
  title: 'a write ignores a query parameter that the specification does not name',
  requirement: 'CNV-EXTRA',
  async run(context) {
    const own = await context.fixture();
    const { exchange, wasThere } = await attemptOnly(context, { extra: UNKNOWN_PARAMETERS });
    if (!isSuccess(exchange) || !wasThere)
      throw failure(isSuccess(exchange) ? 'no-effect' : 'refused', 'create', 'parameter unknown', {
        expected: 'a record as without the parameter',
        observed: `status ${exchange.status}`,
      });
    context.witness('records');
    const fields = updateFields(own, freeText(context, `extra ${context.run.prefix}`, own));
    for (const op of ['update', 'delete'] as const) {
      if (!hasOp(context.family, op)) continue;
      const input = { id: own.id, ...(op === 'update' ? { fields } : {}) };
      const answer = await context.send(op, { ...input, extra: UNKNOWN_PARAMETERS });
      if (!isSuccess(answer)) prerequisite(await context.send(op, input));
      mustSucceed(answer, `${op} with ${EXTRA} as without`, 'parameter unknown');
      if (op === 'delete' && !(await isGone(context, own)))
        throw answerFailure(`delete with ${EXTRA} to take effect`, answer, 'parameter unknown', 'it had none');
    }
  },
};

export const pathChecks: readonly Check[] = [pathsBelowPrefix, pathsWithoutVersion, extraOnReads, extraOnWrites];
