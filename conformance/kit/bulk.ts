import type { Exchange } from '../../lib/client/types.ts';
import { MEDIA_TYPE_PREFIX, vendorFacts } from '../../lib/contract/vendor.ts';
import { titleOf } from '../../lib/said.ts';
import {
  answeredId,
  isForbidden,
  isNotFound,
  isNotServed,
  isObject,
  isOverloaded,
  isSuccess,
  type JsonObject,
} from '../../lib/wire/answer.ts';
import type { BulkItems } from '../../lib/wire/xml.ts';
import { answerText } from './answer.ts';
import type { CheckContext } from './check.ts';
import { Inconclusive } from './fault.ts';
import { creatable } from './fields.ts';
import { isUuid } from './list/value.ts';

/** Words for creating that deployments may know: the specification shows none (gap G-08). Published definitions say the first. */
const CREATE_WORDS = ['create', 'CREATE', 'import', 'add', 'insert', 'post', 'upload', 'new'] as const;

/** Members of a bulk request. The specification shows none of their values (gap G-08); published definitions use these. */
export const bulkValues = (name: string, operationType: string = CREATE_WORDS[0]) => ({
  operationType,
  resourceMediaType: `${MEDIA_TYPE_PREFIX}${vendorFacts(name).mediaType}+xml`,
});

export interface BulkRun {
  readonly submitted: Exchange;
  readonly id: string | undefined;
  /** Answers of the monitor, in order; the last one is the state it was left in. */
  readonly monitored: readonly Exchange[];
  readonly state: 'done' | 'running' | 'unclear';
}

/** What a small bulk request is given before the monitor is asked again: nobody gains from asking while it is worked off. */
const WORK_MS = 50;
const ID_MEMBERS = ['bulkId', 'bulkID', 'bulkid', 'id'];
/** The id in an answer in XML, as an attribute or an element of one of these names. */
const inXml = (body: string): string | undefined =>
  body.trimStart().startsWith('<')
    ? new RegExp(`[\\s<:](?:${ID_MEMBERS.join('|')})\\s*(?:=\\s*["']|>)\\s*([^"'<>\\s]{1,200})`).exec(body)?.[1]
    : undefined;

/** The id that a body holds and nothing else: a word has no digits. */
const alone = (body: string): string | undefined => /^\s*"?(?=\S*\d)([\w-]{1,64})"?\s*$/.exec(body)?.[1];

/** The id in an address of the monitor, in a header or in the body. */
const inAddress = ({ headers, body }: Exchange): string | undefined =>
  /\/bulk\/(?!submit\b)([\w.~-]+)/.exec([...Object.values(headers), body].join('\n'))?.[1];

/** Texts and numbers of a body, each with its member. */
const leavesOf = (value: unknown, member = ''): readonly (readonly [string, string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, held]) => leavesOf(held, key))
    : [[member, textOf(value)]];

/** The only id in a body, whatever its member is called; what traces a request is none if there is another. */
function onlyId({ json }: Exchange): string | undefined {
  const ids = leavesOf(json).filter(([member, text]) => isUuid(text) || (/id$/i.test(member) && /\d/.test(text)));
  const own = ids.filter(([member]) => !/request|trace|correlation/i.test(member));
  const [id, ...more] = new Set((own.length > 0 ? own : ids).map(([, text]) => text));
  return more.length === 0 ? id : undefined;
}

/** Id of a bulk request that was taken, as its answer gives it, which the specification does not show (gap G-07). */
export const idOfBulk = (answer: Exchange): string | undefined =>
  answeredId(answer, ID_MEMBERS) ?? inAddress(answer) ?? inXml(answer.body) ?? alone(answer.body) ?? onlyId(answer);

const DONE = /complet|success|fail|done|finish|end/i;
const RUNNING = /progress|running|pending|start|queue|new|wait|process/i;

/** What the monitor's answer holds under its root. */
export function statusOf({ json }: Pick<Exchange, 'json'>): JsonObject {
  if (!isObject(json)) return {};
  return Object.values(json).find(isObject) ?? json;
}

/** The request of which the answer of a monitor says that it tells; undefined if it does not say. */
export function toldId(exchange: Exchange): string | undefined {
  const status = statusOf(exchange);
  const held = ['bulkId', 'bulkID'].map((member) => status[member]).find((value) => value !== undefined);
  return held === undefined ? undefined : String(held);
}

function stateOf(exchange: Exchange): BulkRun['state'] {
  const word = String(statusOf(exchange)['executionStatus'] ?? '');
  if (DONE.test(word)) return 'done';
  return RUNNING.test(word) ? 'running' : 'unclear';
}

/** Statuses of a target that may be at work on the bulk request of somebody else: it takes one at a time. */
const BUSY: ReadonlySet<number> = new Set([409, 423, 429, 503]);

/** Windows that a bulk request may take: how long one takes is not shown. */
const WINDOWS = 6;

interface Ways {
  /** Another family than that of the check. */
  readonly on?: string;
  /** How the monitor is asked first: in another form, for one. */
  readonly first?: (bulkId: string) => Promise<Exchange>;
}

/**
 * Submits by the given request, alone in the run, as soon as the target takes one, and asks the monitor until it is done. Behind one that
 * never was, or never was known, further ones have less patience.
 */
export const runBulk = (
  context: CheckContext,
  submit: () => Promise<Exchange>,
  { on, first }: Ways = {},
): Promise<BulkRun> =>
  context.run.exclusive('bulk', async () => {
    const answers: Exchange[] = [];
    await context.eventually(async () => {
      const answer = await submit();
      answers.push(answer);
      return BUSY.has(answer.status) ? undefined : answer;
    }, WORK_MS);
    const submitted = answers.at(-1) as Exchange;
    const id = isSuccess(submitted) ? idOfBulk(submitted) : undefined;
    const monitored: Exchange[] = [];
    if (id === undefined) return { submitted, id, monitored, state: 'unclear' };
    const patience = await context.run.shared('bulk patience', async () => ({ windows: WINDOWS, isKnownLate: true }));
    const look = async () => {
      const isFirst = first !== undefined && monitored.length === 0;
      const answer = isFirst ? await first(id) : await context.send('bulkMonitor', { bulkId: id }, on);
      monitored.push(answer);
      if (!isSuccess(answer)) return patience.isKnownLate && isNotFound(answer) ? undefined : answer;
      return stateOf(answer) === 'done' ? answer : undefined;
    };
    let state: BulkRun['state'] = 'running';
    try {
      for (let window = 0; state === 'running' && window < patience.windows; window += 1) {
        await context.eventually(look, WORK_MS);
        const last = monitored.at(-1);
        state = last === undefined ? 'unclear' : stateOf(last);
      }
    } finally {
      // The run may end before it does.
      if (state !== 'done') context.ledger.givesUp(on ?? context.family.name);
      const failed = state === 'running' ? undefined : countsOf(monitored.at(-1) ?? { json: undefined }).failed;
      if (state !== 'unclear')
        context.ledger.endsBulk(on ?? context.family.name, state === 'running' ? undefined : (failed ?? 0));
    }
    if (state === 'running') patience.windows = 1;
    if (monitored.length > 0 && isNotFound(monitored.at(-1) as Exchange)) patience.isKnownLate = false;
    return { submitted, id, monitored, state };
  });

/** An item of a bulk request, and whether a look shows that it was done; undefined if both would be right. */
export interface Item {
  readonly id?: string | undefined;
  readonly isDone: boolean | undefined;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const numberIn = (value: unknown): number | undefined => (textOf(value) === '' ? undefined : Number(value));

/** How many items the monitor counts, in numbers or their texts; undefined where it does not. Members: published definitions. */
export function countsOf(answer: Pick<Exchange, 'json'>) {
  const status = statusOf(answer);
  const [all, succeeded, failed] = ['resourcesCount', 'successCount', 'failCount'].map((of) => numberIn(status[of]));
  return { all, succeeded, failed };
}

/** Whether the monitor says that the item of a record was done; undefined if not in known words. */
function saidOf({ resourcesStatus }: JsonObject, { id }: Item): boolean | undefined {
  const all = Array.isArray(resourcesStatus) ? resourcesStatus.filter(isObject) : [];
  const word = textOf(all.find((each) => id !== undefined && each['id'] === id)?.['status']);
  return /fail/i.test(word) ? false : /success/i.test(word) ? true : undefined;
}

/**
 * What the monitor says at the end of a request and looks at its items contradict, both ways; empty if nothing. `told`: how much of it
 * could have been. Silence about an item is no contradiction: its members are not shown (gap G-08); published definitions use these.
 */
export function contradicted(answer: Pick<Exchange, 'json'>, items: readonly Item[]) {
  const status = statusOf(answer);
  const countIf = (is: boolean) => items.filter(({ isDone }) => isDone === is).length;
  const [done, undone] = [countIf(true), countIf(false)];
  const open = items.length - done - undone;
  const { all, succeeded, failed } = countsOf(answer);
  const knowsAll = (all ?? 0) >= items.length;
  const said = items.flatMap((item) => {
    const isSaid = saidOf(status, item);
    return isSaid === undefined || item.isDone === undefined ? [] : [{ ...item, isSaid }];
  });
  const isWrong = (count: number | undefined, seen: number) =>
    count !== undefined && (count > seen + open || (knowsAll && count < seen));
  const wrong = [
    ...(isWrong(succeeded, done) ? [`successCount ${succeeded}`] : []),
    ...(isWrong(failed, undone) ? [`failCount ${failed}`] : []),
    ...said.flatMap((each) =>
      each.isDone === each.isSaid ? [] : `${each.isSaid ? 'success' : 'failure'} of ${each.id}`,
    ),
  ];
  return { told: [succeeded, failed].filter((each) => each !== undefined).length + said.length, wrong };
}

/** The first answer of the monitor that knows the request, which it may learn of a moment later; else the last one. */
export const firstKnown = ({ monitored }: BulkRun): Exchange | undefined =>
  monitored.find(isSuccess) ?? monitored.at(-1);

/** A plain bulk request, and the word for creating that the target took; the first word where it took none. */
export type PlainBulkRun = BulkRun & { readonly operationType: string };

/** Submits the two members that the specification lists, with one word after the other until one is taken. Throws `Inconclusive` if a refusal names them: their values are not shown. */
export async function submitPlain(context: CheckContext): Promise<PlainBulkRun> {
  let refused: PlainBulkRun | undefined;
  for (const operationType of CREATE_WORDS) {
    const fields = bulkValues(context.family.name, operationType);
    const run = { ...(await runBulk(context, () => context.send('bulkSubmit', { fields }))), operationType };
    const { submitted } = run;
    if (isSuccess(submitted) || isForbidden(submitted) || isOverloaded(submitted) || isNotServed(submitted)) return run;
    refused ??= run;
  }
  const run = refused as PlainBulkRun;
  if (/operationType|resourceMediaType/i.test(titleOf(run.submitted)))
    throw new Inconclusive(`no value that is known for its members is taken: ${answerText(run.submitted)}`);
  return run;
}

/** Submits a plain request in another family that has bulk and creates, if there is one, and waits for its end. */
export async function submitElsewhere(context: CheckContext, word: string): Promise<void> {
  const { table, family, run } = context;
  const other = creatable(table).find((name) => name !== family.name && table[name]?.ops.includes('bulkSubmit'));
  if (other === undefined || !run.isServed(other)) return;
  await runBulk(context, () => context.send('bulkSubmit', { fields: bulkValues(other, word) }, other), { on: other });
}

/** One plain bulk request for all checks of the family. */
export async function bulkRunOf(context: CheckContext): Promise<PlainBulkRun> {
  const run = await context.run.shared('bulk', () => submitPlain(context));
  for (const exchange of [run.submitted, ...run.monitored.slice(-1)]) context.evidence.add(exchange);
  return run;
}

/** Submits records, in the XML form of published definitions; the specification shows no place for them. */
export function submitRecords(context: CheckContext, bulk: BulkItems, word: string = bulk.action): Promise<BulkRun> {
  const fields = bulkValues(context.family.name, word);
  return runBulk(context, () => context.send('bulkSubmit', { fields, bulk, format: 'xml' }));
}
