import { levelOf, opRequirementId } from '../../lib/contract/requirements.ts';
import { hasOp } from '../../lib/contract/types.ts';
import { defined } from '../../lib/defined.ts';
import { type Check, oneOf } from '../kit/check.ts';
import { CheckFailure, Inconclusive, tooLittle } from '../kit/fault.ts';
import { isCreatable } from '../kit/fields.ts';
import { telling } from '../kit/telling.ts';
import { clausesText } from '../kit/text-words.ts';
import { type Difference, FINDABLE } from '../model/difference.ts';
import type { Finding } from '../plans/pairs/finding.ts';
import { type PairsRun, runPairs, type Topic } from '../plans/pairs/pairs.ts';
import { isFiltered, isListed, isSorted, onReads } from './common.ts';

/** The topic of a difference: what was asked, or the write whose effect is not as it should be. */
function topicOf({ about: { operation, subject } }: Difference): Topic {
  if (operation === 'bulkSubmit' || operation === 'bulkMonitor') return 'bulk';
  if (operation === 'apply' || operation === 'clear') return 'anc';
  if (operation === 'create' || operation === 'update' || operation === 'delete') return operation;
  if (subject.startsWith('filter ')) return 'filters';
  if (subject.startsWith('filters ')) return 'joins';
  if (subject.startsWith('sort ')) return 'sorts';
  if (subject.startsWith('member ') || operation === 'read' || operation === 'readByName') return 'reads';
  return 'pages';
}

/** What sequences of requests rest on: a family whose plainest requests fail is judged by those. */
const PLAINEST: readonly Check['id'][] = ['list/envelope', 'record/read-listed'];

/** What is tried of a topic, under every pair of conditions; `lacking`: what is needed so that something can be tried. */
interface Row extends Pick<Check, 'title' | 'requirement' | 'appliesTo' | 'dependsOn'>, Partial<Pick<Check, 'needs'>> {
  readonly topic: Topic;
  readonly lacking?: string;
}

const ROWS: readonly Row[] = [
  {
    topic: 'filters',
    title: 'a filter shows the records that fit',
    requirement: 'LST-FILT',
    appliesTo: isFiltered,
    lacking: 'a record that holds a field of the filters',
  },
  {
    topic: 'joins',
    title: 'several filters are joined as the query says',
    requirement: 'LST-FTYPE',
    appliesTo: isFiltered,
    lacking: 'records that hold fields of the filters',
  },
  { topic: 'sorts', title: 'a sorted list is in order', requirement: 'LST-SORT', appliesTo: isSorted },
  {
    topic: 'pages',
    title: 'the pages of a list hold every record once',
    requirement: 'OP-{family}-L',
    appliesTo: isListed,
  },
  {
    topic: 'reads',
    title: 'reads and list entries show what was written',
    requirement: 'OP-{family}-R',
    appliesTo: (family) => hasOp(family, 'list') && hasOp(family, 'read'),
  },
  ...(
    [
      ['create', 'a create', 'a create that is taken'],
      ['update', 'an update', 'an update that is taken'],
      ['delete', 'a delete', 'a record of the run that may be removed'],
    ] as const
  ).map(
    ([topic, what, lacking]): Row => ({
      topic,
      title: `${what} does what it says and nothing else`,
      requirement: opRequirementId('{family}', topic),
      appliesTo: (family) => isCreatable(family) && hasOp(family, 'read') && hasOp(family, topic),
      ...{ needs: 'own-data', lacking },
    }),
  ),
  {
    topic: 'bulk',
    title: 'a bulk request does each of its items',
    requirement: 'SPC-BULK',
    appliesTo: (family) => hasOp(family, 'bulkSubmit') && (hasOp(family, 'create') || hasOp(family, 'apply')),
    needs: 'full',
    dependsOn: ['bulk/known-id', 'bulk/completes'],
    lacking: 'a bulk request that is taken',
  },
  {
    topic: 'anc',
    title: 'an apply or a clear does what it says to the endpoints that it names and to no others',
    requirement: 'SPC-ANC',
    appliesTo: (family) => hasOp(family, 'apply') && hasOp(family, 'read') && hasOp(family, 'list'),
    needs: 'full',
    dependsOn: ['anc/apply'],
    lacking: 'an apply that is taken',
  },
];

/** What was shown once and not again: where what may have been the reason was. */
const BESIDE = {
  'by others': () => 'while somebody else wrote',
  elsewhere: ({ family }: Difference) => `in ${family}, to which other checks write`,
} as const;

const nameOf = ({ difference: { requirement, about } }: Finding): string =>
  `${requirement} ${about.kind} ${about.subject}`;

/** Every pair of conditions, tried once for a family and judged by topic. */
export const pairChecks: readonly Check[] = ROWS.map(
  ({ topic, title, dependsOn = [], lacking = 'a record', ...row }): Check => ({
    ...onReads,
    ...row,
    id: `survey/${topic}`,
    title: `${title}, under every pair of conditions`,
    dependsOn: [...PLAINEST, ...dependsOn],
    restsOn: PLAINEST,
    accuses: FINDABLE,
    serial: true,
    replays: true,
    async run(context, variant) {
      const done: PairsRun = await context.run.shared('pairs', async (scope) => {
        const first = await runPairs(context, scope);
        context.tried(first.coverage);
        return first;
      });
      const about = done.findings.filter(({ difference }) => topicOf(difference) === topic);
      const shown = about.filter(({ unsteady }) => unsteady === undefined || !(unsteady in BESIDE));
      const isStated = ({ difference }: Finding) => levelOf(difference.requirement, context.family.name) === 'stated';
      const finding = oneOf(context, variant?.told, [...shown.filter(isStated), ...shown], nameOf) ?? about[0];
      if (finding === undefined) {
        const compared = done.tally.get(topic) ?? 0;
        if (compared === 0)
          throw tooLittle(context, { why: 'nothing of the kind could be tried', needs: done.lacks ?? lacking });
        context.witness('compared', compared);
        context.witness('pairs', done.coverage.exercised);
        context.witness('possible', done.coverage.possible);
        return undefined;
      }
      const { difference, grounds, conditions, unsteady, exchanges } = finding;
      for (const exchange of telling(exchanges, difference.about.page)) context.evidence.add(exchange);
      const { expected, observed, about: told, requirement, onlyIf = clausesText(conditions) } = difference;
      if (unsteady === 'by others' || unsteady === 'elsewhere')
        throw new Inconclusive(
          `shown once, and not again, ${BESIDE[unsteady](difference)}: ${expected}; observed ${observed}`,
        );
      if (grounds !== undefined) context.evidence.rest(grounds);
      throw new CheckFailure({
        ...{ expected, observed, requirement, onlyIf },
        about: { ...told, ...defined({ unsteady }) },
      });
    },
  }),
);
