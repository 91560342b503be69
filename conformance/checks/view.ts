import { type Family, hasOp } from '../../lib/contract/types.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { Blocked, failure, Inconclusive, NotTestable } from '../kit/fault.ts';
import { isCreatable, nameMember } from '../kit/fields.ts';
import { walkWhole } from '../kit/record/finder.ts';
import { tooLittle } from '../kit/too-little.ts';
import { create, read, readInView, remove, update } from '../plans/make.ts';
import type { Told } from '../plans/obvious/looks.ts';
import { mustTakeSteps, onView, type StepPlan } from '../plans/obvious/steps.ts';
import { onReads } from './common.ts';

/** True for a family that shows the records of others. */
const isView: Check['appliesTo'] = (family) => (family.viewOf ?? []).length > 0;

/** Families of the view that records can be made in. */
const sources = ({ family, table, run }: CheckContext): readonly string[] =>
  (family.viewOf ?? []).filter((name) => isCreatable(table[name]) && run.isServed(name));

const subjectIn = (source: string): ReturnType<typeof create> => ({ ...create('subject'), family: source });
const readIn = (family: Family) => (hasOp(family, 'read') ? [readInView('subject')] : []);

/** Ways to ask a view for the record. */
const queriesOf = ({ filters, sorts: [sort] }: Family): readonly Parameters<typeof onView>[0][] => [
  // The whole of it, however long: a filter hides what only that shows.
  { criteria: [], pages: 60 },
  ...(filters.includes('name') ? [{ criteria: [{ field: 'name', operator: 'EQ', part: 'whole' } as const] }] : []),
  ...(sort === undefined ? [] : [{ criteria: [], sort: { field: sort, descending: false } }]),
];

/** Throws `NotTestable` for a family of the view that the target does not serve. */
function mustServe({ run }: CheckContext, name: string): void {
  if (!run.isServed(name))
    throw new NotTestable(`the target does not serve ${name}`, `a deployment that serves ${name}`);
}

/** A check of each of some variants, by steps that every target has to take. */
const viewCheck = <T extends string>(
  check: Pick<Check, 'id' | 'title' | 'exercises' | 'dependsOn' | 'restsOn'>,
  variants: (family: Family) => readonly T[],
  plan: (context: CheckContext, variant: T) => StepPlan | readonly StepPlan[],
): Check =>
  checkOfEach<T>({
    ...check,
    ...{ requirement: 'VIEW-PORTAL', level: 'stated', needs: 'own-data' },
    appliesTo: isView,
    variants: (family) => variants(family).map((name) => ({ name, data: name })),
    async run(context, variant) {
      await mustTakeSteps(context, plan(context, variant));
    },
  });

/** What members hold is what record/read-listed and the pairs tell. */
const isMissing = ({ subject }: Told): boolean => subject === 'member id' || !subject.startsWith('member ');

const viewShowsAll = viewCheck(
  { id: 'view/shows-all', title: 'the view shows records of each covered family', exercises: ['list', 'read'] },
  ({ viewOf = [] }) => viewOf,
  (context, source) => {
    mustServe(context, source);
    const { family } = context;
    const namesake = (other: string, at: number) => ({
      ...create(at === 0 ? 'first' : `namesake ${at}`, {}, at === 0 ? { fresh: '' } : { of: 'first', as: 'same' }),
      family: other,
    });
    const others = sources(context).filter((other) => other !== source);
    const named = others.length === 0 ? {} : { name: { of: 'first', as: 'same' } as const };
    const looks = [...queriesOf(family).map(onView), ...readIn(family)];
    // Names are those of one family: a target need not take one twice in a view.
    return [[...others.map(namesake), { ...subjectIn(source), ...named }], [subjectIn(source)]].map((made) => ({
      steps: [...made, ...looks],
      ...{ isAbout: isMissing, isOwn: true, subject: 'view' },
    }));
  },
);

const viewChangesNone = viewCheck(
  { id: 'view/read-only', title: 'an update or delete through the view leaves the record as it is' },
  () => ['update', 'delete'] as const,
  (context, write) => {
    const [source] = sources(context);
    if (source === undefined) throw new Blocked('no family of the view creates records');
    const seen = [read('subject'), ...queriesOf(context.family).map(onView), ...readIn(context.family)];
    return {
      steps: [subjectIn(source), ...seen, { step: 'wrong', request: `${write} by view`, who: 'subject' }, ...seen],
      // The update gives another name.
      isAbout: (told) => isMissing(told) || told.subject === `member ${nameMember(context.family)}`,
      ...{ isOwn: true, subject: 'view' },
    };
  },
);

/** Ids of a family's whole list. Throws `Inconclusive` where it cannot be read to its end. */
async function idsOf(context: CheckContext, family: string): Promise<ReadonlySet<string>> {
  const result = await walkWhole(context, family);
  if (result.refused !== undefined || result.cut !== undefined)
    throw new Inconclusive(`the list of ${family} cannot be read to its end`);
  return new Set(result.ids);
}

/** Records that the list of the family shows before and after that of the view: how many, and those that the view lacks. */
async function lookOnce(context: CheckContext, family: string) {
  const before = await idsOf(context, family);
  const seen = await idsOf(context, context.family.name);
  const after = await idsOf(context, family);
  const stayed = [...before].filter((id) => after.has(id));
  return { stayed: stayed.length, lacked: stayed.filter((id) => !seen.has(id)) };
}

/** The lists of the families and that of the view, held against each other: records of others count as well as our own. */
const viewIsUnion = checkOfEach<string>({
  ...onReads,
  id: 'view/union',
  title: 'the list of the view holds every record of the covered families',
  requirement: 'VIEW-PORTAL',
  appliesTo: (family, table) => isView(family, table) && hasOp(family, 'list'),
  variants: (family) => (family.viewOf ?? []).map((name) => ({ name, data: name })),
  exercises: ['list'],
  async run(context, family) {
    mustServe(context, family);
    if (context.run.mayCreate(family)) await context.fixture({}, family);
    // Others come and go: only what no look finds in the view counts.
    let lost: readonly string[] | undefined;
    let records = 0;
    await context.eventually(async () => {
      const { stayed, lacked } = await lookOnce(context, family);
      const known = lost;
      lost = known === undefined ? lacked : lacked.filter((id) => known.includes(id));
      records = stayed;
      return lost.length === 0 ? true : undefined;
    });
    const missing = lost ?? [];
    if (missing.length > 0) {
      const observed = `not in it: ${missing.length} of ${records} records`;
      throw failure('records', 'list', 'view', {
        expected: `every record of ${family} in the view`,
        observed,
        difference: { missing, extra: [] },
      });
    }
    if (records === 0) throw tooLittle(context, { why: `${family} has no record`, needs: `a record of ${family}` });
    // Not how many records: those of others and of other checks come and go.
    context.witness('lists', 2);
  },
});

const viewForgets = viewCheck(
  {
    id: 'view/forgets',
    title: 'the view shows no deleted record',
    dependsOn: ['view/shows-all|='],
    restsOn: ['view/shows-all|='],
    exercises: ['list'],
  },
  ({ viewOf = [] }) => viewOf,
  ({ family }, source) => {
    const queries = queriesOf(family).map(onView);
    return {
      steps: [subjectIn(source), ...queries, remove('subject'), ...queries, ...readIn(family)],
      isAbout: ({ requirement }) => requirement.endsWith('-D'),
      ...{ isOwn: true, subject: 'view' },
    };
  },
);

const viewFollows = viewCheck(
  {
    id: 'view/follows',
    title: 'the view shows the new name of a record that was looked at before its rename',
    dependsOn: ['view/shows-all|='],
    restsOn: ['view/shows-all|='],
    exercises: ['list'],
  },
  ({ viewOf = [] }) => viewOf,
  ({ family, table }, source) => {
    const seen = [...queriesOf(family).map(onView), ...readIn(family)];
    // The questions are asked for the new name: what is kept of the old one shows beside them.
    const renamed = hasOp(table[source] as Family, 'update') ? [update('subject', {}, { fresh: 'b' }), ...seen] : [];
    return {
      steps: [subjectIn(source), ...seen, ...renamed],
      isAbout: ({ kind, subject }) => kind === 'records' || subject === `member ${nameMember(family) ?? 'name'}`,
      ...{ isOwn: true, subject: 'view' },
    };
  },
);

export const viewChecks: readonly Check[] = [viewShowsAll, viewChangesNone, viewIsUnion, viewFollows, viewForgets];
