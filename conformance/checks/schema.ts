import { type Family, fieldsOf, hasOp } from '../../lib/contract/types.ts';
import { entriesOf } from '../../lib/wire/answer.ts';
import { type Check, checkOfEach, oneOf } from '../kit/check.ts';
import { failure, ToleratedDeviation, tooLittle } from '../kit/fault.ts';
import { absentMember, readEntries } from '../kit/record/record-reads.ts';
import { population } from '../plans/obvious/population.ts';
import { onReads } from './common.ts';

const MOST_READ = 5;

const requiredMembers = (family: Family): readonly string[] =>
  Object.entries(fieldsOf(family)).flatMap(([member, { required }]) => (required === true ? [member] : []));

/** Requirement that says a family's required members are there: each field table with such a column has one. */
function requirementOf(family: Family): string {
  if (hasOp(family, 'apply')) return 'RES-ANC';
  return 'deploymentId' in fieldsOf(family) ? 'RES-TEL' : 'RES-TYPE';
}

const requiredPresent = checkOfEach<string>({
  ...onReads,
  id: 'schema/required-members',
  title: 'a record has its required members',
  requirement: 'RES-TYPE',
  appliesTo: (family) => hasOp(family, 'read') && hasOp(family, 'list') && requiredMembers(family).length > 0,
  variants: (family) =>
    requiredMembers(family).map((name) => ({ name, data: name, requirement: requirementOf(family) })),
  async run(context, member) {
    // Endpoints with a policy are made for the checks of lists.
    if (hasOp(context.family, 'apply')) await population(context);
    const entries = entriesOf(await context.send('list'));
    if (entries?.length === 0) throw tooLittle(context, { why: 'the list holds no record', needs: 'a record' });
    for await (const { record } of readEntries(context, entries, MOST_READ)) {
      if (record === undefined) continue;
      context.witness('records');
      if (record[member] === undefined) throw absentMember(context, record, member);
    }
  },
});

const KINDS = [
  { name: 'types', requirement: 'RES-TYPE', count: 'typed' },
  { name: 'ids', requirement: 'RES-ID', count: 'ids' },
  { name: 'addresses', requirement: 'RES-MAC', count: 'addresses' },
] as const;

const kindsOf = (family: Family) =>
  KINDS.filter(({ name }) => {
    const fields = Object.values(fieldsOf(family));
    if (name === 'types') return fields.length > 0;
    return name === 'ids' || fields.some(({ form }) => form === 'mac');
  });

/** Every answer of the run, compared with the field tables. Runs last. */
const everyAnswer = checkOfEach<(typeof KINDS)[number]>({
  ...onReads,
  id: 'schema/every-answer',
  title: 'listed members have their types in every answer of the run',
  requirement: 'RES-TYPE',
  appliesTo: (family) => hasOp(family, 'list') || hasOp(family, 'read'),
  variants: (family) => kindsOf(family).map((kind) => ({ name: kind.name, requirement: kind.requirement, data: kind })),
  async run(context, kind, variant) {
    const isEmpty = () => context.run.answers().records === 0;
    if (isEmpty()) await context.send('list');
    if (isEmpty() && context.run.mayCreate() && hasOp(context.family, 'read')) await context.fixture();
    const log = context.run.answers();
    context.witness(kind.count, log[kind.count]);
    const found = log.deviations.filter(({ requirement }) => requirement === kind.requirement);
    const worstFirst = [...found.filter(({ tolerated }) => !tolerated), ...found];
    const wrong = oneOf(context, variant.told, worstFirst, ({ member }) => member);
    if (wrong !== undefined) {
      const { exchange, member, expected, observed, tolerated } = wrong;
      context.evidence.add(exchange);
      const failed = failure('value', exchange.request.op, `member ${member}`, {
        expected: `${member}: ${expected}`,
        observed: `${member} ${observed}`,
      });
      throw tolerated ? new ToleratedDeviation(failed.facts) : failed;
    }
    if (log.records === 0) throw tooLittle(context, { why: 'no record was answered', needs: 'a record' });
  },
});

export const schemaChecks: readonly Check[] = [requiredPresent];
export const lastChecks: readonly Check[] = [everyAnswer];
