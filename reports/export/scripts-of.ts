import type { FamilyTable } from '../../lib/contract/types.ts';
import { jsonOf } from '../../lib/json-text.ts';
import type { Cause } from '../../lib/records/answer.ts';
import { type ExchangeRecord, resultKey } from '../../lib/records/conformance.ts';
import type { RunRecords } from '../../lib/records/folder/reader.ts';
import type { Report } from '../../lib/records/report.ts';
import { isTaken, sentWords } from '../../lib/records/rests-on.ts';
import { runPrefix } from '../../lib/run-name.ts';
import { entriesOf, idOf, recordOf } from '../../lib/wire/answer.ts';
import { AS_CLIENT, type Script, type Step, TOKEN, TOKEN_HEADER } from './script.ts';
import { byTime, finding, type Kept, reading } from './steps.ts';
import { PAGED, type Told, told } from './told.ts';

export type Exported =
  | { readonly cause: Cause; readonly script: Script }
  | { readonly cause: Cause; readonly why: string };

/** How a record that the run did not make by itself is found, by its id. */
type Finds = ReadonlyMap<string, Step>;

/** By name, if an answer shows one and the family can be asked for it; else at its place in the list that shows it. */
function findsOf(exchanges: readonly ExchangeRecord[], table: FamilyTable): Finds {
  const finds = new Map<string, Step>();
  for (const { method, status, family, path, responseBody } of exchanges) {
    const shape = table[family];
    if (method !== 'GET' || status !== 200 || shape === undefined) continue;
    const json = jsonOf(responseBody);
    const entries = entriesOf({ json });
    for (const [at, entry] of (entries ?? [recordOf({ json }) ?? {}]).entries()) {
      const [id, name] = [idOf(entry), entry['name']];
      if (id === undefined) continue;
      if (shape.filters.includes('name') && typeof name === 'string') finds.set(id, finding(family, name, id));
      else if (entries !== undefined && !finds.has(id)) finds.set(id, reading(path, { creates: id, from: at }));
    }
  }
  return finds;
}

function sourcesOf({ exchanges, histories = [], journal, header }: RunRecords, placeOf: Kept['placeOf']) {
  const prefix = runPrefix(header.runId);
  const created = journal.flatMap(({ event, id, name }) =>
    event === 'created' && id !== undefined ? [{ id, name }] : [],
  );
  return {
    exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    writes: exchanges.filter(isTaken).sort(byTime),
    names: new Map(created.flatMap(({ id, name }) => (name?.includes(prefix) ? [[id, name] as const] : []))),
    ...{ placeOf, prefix },
    histories: new Map(histories.filter(({ redacted }) => !redacted).map((history) => [resultKey(history), history])),
    made: new Set(created.map(({ id }) => id)),
  };
}

/** Removes what a file made, the last first; and takes a policy off the endpoint that it was put on. */
function cleanUpOf(steps: readonly Step[]): readonly Step[] {
  const token = steps.flatMap(({ headers }) => headers.filter(([, value]) => value === TOKEN)).slice(0, 1);
  return steps.toReversed().flatMap((step): Step[] => {
    const { path, creates, headers } = step;
    const accept = headers.filter(([name]) => name.toLowerCase() === 'accept');
    // A bulk request is over by then.
    if (creates !== undefined && !path.includes('/bulk/')) {
      const one = `${path.replace(/\?.*$/, '')}/${creates}`;
      return [{ method: 'DELETE', path: one, headers: [...accept, ...token], expects: 'any' }];
    }
    return path.endsWith('/apply') ? [{ ...step, path: path.replace(/apply$/, 'clear'), expects: 'any' }] : [];
  });
}

/** With the request that fetches the token of the writes, if any of them was sent with one. */
function withToken(steps: readonly Step[]): readonly Step[] {
  const one = steps.find(({ headers }) => headers.some(([, value]) => value === TOKEN));
  const base = /^\/ers\/config\/[^/?]+/.exec(one?.path ?? '')?.[0];
  if (base === undefined) return steps;
  return [reading(`${base}?size=1`, { headers: [...AS_CLIENT, [TOKEN_HEADER, 'fetch']], creates: TOKEN }), ...steps];
}

const THEIRS = 'It looks for records that the file does not make: they have to be there as the run saw them.';

const ON_ENDPOINTS =
  'It puts policies on endpoints, and takes off what they hold then, whoever put it there: nobody else may use these endpoints.';

const REDACTED = '[redacted]';

/** A create that the run saw refused, or whose answer it lost, makes a record elsewhere: that one is removed too. */
const removable = (step: Step, at: number): Step =>
  step.method === 'POST' && step.creates === undefined && !step.path.includes('/bulk')
    ? { ...step, creates: `made-by-step-${at + 1}` }
    : step;

const wordsOf = ({ path, body }: Step) => sentWords({ path, ...(body === undefined ? {} : { requestBody: body }) });
const wordsIn = (value: unknown): readonly string[] => sentWords({ path: '', requestBody: JSON.stringify(value) });

function scriptOf(
  cause: Cause,
  requirement: string,
  is: Told,
  finds: Finds,
  { made, prefix }: ReturnType<typeof sourcesOf>,
): Script | string {
  const sent = [...is.setUp, is.request];
  const own = new Set(sent.flatMap(({ creates }) => creates ?? []));
  const known = new Set(own);
  const findsIn = (words: readonly string[]) =>
    words.flatMap((word) => {
      const find = known.has(word) || made.has(word) ? undefined : finds.get(word);
      known.add(word);
      return find ?? [];
    });
  const before = is.setUp.flatMap((step) => [...findsIn(wordsOf(step)), step]);
  const late = findsIn([...wordsOf(is.request), ...wordsIn(is.claims)]);
  const setUp = withToken([...before, ...late]).map(removable);
  const request = removable(is.request, setUp.length);
  const steps = [...setUp, request];
  const lost = [...steps.flatMap(wordsOf), ...wordsIn(is.claims)].find((word) => made.has(word) && !own.has(word));
  if (lost !== undefined) return `the request that made the record ${lost} was not kept`;
  if (JSON.stringify(steps).includes(REDACTED)) return 'its requests held something secret, which was not kept';
  const isTheirs = steps.some(({ from, creates = '' }) => from !== undefined && !made.has(creates));
  const isAnc = steps.some(({ path }) => /\/(?:apply|clear)$/.test(path));
  const ids = [...new Set(steps.flatMap(({ creates }) => creates ?? []))];
  return {
    ...{ ...is, cause, requirement, setUp, request, prefix },
    notes: [...is.notes, ...(isTheirs ? [THEIRS] : []), ...(isAnc ? [ON_ENDPOINTS] : [])],
    cleanUp: cleanUpOf(
      steps.filter(({ from, creates = '' }) => creates !== TOKEN && (from === undefined || made.has(creates))),
    ),
    variables: new Map(ids.map((id, at) => [id, `id_${at + 1}`])),
  };
}

/** Steps that a program may have more than one that is less sure. */
const LESS = 100;

/** Every new cause of a run as something that can be run; what a baseline expects is not among them. Pure. */
export function scriptsOf(
  report: Report,
  records: RunRecords,
  table: FamilyTable,
  { everything, placeOf }: { readonly everything: boolean; readonly placeOf: Kept['placeOf'] },
): readonly Exported[] {
  const { causes = [], results = [] } = report.conformance ?? {};
  const texts = new Map(report.catalogue.requirements.map(({ id, text }) => [id, text]));
  const sources = sourcesOf(records, placeOf);
  const finds = findsOf(records.exchanges, table);
  return causes
    .filter(({ expected }) => !expected)
    .map((cause): Exported => {
      const keys = new Set(cause.results);
      const tried = results
        .filter((result) => keys.has(resultKey(result)) && result.flaky !== true)
        .map((result) => {
          const grounds = sources.histories.get(resultKey(result));
          const is = told(result, grounds, { table, everything, kept: sources });
          if (typeof is === 'string') return { why: is };
          const script = scriptOf(cause, texts.get(result.requirement) ?? result.requirement, is, finds, sources);
          if (typeof script === 'string') return { why: script };
          // What grounds tell of an answer is more than what the words of a failure do, and what was sent more than what is like it.
          const isLess = grounds === undefined || is.notes.includes(PAGED);
          return { script, cost: is.setUp.length + (isLess ? LESS : 0) };
        });
      const [best] = tried
        .flatMap((one) => (one.script === undefined ? [] : [one]))
        .sort((one, other) => one.cost - other.cost);
      const [why = 'all of its failures passed when they were tried again'] = tried.flatMap((one) => one.why ?? []);
      return best === undefined ? { cause, why } : { cause, script: best.script };
    });
}
