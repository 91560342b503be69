import { type Family, hasOp } from '../../lib/contract/types.ts';
import { type Check, type CheckContext, checkOfEach } from '../kit/check.ts';
import { Blocked, Inconclusive, leftOut, NotTestable, tooLittle } from '../kit/fault.ts';
import { isCreatable, nameMember } from '../kit/fields.ts';
import { until } from '../kit/poller.ts';
import { walkWhole } from '../kit/record/finder.ts';
import { create, read, readInView, remove, update } from '../plans/make.ts';
import type { Told } from '../plans/obvious/looks.ts';
import { mustTakeSteps, onView, type StepPlan } from '../plans/obvious/steps.ts';
import { onReads } from './common.ts';

/** Families that the view shows records of; none for a family that is no view. */
const viewed = ({ viewOf = [] }: Family): readonly string[] => viewOf;

/** Families of the view that records can be made in. */
const sources = ({ family, table, run }: CheckContext): readonly string[] =>
  viewed(family).filter((name) => isCreatable(table[name]) && run.isServed(name));

const subjectIn = (source: string): ReturnType<typeof create> => ({ ...create('subject'), family: source });

/** Looks at the lists of the view for the record: at the whole of it, however long, since a filter hides what only that shows. */
const listed = ({ filters, sorts: [sort] }: Family): StepPlan['steps'] =>
  [
    { criteria: [], pages: 60 },
    ...(filters.includes('name') ? [{ criteria: [{ field: 'name', operator: 'EQ', part: 'whole' } as const] }] : []),
    ...(sort === undefined ? [] : [{ criteria: [], sort: { field: sort, descending: false } }]),
  ].map(onView);

/** Looks at the lists of the view, and reads in it. */
const seen = (family: Family): StepPlan['steps'] => [
  ...listed(family),
  ...(hasOp(family, 'read') ? [readInView('subject')] : []),
];

/** Throws `NotTestable` for a family of the view that the target does not serve. */
function mustServe({ run }: CheckContext, name: string): void {
  if (!run.isServed(name))
    throw new NotTestable(`the target does not serve ${name}`, `a deployment that serves ${name}`);
}

interface ViewCheck extends Pick<Check, 'id' | 'title' | 'exercises' | 'dependsOn' | 'restsOn'> {
  readonly variants?: (family: Family) => readonly string[];
  readonly plan: (context: CheckContext, variant: string) => StepPlan | readonly StepPlan[];
}

/** A check of the families of a view, or of other variants, by steps that every target has to take. */
const viewCheck = ({ plan, variants = viewed, ...check }: ViewCheck): Check =>
  checkOfEach<string>({
    ...check,
    ...{ requirement: 'VIEW-PORTAL', level: 'stated', needs: 'own-data', variants },
    appliesTo: (family) => viewed(family).length > 0,
    run(context, variant) {
      const plans = [plan(context, variant)].flat();
      return mustTakeSteps(
        context,
        plans.map((each) => ({ ...each, isOwn: true, subject: 'view' })),
      );
    },
  });

/** What members hold is what record/read-listed and the pairs tell. */
const isMissing = ({ subject }: Told): boolean => subject === 'member id' || !subject.startsWith('member ');

const viewShowsAll = viewCheck({
  id: 'view/shows-all',
  title: 'the view shows records of each covered family',
  exercises: ['list', 'read'],
  plan: (context, source) => {
    mustServe(context, source);
    const namesake = (other: string, at: number) => ({
      ...create(at === 0 ? 'first' : `namesake ${at}`, {}, at === 0 ? { fresh: '' } : { of: 'first', as: 'same' }),
      family: other,
    });
    const others = sources(context).filter((other) => other !== source);
    const named = others.length === 0 ? {} : { name: { of: 'first', as: 'same' } as const };
    // Names are those of one family: a target need not take one twice in a view.
    return [[...others.map(namesake), { ...subjectIn(source), ...named }], [subjectIn(source)]].map((made) => ({
      steps: [...made, ...seen(context.family)],
      isAbout: (told) => isMissing(told) && [source, context.family.name].includes(told.family),
    }));
  },
});

const viewChangesNone = viewCheck({
  id: 'view/read-only',
  title: 'an update or delete through the view leaves the record as it is',
  plan: (context, write) => {
    const [source] = sources(context);
    if (source === undefined) throw new Blocked('no family of the view creates records');
    const looks = [read('subject'), ...seen(context.family)];
    return {
      steps: [
        subjectIn(source),
        ...looks,
        { step: 'wrong', request: `${write as 'update' | 'delete'} by view`, who: 'subject' },
        ...looks,
      ],
      // The update gives another name.
      isAbout: (told) => isMissing(told) || told.subject === `member ${nameMember(context.family)}`,
    };
  },
  variants: () => ['update', 'delete'],
});

/** Ids of a family's whole list. Throws `Inconclusive` if it cannot be read to its end. */
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

/** The lists of the families and that of the view, compared with each other: records of others count as well as our own. */
const viewIsUnion = checkOfEach<string>({
  ...onReads,
  id: 'view/union',
  title: 'the list of the view holds every record of the covered families',
  requirement: 'VIEW-PORTAL',
  appliesTo: (family) => viewed(family).length > 0 && hasOp(family, 'list'),
  variants: viewed,
  exercises: ['list'],
  async run(context, family) {
    mustServe(context, family);
    if (context.run.mayCreate(family)) await context.fixture({}, family);
    // Others come and go: only what no look finds in the view counts.
    let missing: readonly string[] | undefined;
    let records = 0;
    await until(context, async () => {
      const { stayed, lacked } = await lookOnce(context, family);
      const known = missing;
      missing = known?.filter((id) => lacked.includes(id)) ?? lacked;
      records = stayed;
      return missing.length === 0;
    });
    if (missing !== undefined && missing.length > 0)
      throw leftOut('view', {
        expected: `every record of ${family} in the view`,
        observed: `not in it: ${missing.length} of ${records} records`,
        difference: { missing, extra: [] },
      });
    if (records === 0) throw tooLittle(context, { why: `${family} has no record`, needs: `a record of ${family}` });
    // Not how many records: those of others and of other checks come and go.
    context.witness('lists', 2);
  },
});

const goesOn = {
  dependsOn: ['view/shows-all|='],
  restsOn: ['view/shows-all|='],
  exercises: ['list'],
} as const satisfies Partial<Check>;

const viewForgets = viewCheck({
  ...goesOn,
  id: 'view/forgets',
  title: 'the view shows no deleted record',
  plan: ({ family }, source) => ({
    steps: [subjectIn(source), ...listed(family), remove('subject'), ...seen(family)],
    isAbout: ({ requirement }) => requirement.endsWith('-D'),
  }),
});

const viewFollows = viewCheck({
  ...goesOn,
  id: 'view/follows',
  title: 'the view shows the new name of a record that was looked at before its rename',
  plan: ({ family, table }, source) => ({
    steps: [
      ...[subjectIn(source), ...seen(family)],
      // The questions are asked for the new name: what is kept of the old one shows beside them.
      ...(hasOp(table[source] as Family, 'update') ? [update('subject', {}, { fresh: 'b' }), ...seen(family)] : []),
    ],
    isAbout: ({ kind, subject }) => kind === 'records' || subject === `member ${nameMember(family) ?? 'name'}`,
  }),
});

export const viewChecks: readonly Check[] = [viewShowsAll, viewChangesNone, viewIsUnion, viewFollows, viewForgets];
