import type { Exchange } from '../../lib/client/types.ts';
import { PATH_PREFIX } from '../../lib/contract/operations.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { entriesOf, isNotServed, isObject, isSuccess } from '../../lib/wire/answer.ts';
import { encodeQuery } from '../../lib/wire/query.ts';
import { mustSucceed, prerequisite } from '../kit/answer.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { CheckFailure } from '../kit/fault.ts';
import { isCreatable } from '../kit/fields.ts';
import { anyId } from '../kit/record/any-record.ts';
import { shown } from '../kit/record/record-reads.ts';
import { attempt, discard, leftBy } from '../kit/record/write-attempt.ts';
import { UNKNOWN_PARAMETERS } from '../kit/unknown-parameters.ts';

const EXTRA = encodeQuery(UNKNOWN_PARAMETERS);

/** Requires that the path of a list is served. A list that is served and refused says nothing of its path. */
const served = (list: Exchange, expected: string): Exchange =>
  isNotServed(list) ? mustSucceed(list, expected) : prerequisite(list);

/** Paths of the links that a list answer gives, resolved as a client would. */
async function linkedPaths(context: CheckContext): Promise<readonly string[]> {
  const list = prerequisite(await context.send('list'));
  const base = new URL(list.request.path, `${context.run.baseUrl}/`);
  return (entriesOf(list) ?? []).flatMap((entry) => {
    const link = isObject(entry['link']) ? entry['link']['href'] : undefined;
    return typeof link === 'string' && URL.canParse(link.trim(), base.href)
      ? [new URL(link.trim(), base).pathname]
      : [];
  });
}

const noList = (list: Exchange) =>
  new CheckFailure({
    expected: 'a list',
    observed: shown(list.json ?? list.body),
    about: { kind: 'value', operation: 'list', subject: 'envelope' },
  });

const wrongLink = (expected: string, observed: string) =>
  new CheckFailure({ expected, observed, about: { kind: 'value', operation: 'list', subject: 'links' } });

/** Everything is below the one prefix. */
const pathsBelowPrefix: Check = {
  id: 'paths/prefix',
  title: 'the family is below the prefix, and its links are too',
  requirement: 'SVC-2',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'list'),
  needs: 'read',
  async run(context) {
    const list = served(await context.send('list'), 'a list below the prefix');
    if (entriesOf(list) === undefined) throw noList(list);
    const outside = (await linkedPaths(context)).find((path) => !path.includes(`${PATH_PREFIX}/`));
    if (outside !== undefined) throw wrongLink(`links below ${PATH_PREFIX}`, outside);
    context.witness('lists');
    return undefined;
  },
};

/** Paths carry no version. */
const pathsWithoutVersion: Check = {
  id: 'paths/no-version',
  title: 'the path of a family has no version segment',
  requirement: 'VER-PATH',
  level: 'stated',
  appliesTo: (family) => hasOp(family, 'list'),
  needs: 'read',
  async run(context) {
    const list = served(await context.send('list'), 'a list at a path without a version');
    if (entriesOf(list) === undefined) throw noList(list);
    const first = (path: string) => path.split(`${PATH_PREFIX}/`)[1]?.split('/')[0] ?? '';
    const versioned = (await linkedPaths(context)).find((path) => /^v?\d+(\.\d+)*$/.test(first(path)));
    if (versioned !== undefined) throw wrongLink('links without a version segment', versioned);
    context.witness('lists');
    return undefined;
  },
};

/** An unknown parameter changes nothing. */
/** Members of what an answer holds under its root, as texts without the parameter that was sent. */
function membersIn({ json }: Exchange): ReadonlyMap<string, string> {
  const root = isObject(json) ? (Object.values(json).find(isObject) ?? json) : {};
  return new Map(Object.entries(root).map(([name, value]) => [name, shown(value).replaceAll(EXTRA, '')]));
}

const extraOnReads = checkOfEach<'read' | 'version'>({
  id: 'query/extra-on-reads',
  title: 'a read ignores a query parameter that the specification does not name',
  requirement: 'CNV-EXTRA',
  level: 'stated',
  appliesTo: () => true,
  variants: (family) =>
    (['read', 'version'] as const).filter((op) => hasOp(family, op)).map((op) => ({ name: op, data: op })),
  needs: 'read',
  async run(context, op) {
    const input = op === 'read' ? { id: await anyId(context) } : {};
    const plain = prerequisite(await context.send(op, input));
    const extra = mustSucceed(
      await context.send(op, { ...input, extra: UNKNOWN_PARAMETERS }),
      `${op} with ${EXTRA} as without`,
      'parameter unknown',
    );
    const before = membersIn(plain);
    const withIt = membersIn(extra);
    const others = [...new Set([...before.keys(), ...withIt.keys()])].filter(
      (name) => withIt.get(name) !== before.get(name),
    );
    // What changes from one read to the next by itself tells nothing.
    const after = others.length === 0 ? before : membersIn(await context.send(op, input));
    if (others.some((name) => after.get(name) === before.get(name)))
      throw new CheckFailure({
        expected: `the answer to ${op} as without the parameter`,
        observed: shown(extra.json ?? extra.body),
        about: { kind: 'value', operation: op, subject: 'parameter unknown' },
      });
    if (plain.body !== '' && (before.size === 0 || others.length < before.size)) context.witness('pairs');
    return undefined;
  },
});

/** An unknown parameter changes no create. */
const extraOnCreate: Check = {
  id: 'query/extra-on-create',
  title: 'a create ignores a query parameter that the specification does not name',
  requirement: 'CNV-EXTRA',
  level: 'stated',
  appliesTo: isCreatable,
  dependsOn: ['record/create'],
  needs: 'own-data',
  async run(context) {
    await context.fixture();
    const tried = await attempt(context, { extra: UNKNOWN_PARAMETERS });
    if (tried.made === undefined) await leftBy(context, tried);
    const wasThere = await discard(context, tried);
    if (!isSuccess(tried.exchange) || !wasThere) {
      throw new CheckFailure({
        expected: 'a record as without the parameter',
        observed: `status ${tried.exchange.status}`,
        about: {
          kind: isSuccess(tried.exchange) ? 'no-effect' : 'refused',
          operation: 'create',
          subject: 'parameter unknown',
        },
      });
    }
    context.witness('records');
    return undefined;
  },
};

export const pathChecks: readonly Check[] = [pathsBelowPrefix, pathsWithoutVersion, extraOnReads, extraOnCreate];
