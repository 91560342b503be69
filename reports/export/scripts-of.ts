import type { FamilyTable } from '../../lib/contract/types.ts';
import type { Cause } from '../../lib/records/cause.ts';
import { resultKey } from '../../lib/records/conformance.ts';
import type { RunRecords } from '../../lib/records/folder/reader.ts';
import type { Report, ResultReport } from '../../lib/records/report.ts';
import { createdId, isTaken, wordsOf } from '../../lib/records/rests-on.ts';
import { runPrefix } from '../../lib/run-name.ts';
import { fromExchanges } from './from-exchanges.ts';
import { fromGrounds, type Told, writeStep } from './from-grounds.ts';
import { byTime, exchangeStep, type Kept, reading } from './kept.ts';
import { AS_CLIENT, type Script, type Step, TOKEN, TOKEN_HEADER } from './script.ts';

export type Exported =
  | { readonly cause: Cause; readonly script: Script }
  | { readonly cause: Cause; readonly why: string };

/** Where what the run made is looked up. */
type Sources = ReturnType<typeof sourcesOf>;

function sourcesOf(records: RunRecords, table: FamilyTable, placeOf: Kept['placeOf']) {
  const { exchanges, histories = [], journal } = records;
  const prefix = runPrefix(records.header.runId);
  const sent = exchanges.flatMap((exchange) => {
    const id = createdId(exchange);
    return id === undefined ? [] : [[id, exchangeStep(exchange)] as const];
  });
  const kept = histories
    .flatMap(({ writes }) => writes)
    .filter(({ kind, end, family }) => kind === 'create' && end === 'done' && table[family]?.ops.includes('create'))
    .map((write) => [write.id, writeStep(table, write)] as const);
  const isToken = ([name]: readonly [string, string]) => name.toUpperCase() === TOKEN_HEADER;
  // A check sends a token where none is needed: there the same operation is taken without one.
  const taken = exchanges.filter(({ method, status }) => method !== 'GET' && status < 300);
  const free = new Set(taken.flatMap((one) => (one.requestHeaders.some(isToken) ? [] : [one.operation])));
  const written = taken.find((one) => one.requestHeaders.some(isToken) && !free.has(one.operation));
  return {
    /** Address of a list, where the deployment demanded a CSRF token for writes. */
    tokens: written && `/ers/config/${written.family}?size=1`,
    exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    writes: exchanges.filter(isTaken).sort(byTime),
    names: new Map(
      journal.flatMap(({ event, id, name }) =>
        event === 'created' && id !== undefined && name?.includes(prefix) ? [[id, name] as const] : [],
      ),
    ),
    placeOf,
    prefix,
    histories: new Map(histories.filter(({ redacted }) => !redacted).map((history) => [resultKey(history), history])),
    made: new Set(journal.flatMap(({ event, id }) => (event === 'created' && id !== undefined ? [id] : []))),
    /** The request that made a record, by its id, as far as it was kept. */
    creates: new Map([...kept, ...sent]),
  };
}

/** The set-up with the records in front that it speaks of and that are gone since the run; a text names one that was not kept. */
function completed(
  steps: readonly Step[],
  request: Step,
  { made, creates }: Pick<Sources, 'made' | 'creates'>,
): readonly Step[] | string {
  const own = new Set([...steps, request].flatMap(({ creates: id }) => id ?? []));
  const words = new Set([...steps, request].flatMap(wordsOf));
  const lacking = [...words].find((word) => made.has(word) && !own.has(word));
  if (lacking === undefined) return steps;
  const create = creates.get(lacking);
  return create === undefined
    ? `the request that made the record ${lacking} was not kept`
    : completed([create, ...steps], request, { made, creates });
}

/** Removes what a file made, the last first; and takes a policy off the endpoint that it was put on. */
function cleanUpOf(steps: readonly Step[]): readonly Step[] {
  return steps.toReversed().flatMap((step): Step[] => {
    const { path, creates, headers } = step;
    const accept = headers.filter(([name]) => name.toLowerCase() === 'accept');
    // A bulk request is over by then.
    if (creates !== undefined && !path.includes('/bulk/'))
      return [{ method: 'DELETE', path: `${path.replace(/\?.*$/, '')}/${creates}`, headers: accept, expects: 'any' }];
    return path.endsWith('/apply') ? [{ ...step, path: path.replace(/apply$/, 'clear'), expects: 'any' }] : [];
  });
}

/** With the token that goes with each write, and the request that fetches it. */
function withToken(steps: readonly Step[], path: string | undefined, fetches = false): readonly Step[] {
  if (path === undefined) return steps;
  const headers = [...AS_CLIENT, [TOKEN_HEADER, 'fetch']] as const;
  const fetching: Step = { method: 'GET', path, headers, expects: 'taken', creates: TOKEN };
  const sent = steps.map(
    (step): Step => (step.method === 'GET' ? step : { ...step, headers: [...step.headers, [TOKEN_HEADER, TOKEN]] }),
  );
  return fetches ? [fetching, ...sent] : sent;
}

const REDACTED = '[redacted]';

/** A create that the run saw refused, or whose answer it lost, makes a record elsewhere: that one is removed too. */
const removable = (step: Step, at: number): Step =>
  step.method === 'POST' && step.creates === undefined && !step.path.includes('/bulk')
    ? { ...step, creates: `made-by-step-${at + 1}` }
    : step;

/** The step that finds a record of the deployment by its name, as a list showed it, if that is what the request reads. */
function found({ method, path }: Step, { made, exchanges }: Sources): readonly Step[] {
  const [, base, id] = /^(\/ers\/config\/[^/]+)\/([^/?]+)$/.exec(path) ?? [];
  if (method !== 'GET' || base === undefined || id === undefined || made.has(id)) return [];
  for (const { path: asked, responseBody } of exchanges.values()) {
    const { name } = asked.startsWith(`${base}?`) ? (entryIn(responseBody, id) ?? {}) : {};
    if (typeof name === 'string')
      return [reading(`${base}?filter=name.EQ.${encodeURIComponent(name)}`, { creates: id, from: 'list' })];
  }
  return [];
}

function entryIn(body: string, id: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const [list] = Object.values(JSON.parse(body) as Record<string, { resources?: readonly { id: string }[] }>);
    return list?.resources?.find((entry) => entry.id === id);
  } catch {
    return undefined;
  }
}

function scriptOf(cause: Cause, requirement: string, told: Told, sources: Sources): Script | string {
  const before = completed([...found(told.request, sources), ...told.setUp], told.request, sources);
  if (typeof before === 'string') return before;
  const setUp = before.map(removable);
  const request = removable(told.request, setUp.length);
  const steps = [...setUp, request];
  if (steps.some((step) => JSON.stringify(step).includes(REDACTED)))
    return 'its requests held something secret, which was not kept';
  const { tokens, prefix } = sources;
  const ids = [...new Set([tokens && TOKEN, ...steps.map(({ creates }) => creates)])].filter((id) => id !== undefined);
  const [last = request] = withToken([request], tokens);
  return {
    ...told,
    ...{ cause, requirement, setUp: withToken(setUp, tokens, true), request: last },
    cleanUp: withToken(
      cleanUpOf(steps.filter(({ from, creates = '' }) => from !== 'list' || sources.made.has(creates))),
      tokens,
    ),
    ...{ variables: new Map(ids.map((id, at) => [id, `id_${at + 1}`])), prefix },
  };
}

/** Results of a cause in the order in which they are tried: its example, those with the fewest writes, the others. */
function inOrder(cause: Cause, results: readonly ResultReport[], { histories }: Sources): readonly ResultReport[] {
  const keys = new Set(cause.results);
  const cost = (result: ResultReport) => {
    const grounds = histories.get(resultKey(result));
    return grounds === undefined
      ? 1_000
      : grounds.writes.length + (grounds.writes.some(({ kind }) => kind === 'learn') ? 500 : 0);
  };
  return results
    .filter((result) => keys.has(resultKey(result)) && result.flaky !== true)
    .sort((one, other) => cost(one) - cost(other));
}

/** Every new cause of a run as something that can be run; what a baseline expects is not among them. Pure. */
export function scriptsOf(
  report: Report,
  records: RunRecords,
  table: FamilyTable,
  { everything, placeOf }: { readonly everything: boolean; readonly placeOf: Kept['placeOf'] },
): readonly Exported[] {
  const { causes = [], results = [] } = report.conformance ?? {};
  const texts = new Map(report.catalogue.requirements.map(({ id, text }) => [id, text]));
  const sources = sourcesOf(records, table, placeOf);
  return causes
    .filter(({ expected }) => !expected)
    .map((cause): Exported => {
      const why: string[] = [];
      for (const result of inOrder(cause, results, sources)) {
        if (result.failure?.subject?.includes('parallel requests')) {
          why.push('it needs two requests at one time, and a file sends one after the other');
          continue;
        }
        const grounds = sources.histories.get(resultKey(result));
        const shown = cause.example?.result === resultKey(result) ? cause.example.exchange : undefined;
        const told =
          grounds === undefined
            ? fromExchanges(result, shown, sources)
            : fromGrounds(grounds, table, everything, sources);
        const script =
          typeof told === 'string'
            ? told
            : scriptOf(cause, texts.get(result.requirement) ?? result.requirement, told, sources);
        if (typeof script !== 'string') return { cause, script };
        why.push(script);
      }
      return { cause, why: why[0] ?? 'all of its failures passed when they were tried again' };
    });
}
