import { isPage } from '../../lib/client/http/poor-answer.ts';
import { type Family, hasOp } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { entriesOf, idOf, isSuccess, recordOf, rootOf } from '../../lib/wire/answer.ts';
import { rootKey } from '../../lib/wire/request.ts';
import { mustSucceed } from '../kit/answer.ts';
import type { Check } from '../kit/check.ts';
import { failure } from '../kit/fault.ts';
import { isNothing } from '../kit/list/value.ts';
import { shown } from '../kit/record/record-reads.ts';
import { UNKNOWN_ID } from '../kit/values/payload.ts';
import { onReads } from './common.ts';

const wrongVersion = (expected: string, observed: string) =>
  failure('value', 'version', 'version', { expected, observed });

const versionServed: Check = {
  ...onReads,
  id: 'version/served',
  title: 'versioninfo is answered with version information',
  requirement: 'OP-{family}-V',
  appliesTo: (family) => hasOp(family, 'version'),
  exercises: ['version'],
  async run(context) {
    const answer = mustSucceed(await context.send('version'), 'version information');
    const { json, body } = answer;
    // Its body is not shown (gap G-16), but it is no page and holds something.
    if (isNothing(json ?? body) || isPage(answer.headers['content-type'], body))
      throw wrongVersion('version information', shown(json ?? body));
    context.witness('answers');
  },
};

/** Root keys under which a record of the family is known to be answered. */
const knownRoots = (family: Family): readonly string[] =>
  [rootKey(family, 'create') ?? family.roots.resource, vendorFacts(family.name).readRoot].filter(
    (root) => root !== undefined,
  );

const versionIsNoRecord: Check = {
  ...onReads,
  id: 'version/not-a-record',
  title: 'versioninfo is neither a record nor the answer to an unknown id',
  requirement: 'SPC-VER',
  appliesTo: (family) => hasOp(family, 'version'),
  exercises: ['version'],
  async run(context) {
    const answer = mustSucceed(await context.send('version'), 'version information');
    const list = hasOp(context.family, 'list') ? await context.send('list') : undefined;
    const listed = (list && entriesOf(list)?.map(idOf)) ?? [];
    const root = rootOf(answer);
    const [id, isRecord] = [idOf(recordOf(answer)), root !== undefined && knownRoots(context.family).includes(root)];
    if (isRecord || (id !== undefined && listed.includes(id)))
      throw wrongVersion('version information', `a record: ${shown(answer.json)}`);
    if (hasOp(context.family, 'read')) {
      const unknown = await context.send('read', { id: UNKNOWN_ID });
      if (isSuccess(unknown) && unknown.body === answer.body)
        throw wrongVersion('another answer than to an unknown id', shown(answer.json));
      context.witness('compared');
    }
    if (list !== undefined && isSuccess(list)) {
      if (list.body === answer.body) throw wrongVersion('another answer than the list', shown(answer.json));
      context.witness('compared');
    }
  },
};

export const versionChecks: readonly Check[] = [versionServed, versionIsNoRecord];
