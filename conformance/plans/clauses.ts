import type { Exchange } from '../../lib/client/types.ts';
import { present } from '../../lib/present.ts';
import { pageNumber } from '../../lib/text.ts';
import { and, valueWords } from '../kit/text-words.ts';
import type { Difference } from '../model/difference.ts';
import { flat, labelsIn, PLAIN, type Step, type StepOf, type Steps, setsOf } from '../steps/step.ts';
import type { Bounds } from './bounds.ts';
import {
  type About,
  APPLIED,
  a,
  askedBy,
  BETWEEN,
  carriedWords,
  FILTER,
  isAlike,
  isAskedFor,
  isExample,
  LIKE,
  nameWords,
  OPERAND,
  PAGES,
  queryWords,
  SORT,
  WHY_REFUSED,
} from './words.ts';

function bodyWords({ step, form, carried, set, name }: StepOf<'create'> | StepOf<'update'>, about: About) {
  const { member, bounds } = about;
  const isFormer = (each: string) => step === 'create' && about.blamed?.step === 'update' && each in about.blamed.set;
  // A value whose size is known not to matter, a number that nobody asked for, or for which nobody knows which sizes do, says nothing.
  const values = Object.entries(set).filter(
    ([each, value]) =>
      (bounds.has(each) ? bounds.get(each) : each !== member && !(isFormer(each) && typeof value === 'number')) &&
      !isExample(about, each, value),
  );
  const with_ = carriedWords(carried);
  return [
    ...present(
      form === 'xml' && `the ${step} is sent in XML`,
      with_.length > 0 && `the ${step} is sent with ${and(with_)}`,
    ),
    ...(name !== undefined && 'fresh' in name && isAskedFor(about, 'name', name.fresh)
      ? valueWords(OPERAND, name.fresh)
      : nameWords(name, bounds.get('name'))),
    ...values.flatMap(([each, value]) =>
      valueWords(
        isAskedFor(about, each, value) ? OPERAND : isFormer(each) ? `the former ${each}` : each,
        value,
        bounds.get(each),
      ),
    ),
  ];
}

function createWords(step: StepOf<'create'>, about: About): readonly string[] {
  const { as, name, withId, without = [], family, refersTo } = step;
  const more = present(
    ...bodyWords(step, about),
    withId && 'the create names an id',
    without.length > 0 && `${and(without)} ${without.length === 1 ? 'is' : 'are'} left out of the create`,
    refersTo && (refersTo === about.main ? 'another record referred to it' : 'the record refers to another one'),
  );
  const isMain = step === about.blamed || as === about.main;
  if (!isMain && about.named.has(as) && !('of' in name)) return more;
  const where = family === undefined ? '' : ' in another resource';
  const alike = Object.keys(step.set).find((each) => isAlike(about, each, step.set[each]));
  const other = `there is another record${where}${alike === undefined ? '' : ` whose ${alike} begins alike`}`;
  if (!('of' in name)) return present(!isMain && other, ...more);
  if (name.as === 'same')
    return [
      isMain
        ? `its name was that of ${about.gone.has(name.of) ? 'a record that was deleted' : 'another record'}`
        : `there is a record of the same name${where}`,
      ...more,
    ];
  return [`another record has ${LIKE[name.as]}`, ...more];
}

function renamed({ who, name }: StepOf<'update'>): string | undefined {
  if (name === undefined || !('of' in name)) return name && 'renamed';
  return `given ${name.as === 'other case' && name.of === who ? 'its own name in other case' : LIKE[name.as]}`;
}

const UPDATED = 'the record was updated';
/** Of the update at fault: it gives the record another name. */
export const RENAMED = 'the record is renamed';

function updateWords(step: StepOf<'update'>, about: About): readonly string[] {
  const change =
    renamed(step) ??
    (step.refersTo && 'made to refer to another one') ??
    (step.back && 'given back the texts that it had first');
  const more = bodyWords(step, about);
  if (step === about.blamed) return present(change && `the record is ${change}`, ...more);
  return [`${step.who === about.main ? 'the record' : 'another record'} was ${change ?? 'updated'}`, ...more];
}

function bulkWords(step: StepOf<'bulk'>, about: About): readonly string[] {
  const { action, who, form } = step;
  const isBlamed = step === about.blamed;
  const more = present(
    form === 'xml' && 'the bulk request is sent in XML',
    // What the request carries, that of its monitor does too: either may be the one at fault.
    ...carriedWords(step.carried ?? PLAIN).map((each) => `the ${isBlamed ? '' : 'bulk '}request is sent with ${each}`),
  );
  if (isBlamed) return present(who.length > 1 && `the request names at least ${who.length} records`, ...more);
  if (who.length === 0) return ['a bulk request without items was sent', ...more];
  const subject = who.includes(about.main) ? 'the record' : 'another record';
  return [`${subject} was ${action}d in bulk`, ...more];
}

function ancWords(step: StepOf<'apply'> | StepOf<'clear'>, about: About): readonly string[] {
  const isBlamed = step === about.blamed;
  const [one] = step.who;
  const isMain = about.main === `${one}`;
  const by = step.step === 'apply' && step.by === 'ip';
  const what = `${isMain ? 'the endpoint' : 'another endpoint'} was ${step.step === 'apply' ? 'given a policy' : 'cleared'} before`;
  // A clear needs an apply before it.
  const isNeeded = isMain && step.step === 'apply' && about.blamed?.step === 'clear';
  return present(
    by
      ? isBlamed
        ? 'the endpoint is named by its IP address'
        : APPLIED['by IP address']
      : !isBlamed && !isNeeded && what,
    step.who.length > 1 && `one request names at least ${step.who.length} endpoints`,
    step.spelled === 'other case' && 'the MAC address is written in other case',
    step.spelled === 'policy first' && 'the policy stands before the address',
    step.step === 'clear' && step.isNamed && 'the clear names the policy too',
    ...carriedWords(step.carried).map((each) => `the request is sent with ${each}`),
  );
}

/** The look that shows a difference; what others before it do. */
function lookWords({ look, twice }: StepOf<'look'>, about: About, isLast: boolean): readonly string[] {
  if (look.window === 'endpoints') return [];
  if (!isLast) return [look.window === 'list' ? 'the list was asked for before' : 'the record was read before'];
  const carried = carriedWords(look.carried).map((each) => `it is asked for with ${each}`);
  // What a list carries is to blame, and its request shows the query; how much of that it takes, nobody tried.
  const query = look.window === 'list' && carried.length === 0 ? queryWords(look.query, about) : [];
  const own =
    look.window === 'list'
      ? [...query, look.between && BETWEEN[look.between]]
      : [look.form === 'xml' && 'it is read in XML'];
  return present(...own, ...carried, twice && 'the same request is sent twice');
}

function words(step: Step, about: About, isLast: boolean): readonly string[] {
  switch (step.step) {
    case 'create':
      return createWords(step, about);
    case 'update':
      return updateWords(step, about);
    case 'bulk':
      return bulkWords(step, about);
    case 'apply':
    case 'clear':
      return ancWords(step, about);
    case 'delete':
      return step === about.blamed
        ? carriedWords(step.carried).map((each) => `the delete is sent with ${each}`)
        : about.gone.has(step.who)
          ? []
          : [`${step.who === about.main ? 'the record' : 'another record'} was deleted`];
    case 'race':
      return step === about.blamed ? [] : ['the record was updated several times at once'];
    case 'wrong': {
      const [operation = '', ...why] = step.request.split(' ');
      const reason = WHY_REFUSED[why.join(' ')] ?? why.join(' ');
      // What else shows the difference than the answer to it, it did before.
      return [isLast && !about.isOfRecord ? reason : `${a(operation)} was refused before because ${reason}`];
    }
    case 'version':
      return step === about.blamed ? [] : ['the version was asked for before'];
    case 'look':
      return lookWords(step, about, isLast);
    case 'together': {
      // That another record is made beside the request is said by their being sent so.
      const told = step.steps.filter(
        (each) => each.step !== 'create' || each === about.blamed || each.as === about.main || 'of' in each.name,
      );
      return [...told.flatMap((each) => words(each, about, isLast)), 'the requests are sent at the same time'];
    }
    default:
      return [];
  }
}

const targets = (step: Step): readonly string[] => {
  if (step.step === 'apply' || step.step === 'clear') return step.who.map(String);
  if (step.step === 'look') return 'who' in step.look ? [step.look.who] : 'about' in step.look ? [step.look.about] : [];
  return labelsIn(step);
};

/** What has to be so for a difference to show, in clauses, from a shrunk sequence; its request and what it is about are said elsewhere. `subjectOf`: label of the record that it is about, if that is known. */
export function clausesOf(
  steps: Steps,
  { about: { kind, operation, subject, times } }: Pick<Difference, 'about'>,
  exchanges: readonly Exchange[],
  bounds: Bounds = new Map(),
  subjectOf?: string,
): readonly string[] {
  const all = flat(steps);
  const blamed = all.findLast(({ step }) => operation.startsWith(step === 'race' ? 'update' : step));
  const made = all.find(({ step }) => step === 'create' || step === 'bulk' || step === 'apply');
  const last = steps.at(-1);
  const [main = ''] = [
    subjectOf ?? [],
    [blamed, last, made].flatMap((step) => (step === undefined ? [] : targets(step))),
  ].flat();
  const written = all.filter(({ step }) => step !== 'create' && step !== 'look').flatMap(targets);
  const likened = all.flatMap((step) =>
    'name' in step && step.name !== undefined && 'of' in step.name ? step.name.of : [],
  );
  const listed = exchanges.findLast(({ request }) => request.op === 'list');
  const asks = listed?.request.path.match(FILTER)?.length ?? 0;
  const filters = kind === 'refused' || listed === undefined ? undefined : asks;
  const about: About = {
    sets: all.flatMap((step) => setsOf(step).map(({ set }) => set)),
    isOfRecord: kind !== 'accepted' && (subject === 'record' || subject.startsWith('member ')),
    gone: new Set(likened.filter((each) => all.some((step) => step.step === 'delete' && step.who === each))),
    asked: asks === 1 && listed !== undefined ? askedBy(subject, listed) : undefined,
    ...{ bounds, main, blamed, filters, subject },
    isSorted: listed === undefined || SORT.test(listed.request.path),
    named: new Set([...written, ...likened]),
    member: /^member (\S+)$/.exec(subject)?.[1],
  };
  // How many records a page and those behind it hold decides of its link, and what else is left of a sequence only makes that so.
  const isCut = times === undefined || times < 2 || pageNumber(listed?.request.path ?? '') > 1;
  const telling = subject === PAGES && isCut && last?.step === 'look' ? [last] : steps;
  // What of its operand a list is refused for, its request tells.
  const said = telling
    .flatMap((step) => words(step, about, step === last))
    .filter((each) => kind !== 'refused' || !each.startsWith(`${OPERAND} holds `));
  // How often it takes the same: all of it was tried with fewer.
  const updates = said.filter((each) => each === UPDATED).length;
  return [...new Set(said)].map((each) => (each === UPDATED && updates > 1 ? `${each} ${updates} times` : each));
}
