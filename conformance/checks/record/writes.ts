import { opRequirementId } from '../../../lib/contract/requirements.ts';
import { type Family, hasOp } from '../../../lib/contract/types.ts';
import type { Check, CheckContext } from '../../kit/check.ts';
import { creatable, isCreatable, nameFilter, nameMember } from '../../kit/fields.ts';
import { create, look, read, remove, update } from '../../plans/make.ts';
import type { Told } from '../../plans/obvious/looks.ts';
import { change, LISTED, listedByName, mustTakeSteps, type StepPlan } from '../../plans/obvious/steps.ts';
import { isDeletable, isUpdatable, onRecords } from '../common.ts';

type StepCheck = Omit<Check, 'run' | 'level' | 'needs' | 'variants'> & {
  readonly plan: (context: CheckContext) => StepPlan | readonly StepPlan[];
};

/** A check of steps that every target has to take. */
export const stepCheck = ({ plan, ...check }: StepCheck): Check => ({
  ...onRecords,
  ...check,
  run: (context) => mustTakeSteps(context, plan(context)),
});

/** The name of a record, given to one of another family too. */
function elsewhere({ family, table, run }: CheckContext) {
  const other = creatable(table).find(
    (name) => name !== family.name && run.mayCreate(name) && nameMember(table[name] as Family) === 'name',
  );
  return other === undefined
    ? []
    : [{ ...create('elsewhere', {}, { of: 'subject', as: 'same' }), family: other } as const];
}

type Step = StepPlan['steps'][number];

const onGone = (op: 'update' | 'delete'): Step => ({ step: 'wrong', request: `${op} gone`, who: 'subject' });

/** A record that a list lacks, and not one that is listed and gone. */
const isMissing: StepPlan['isAbout'] = ({ kind, subject, requirement }) =>
  kind === 'records' && subject !== 'other records' && !requirement.endsWith('-D');

const isOf =
  ({ family }: CheckContext, op: 'update' | 'delete') =>
  ({ requirement }: Told): boolean =>
    requirement === opRequirementId(family.name, op);

/** A write between two equal questions for the name that the record has before it: what is kept for those who ask again, shows. */
function byName({ family }: CheckContext, write: Step): readonly Step[] {
  const [named] = listedByName(family);
  if (named === undefined) return [write];
  return [look(named), write, look({ ...named, again: true })];
}

/** What each write does to its record. */
export const plainWrites: readonly Check[] = [
  stepCheck({
    id: 'record/created-is-listed',
    title: 'a created record is listed',
    requirement: 'SVC-1',
    appliesTo: (family) => isCreatable(family) && hasOp(family, 'list'),
    exercises: ['create', 'list'],
    plan: () => ({ steps: [create('subject'), LISTED], isAbout: isMissing, isOwn: true }),
  }),
  stepCheck({
    id: 'record/update',
    title: 'an updated record shows its new text',
    requirement: 'OP-{family}-U',
    appliesTo: isUpdatable,
    exercises: ['update'],
    plan: (context) => ({
      steps: [create('subject'), change(context, 'subject', `changed ${context.run.prefix}`), read('subject')],
      isAbout: (told) => told.requirement === 'PAY-U' || isOf(context, 'update')(told),
      isOwn: true,
    }),
  }),
  stepCheck({
    id: 'record/rename',
    title: 'a record whose name an update changes keeps its id, and is listed under the new name',
    requirement: 'OP-{family}-U',
    appliesTo: isUpdatable,
    dependsOn: ['record/update'],
    exercises: ['update'],
    plan: ({ family }) => ({
      steps: [create('subject'), update('subject', {}, { fresh: 'b' }), read('subject'), LISTED],
      isAbout: ({ subject }) =>
        ['record', 'other records', 'member id', `member ${nameMember(family)}`].includes(subject),
      isOwn: true,
    }),
  }),
  stepCheck({
    id: 'record/rename-filtered',
    title: 'a filter on the name finds a renamed record by its new name alone',
    requirement: 'FOP-EQ',
    appliesTo: (family, table) =>
      isUpdatable(family, table) && hasOp(family, 'list') && nameFilter(family) !== undefined,
    dependsOn: ['record/rename'],
    exercises: ['update', 'list'],
    plan: (context) => ({
      steps: [
        create('subject'),
        ...byName(context, update('subject', {}, { fresh: 'b' })),
        ...byName(context, update('subject', {}, { fresh: 'c' })),
      ],
      isAbout: ({ subject, kind }) => kind === 'records' && subject !== 'other records',
    }),
  }),
];

/** What writes do beside others. */
export const besideOthers: readonly Check[] = [
  stepCheck({
    id: 'record/update-siblings',
    title: 'an update leaves other records as they are',
    requirement: 'OP-{family}-U',
    appliesTo: isUpdatable,
    dependsOn: ['record/update'],
    exercises: ['update'],
    plan: (context) => {
      const steps = [
        ...[create('before'), create('subject'), create('after')],
        change(context, 'subject', `changed alone ${context.run.prefix}`),
        ...[read('before'), read('after'), LISTED],
      ];
      // An update of what is gone changes none either, where it may be sent.
      const gone = [remove('before'), onGone('update'), read('subject'), read('after')];
      return [...(hasOp(context.family, 'delete') ? [[...steps, ...gone]] : []), steps].map((each) => ({
        steps: each,
        isAbout: isOf(context, 'update'),
      }));
    },
  }),
  stepCheck({
    id: 'record/update-creates-none',
    title: 'an update by PUT changes its record in place and creates no second one',
    requirement: 'CNV-VERB',
    appliesTo: isUpdatable,
    dependsOn: ['record/update'],
    restsOn: ['record/update'],
    exercises: ['update'],
    plan: (context) => {
      const changed = change(context, 'subject', `changed again ${context.run.prefix}`);
      const steps = [create('subject'), changed, read('subject'), LISTED];
      const gone = [remove('subject'), onGone('update')];
      return [...(hasOp(context.family, 'delete') ? [[...steps, ...gone]] : []), steps].map((each) => ({
        steps: each,
        isAbout: ({ subject }) => ['other records', 'member id', 'id unknown'].includes(subject),
        isOwn: true,
      }));
    },
  }),
  /** A delete leaves records with like names alone, in its own family and in another, if that takes one of the same name. */
  stepCheck({
    id: 'record/delete-siblings',
    title: 'a delete removes no record with a similar name, and none of another family',
    requirement: 'OP-{family}-D',
    appliesTo: isDeletable,
    dependsOn: ['record/delete'],
    exercises: ['delete'],
    plan: (context) => {
      const alike = ['one', 'two'].map((as) => create(as, {}, { of: 'subject', as: 'goes on' }));
      // A target may take no longer name, and none that is there in another family.
      const plain = ['one', 'two'].map((as) => create(as));
      const planOf = (others: typeof alike, isAgain: boolean): StepPlan => {
        const reads = others.map(({ as }) => read(as));
        return {
          steps: [
            ...[create('subject'), ...others, remove('subject'), read('subject'), ...reads],
            ...(isAgain ? [onGone('delete'), ...reads] : []),
          ],
          isAbout: (told) => told.kind === 'no-effect' || isOf(context, 'delete')(told),
          isOwn: true,
        };
      };
      // Of a target that says by no status what is gone, nothing proves that a record may be deleted once more.
      return [true, false].flatMap((isAgain) =>
        [[...alike, ...elsewhere(context)], alike, plain].map((others) => planOf(others, isAgain)),
      );
    },
  }),
  stepCheck({
    id: 'record/delete-unlists',
    title: 'a deleted record is not listed',
    requirement: 'SVC-1',
    appliesTo: (family, table) => isDeletable(family, table) && hasOp(family, 'list'),
    dependsOn: ['record/delete', 'record/created-is-listed'],
    restsOn: ['record/created-is-listed'],
    exercises: ['delete', 'list'],
    plan: (context) => ({
      steps: [create('subject'), LISTED, ...byName(context, remove('subject')), LISTED, read('subject')],
      isAbout: (told) => told.subject !== 'other records' && isOf(context, 'delete')(told),
      isOwn: true,
    }),
  }),
];
