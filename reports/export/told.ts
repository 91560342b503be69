import { judgeAgain } from '../../conformance/model/judge.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { jsonOf } from '../../lib/json-text.ts';
import { present } from '../../lib/present.ts';
import type { ConformanceResult, ExchangeRecord } from '../../lib/records/conformance.ts';
import { cutFrom, type Grounds } from '../../lib/records/histories.ts';
import { isBulk, isOfEndpoint, writtenId } from '../../lib/records/rests-on.ts';
import { recordOf } from '../../lib/wire/answer.ts';
import { claimsOf, namedIn } from './claims.ts';
import { writesTo } from './endpoints.ts';
import { type Asked, ofFailure } from './of-failure.ts';
import type { Claim, Script } from './script.ts';
import { exchangeStep, type Kept, stepsBefore } from './steps.ts';

export type Told = Pick<Script, 'notes' | 'setUp' | 'request' | 'claims' | 'expected' | 'observed'>;

/** The exchanges that asked the question of grounds last: as many as the answer has pages, as far as they were kept. */
function askedIn(sent: readonly ExchangeRecord[], { observation: { question, shown } }: Grounds) {
  const isOne = ({ family, operation, path }: ExchangeRecord) => {
    if (family !== question.family) return false;
    if (!('id' in question)) return operation === 'list';
    return question.window === 'name' ? operation === 'readByName' : path.endsWith(`/${question.id}`);
  };
  const pages = 'pages' in shown ? shown.pages.length + (shown.end === 'refused' ? 1 : 0) : 1;
  return { all: sent.filter((one) => one.method === 'GET' && isOne(one)).slice(-pages), pages };
}

export const PAGED = 'It asks for smaller pages than the run did: here are fewer records.';

/** The path of a list in pages of which those records fill at least two that the file makes. */
function paged(path: string, { writes, observation: { shown } }: Grounds): string {
  if (!('pages' in shown)) return path;
  const own = shown.pages.flat().filter(({ id }) => writes.some((write) => write.id === id && write.kind === 'create'));
  if (own.length > (shown.pages[0]?.length ?? 0)) return path;
  const size = `size=${Math.max(1, Math.floor(own.length / 2))}`;
  return /[?&]size=/.test(path)
    ? path.replace(/(?<=[?&])size=\d+/, size)
    : `${path}${path.includes('?') ? '&' : '?'}${size}`;
}

/** A failure that an observation shows, from what its grounds say of it. `everything`: with all records that they tell of. */
function ofGrounds(
  grounds: Grounds,
  { onlyIf }: ConformanceResult,
  sent: readonly ExchangeRecord[],
  { table, everything }: Making,
): Asked | string {
  const { writes, observation } = grounds;
  const foreign = [observation.question, ...writes].find(({ family }) => table[family] === undefined);
  if (foreign !== undefined) return `the family ${foreign.family} is not of this version`;
  const difference = judgeAgain(grounds, table);
  if (difference === undefined) return 'this version sees no difference in what was recorded';
  const asserted = claimsOf(difference, grounds, table);
  if (typeof asserted === 'string') return asserted;
  const { all, pages } = askedIn(sent, grounds);
  const [first] = all;
  if (first === undefined) return 'the run kept no requests that show it';
  const step = exchangeStep(first, asserted.expects);
  // Of a long walk, the first pages were not kept: they are what the others are, but for the page.
  const path = all.length < pages ? step.path.replace(/(?<=[?&])page=\d+(?:&|$)/, '').replace(/[?&]$/, '') : step.path;
  // Where a page ends is part of what was seen, or what was written to another record.
  const isOfAll = difference.about.subject === 'other records' || namedIn(asserted.claims).includes('nextPage');
  const isWhole = everything || pages > 1 || isOfAll;
  const ids = new Set('id' in observation.question ? [observation.question.id] : namedIn(asserted.claims));
  const needed = writes.filter((write) => isWhole || ids.has(write.id));
  const own = new Set(needed.map(({ id }) => id));
  // Of what was sent in a row, each request counts if it was tried without it.
  const isShrunk = onlyIf !== undefined && difference.onlyIf === undefined;
  const counts = (one: ExchangeRecord) =>
    isShrunk || one.method === 'GET' || isBulk(one) || isOfEndpoint(one) || own.has(writtenId(one) ?? '');
  const asks = pages > 1 ? paged(path, grounds) : path;
  const left = writes.length - needed.length;
  return {
    sent: sent.slice(0, sent.indexOf(first) + 1).filter(counts),
    request: { ...step, path: asks, ...(pages > 1 ? { walks: true } : {}) },
    claims: asserted.claims,
    named: needed.map(({ id, family }) => ({ path: id, family })),
    texts: needed.flatMap(({ sent: members }) => Object.values(members).map(String)),
    notes: present(
      asks !== path && PAGED,
      left > 0 &&
        `Left out: ${left} writes to other records. If it passes, export it with --whole, which does them too.`,
    ),
    ...{ expected: difference.expected, observed: difference.observed },
  };
}

/** A claim with the whole of a long text, as a request sent it; undefined if none that is kept did. */
function whole(claim: Claim, sent: readonly ExchangeRecord[]): Claim | undefined {
  const value = claim.kind === 'member' && typeof claim.value === 'string' ? claim.value : '';
  const cut = cutFrom(value);
  if (claim.kind !== 'member' || cut === undefined) return claim;
  const texts = sent.map(({ requestBody }) => recordOf({ json: jsonOf(requestBody ?? '') })?.[claim.member]);
  const text = texts.find(
    (each) => typeof each === 'string' && each.startsWith(cut.beginning) && each.length === cut.length,
  );
  return text === undefined ? undefined : { ...claim, value: text };
}

interface Making {
  readonly table: FamilyTable;
  readonly everything: boolean;
  readonly kept: Kept;
}

/** A failure as requests: those of its evidence behind the writes that they rest on; a text says why there is no file. */
export function told(result: ConformanceResult, grounds: Grounds | undefined, making: Making): Told | string {
  if (result.failure?.subject?.includes('parallel requests'))
    return 'it needs two requests at one time, and a file sends one after the other';
  const { kept } = making;
  const found = result.evidence.map((id) => kept.exchanges.get(id));
  const sent = found.filter((each) => each !== undefined);
  if (sent.length === 0 || sent.length < found.length) return 'the run kept no requests that show it';
  const asked = grounds === undefined ? ofFailure(result, sent, kept) : ofGrounds(grounds, result, sent, making);
  if (typeof asked === 'string') return asked;
  const { request, named, texts, finds = [], notes = [] } = asked;
  const { expected = '', observed = '' } = { ...result, ...asked };
  const claims = asked.claims.flatMap((claim) => whole(claim, sent) ?? []);
  if (claims.length < asked.claims.length) return 'the run did not keep the whole of a long text that it is about';
  const shows = asked.sent.at(-1) as ExchangeRecord;
  const isOwn = request.method === shows.method;
  const isRefused = shows.status >= 400 && result.failure?.kind === 'refused';
  // With nothing of its own about it, a request is refused for what is there.
  const writes = writesTo(texts, shows, kept, isRefused && result.failure?.subject === 'request');
  const before = stepsBefore(
    { ...{ shows, named, writes, isRefused }, sent: isOwn ? asked.sent.slice(0, -1) : asked.sent },
    kept,
  );
  return { notes, request, claims, setUp: [...before, ...finds], expected, observed };
}
