import { hasOp } from '../../../lib/contract/types.ts';
import { nameMember, textMember } from '../../kit/fields.ts';
import { create, read, together } from '../../plans/make.ts';
import { change } from '../../plans/obvious/steps.ts';
import { isReadable } from '../common.ts';
import { stepCheck } from './plans.ts';

const LABELS = ['a', 'b', 'c', 'd', 'e'] as const;

export const parallelCreates = stepCheck(
  {
    id: 'concurrency/parallel-creates',
    title: 'records created at the same time exist, and have ids of their own',
    requirement: 'SVC-1',
    appliesTo: isReadable,
    exercises: ['create'],
  },
  ({ family }) => ({
    steps: [together(...LABELS.map((as) => create(as))), ...LABELS.map((who) => read(who))],
    isAbout: ({ kind, subject }) =>
      kind === 'no-effect' || kind === 'refused' || ['member id', `member ${nameMember(family)}`].includes(subject),
    ...{ isOwn: true, subject: 'parallel requests' },
  }),
);

export const parallelWrites = stepCheck(
  {
    id: 'concurrency/parallel-contents',
    title: 'records written at the same time keep their own contents',
    requirement: 'SVC-1',
    appliesTo: isReadable,
    dependsOn: ['record/create', 'concurrency/parallel-creates'],
    exercises: ['create'],
  },
  (context) => {
    const some = LABELS.slice(0, 3);
    const member = textMember(context.family);
    const text = (turn: string, as: string) => `${turn} ${as} of ${context.run.prefix}`;
    const set = (as: string) =>
      member === undefined || member === nameMember(context.family) ? {} : { [member]: text('made', as) };
    const changes = hasOp(context.family, 'update')
      ? [together(...some.map((as) => change(context, as, text('changed', as)))), ...some.map((who) => read(who))]
      : [];
    // What no update is taken for, creates may still show.
    return [changes, []].map((each) => ({
      steps: [together(...some.map((as) => create(as, set(as)))), ...some.map((who) => read(who)), ...each],
      // Another type is what schema/every-answer tells.
      isAbout: ({ requirement }) => requirement !== 'RES-TYPE',
      subject: 'parallel requests',
    }));
  },
);
