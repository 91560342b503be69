import { endpointOf } from '../../driver/endpoints.ts';
import { BYSTANDER, type Session } from '../../driver/session.ts';
import { LEAST_POOL, OF_ROWS, STANDING } from '../../kit/anc-places.ts';
import type { CheckContext } from '../../kit/check.ts';
import { PLAIN, type Spelling, type Step, type StepOf, type Steps } from '../../steps/step.ts';
import { look, read } from '../make.ts';
import { type Factor, type Model, modelWith, plainRow, queryFactors, type Row, rule } from './factors.ts';
import { looks } from './row-looks.ts';
import { carried, REQUESTS } from './row-values.ts';
import { beside } from './row-writes.ts';
import { carrying, type Planned, QUERY } from './script.ts';

/** Endpoints of others beside which rows are tried: the whole list is read after each. */
const MOST_FOREIGN = 300;

/** What a family that applies policies needs so that rows can apply some; undefined if nothing is lacking. */
export function lacking({ run }: CheckContext, foreign: number): string | undefined {
  if ((run.endpoints?.pool.size ?? 0) < LEAST_POOL)
    return `--mode full with a pool of at least ${LEAST_POOL} endpoints`;
  return foreign < MOST_FOREIGN ? undefined : `fewer than ${MOST_FOREIGN} endpoints of others`;
}

/** Requests by what their endpoints hold before: none, another policy, the same, or any. */
const APPLIES = ['apply', 'apply over another', 'apply again'];
const CLEARS = ['clear', 'clear naming the policy'];

/** Factors of applies and clears: section "Special paths". */
function writeFactors({ context: { run } }: Session): readonly Factor[] {
  const isByIp = run.endpoints?.pool.at(0).ipAddress !== undefined && run.anc().hasSessions !== false;
  const isSecond = (run.endpoints?.policies.length ?? 0) > 1;
  const applies = APPLIES.filter((level) => isSecond || level !== 'apply over another');
  return [
    { name: 'operation', levels: [...applies, ...CLEARS] },
    { name: 'before', levels: ['nothing', 'applied twice', 'changed', 'cleared', 'cleared twice'] },
    { name: 'policy', levels: ['first', ...(isSecond ? ['second'] : [])] },
    { name: 'endpoints', levels: ['one', 'two'] },
    { name: 'spelling', levels: ['plain', 'other case', 'policy first'] },
    { name: 'by', levels: ['mac', ...(isByIp ? ['ip'] : [])] },
    { name: 'request', levels: REQUESTS.filter((level) => level !== 'everything') },
    { name: 'refused', levels: ['nothing', ...Object.keys(REFUSALS)] },
    { name: 'refused when', levels: ['before', 'after'] },
    { name: 'others', levels: ['nothing', 'applied', 'cleared', 'changed'] },
    { name: 'beside', levels: ['nothing', 'a write', 'reads', 'lists'] },
    { name: 'population', levels: ['few', 'many'] },
    { name: 'observer', levels: ['read', 'xml', 'pages'] },
  ];
}

/** The factors of sequences on endpoints. */
export function ancModelOf(session: Session): Model {
  return modelWith(
    [...writeFactors(session), ...queryFactors(session.context.family)],
    [
      rule('operation', CLEARS, 'by', ['mac']),
      rule('by', ['ip'], 'spelling', ['plain']),
      rule('spelling', ['policy first'], 'operation', ['apply', 'apply again']),
      rule('refused', ['nothing'], 'refused when', ['before']),
      rule('others', ['nothing'], 'beside', ['nothing', 'reads', 'lists']),
      rule('population', ['many'], 'size', ['20', 'left out', '3', '5', '100']),
    ],
  );
}

/** Rows beside the pairs: each way to send a request, bulk without items after another, and two requests of one kind at one time. */
export function extraRows(model: Model): readonly Row[] {
  const plain = plainRow(model);
  // A factor of one level is no part of the model.
  const levelsOf = (factor: string) =>
    model.factors.find(({ name }) => name === factor)?.levels ?? [plain[factor] ?? ''];
  const after: readonly Row[] = [
    {},
    { operation: 'clear', request: 'parameter' },
    { refused: 'clear of nothing', 'refused when': 'after' },
    { refused: 'clear of nothing', 'refused when': 'after', request: 'parameter' },
    { operation: 'clear', before: 'changed' },
    { operation: 'apply again', request: 'parameter', looks: 'before too' },
  ];
  const atOnce: readonly Row[] = [
    ...levelsOf('by').map((by) => ({ operation: 'apply', others: 'applied', by })),
    { operation: 'clear', others: 'cleared' },
  ];
  // A request that carries something optional is taken or done in another way by some.
  const requests = levelsOf('request');
  const asCarried = ['apply', 'clear'].flatMap((operation) => requests.map((request) => ({ operation, request })));
  return [
    ...asCarried.map((row) => ({ ...plain, ...row })),
    ...after.map((row) => ({ ...plain, ...row, bulk: 'without items' })),
    ...atOnce.map((row) => ({ ...plain, ...row, beside: 'a write' })),
  ];
}

const ENDPOINTS: Step = look({ window: 'endpoints' });
/** Number of an endpoint that stays without a policy. */
const SPARE = OF_ROWS - 1;
const OTHER = 4;

const plain = { spelled: 'plain', carried: PLAIN } as const;
type Numbers = readonly number[];
const applied = (who: Numbers, policy: number | undefined, over: Partial<StepOf<'apply'>> = {}): Step => ({
  ...{ step: 'apply', who, policy, by: 'mac', ...plain, ...over },
});
const cleared = (who: Numbers, over: Partial<StepOf<'clear'>> = {}): Step => ({
  ...{ step: 'clear', who, ...plain, ...over },
});

/** Requests that may be refused and change nothing if they are. */
const REFUSALS: Readonly<Record<string, Step>> = {
  'clear of nothing': cleared([SPARE]),
  'apply without a policy': applied([SPARE], undefined),
  'apply without a policy, to the subject': applied([0], undefined),
  'read unknown': { step: 'wrong', request: 'read unknown', who: 'subject' },
  'list unknown operator': { step: 'wrong', request: 'list unknown operator', who: 'subject' },
};

/** Puts policies on endpoints that no row writes to, as many as there are to be, neither upwards nor downwards. */
export function standing(session: Session, count: number): Steps {
  const isHeld = (number: number) => session.anc.holdings.get(endpointOf(session, number).address)?.policy;
  const numbers = Array.from({ length: STANDING }, (_, at) => OF_ROWS + at);
  const mixed = [...numbers.filter((at) => at % 2 === 1), ...numbers.filter((at) => at % 2 === 0).reverse()];
  const fresh = mixed.slice(0, count).filter((number) => typeof isHeld(number) !== 'string');
  return fresh.length === 0 ? [] : [...fresh.map((number) => applied([number], number % 2)), ENDPOINTS];
}

/** What was done to the endpoints of the row before: its levels first, and then what the request needs. */
function past(row: Row, who: readonly number[], named: number): Steps {
  const { before = 'nothing', operation = 'apply' } = row;
  const held = operation === 'apply over another' ? 1 - named : named;
  const isHeld = operation !== 'apply';
  const one = who.slice(0, 1);
  // What stands beside the first endpoint has the state that the request needs, and no more of a past.
  const others = isHeld ? who.slice(1).map((number) => applied([number], held)) : [];
  const put = applied(one, held);
  const needed = isHeld ? [put] : [];
  const taken = isHeld ? [] : [cleared(one)];
  const steps: Readonly<Record<string, Steps>> = {
    nothing: needed,
    'applied twice': [put, put, ...taken],
    changed: [applied(one, 1 - held), put, ...taken],
    cleared: [put, cleared(one), ...needed],
    'cleared twice': [put, cleared(one), cleared(one), ...needed],
  };
  return [...(steps[before] ?? []), ...others];
}

/** What is done to another endpoint: made ready first, done where the row says. */
function others({ others: level = 'nothing', by = 'mac' }: Row): Readonly<Record<'ready' | 'act', Steps>> {
  if (level === 'nothing') return { ready: [], act: [] };
  const change = applied([OTHER], 1, { by: by as 'mac' | 'ip' });
  if (level === 'applied') return { ready: [], act: [change] };
  return { ready: [applied([OTHER], 0)], act: [level === 'cleared' ? cleared([OTHER]) : change] };
}

function requestOf(row: Row, who: readonly number[], named: number): Step {
  const { operation = 'apply', by = 'mac', spelling = 'plain', request } = row;
  const over = { spelled: spelling as Spelling, carried: carried(request) };
  if (APPLIES.includes(operation)) return applied(who, named, { by: by as 'mac' | 'ip', ...over });
  return cleared(who, { ...over, isNamed: operation === 'clear naming the policy' });
}

/** A question about what an endpoint holds that was not cleared. */
function ofBystander(step: Step): Step {
  if (step.step === 'together') return { ...step, steps: step.steps.map(ofBystander) };
  if (step.step !== 'look' || step.look.window !== 'list') return step;
  return { ...step, look: { ...step.look, about: BYSTANDER } };
}

const WRITE = ['operation', 'before', 'policy', 'endpoints', 'spelling', 'by', 'request'];

/** The sequence of a row on endpoints, as data. */
export function ancScriptOf(row: Row): readonly Planned[] {
  const { refused = 'nothing', 'refused when': when = 'before', endpoints = 'one', policy = 'first' } = row;
  const who = Array.from({ length: endpoints === 'two' ? 2 : 1 }, (_, number) => number);
  const named = policy === 'second' ? 1 : 0;
  const { ready, act } = others(row);
  const wrong = REFUSALS[refused];
  const refusal = wrong === undefined ? [] : carrying(['refused', 'refused when'], [wrong]);
  const asked = looks({ ...row, write: 'apply' });
  // The whole list on pages of one or two takes more requests than all other looks together.
  const { observed } = looks(['1', '2'].includes(row['size'] ?? '') ? { ...row, size: '5' } : row);
  const isCleared = CLEARS.includes(row['operation'] ?? '');
  const none = { action: 'create', form: 'json', who: [], sets: [] } as const;
  const bulk: Step = { step: 'bulk', ...none, carried: carried(row['request']) };
  const subject =
    isCleared || row['observer'] === 'read' ? [read('subject', 'json', carried(row['look request']))] : [];
  return [
    ...carrying(WRITE, past(row, who, named)),
    ...carrying(['others'], ready),
    ...(asked.before.length > 0 ? carrying(['looks'], [ENDPOINTS, ...asked.before]) : []),
    ...(when === 'before' ? refusal : []),
    ...carrying([...WRITE, 'beside', 'others'], beside(row, [requestOf(row, who, named)], act)),
    ...(when === 'after' ? refusal : []),
    ...(row['bulk'] === undefined ? [] : carrying([], [bulk])),
    ...carrying(WRITE, [ENDPOINTS]),
    ...carrying(QUERY, isCleared && row['operand'] !== 'former' ? asked.after.map(ofBystander) : asked.after),
    ...carrying(['observer'], [...subject, ...observed]),
  ];
}
