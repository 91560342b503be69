import type { Exchange, RawRequest } from '../../lib/client/types.ts';
import { ANC_OPERATIONS, type AncOperationName } from '../../lib/contract/anc.ts';
import { isOverloaded, isSuccess } from '../../lib/wire/answer.ts';
import { isTaken, sendAnc } from './anc.ts';
import type { CheckContext } from './check.ts';
import { shrink } from './shrink.ts';
import { clausesText, signsIn } from './text-words.ts';

const MOST_TRIES = 12;

const signWord = (sign: string): string => (sign === ' ' ? 'a blank' : `the character ${JSON.stringify(sign)}`);

type Ask = (request: RawRequest) => Promise<boolean>;

/** The operand of a filter with the sign for which it is refused; undefined if it is refused without any, or taken with each alone. */
async function operandSign(filter: string, ask: (filter: string) => Promise<boolean>) {
  const [, begin = '', sent = ''] = /^(filter=[^.&]+\.[^.&]+\.)(.*)$/i.exec(filter) ?? [];
  const operand = decodeURIComponent(sent.replaceAll('+', ' '));
  const signs = signsIn(operand);
  const isRefused = (text: string) => ask(`${begin}${encodeURIComponent(text)}`);
  if (signs.length === 0 || (await isRefused(operand.replace(/[^A-Za-z0-9]/gu, '') || 'a'))) return undefined;
  const told: string[] = [];
  for (const sign of signs) if (await isRefused(`a${sign}b`)) told.push(sign);
  return told;
}

/** What of the optional headers of a request it is refused for. Source: section "Conventions". */
async function ofHeaders({ headers = {}, ...request }: RawRequest, ask: Ask): Promise<readonly string[]> {
  for (const name of Object.keys(headers).filter((each) =>
    /^(content-type|ers-media-type|x-csrf-token)$/i.test(each),
  )) {
    const { [name]: _, ...others } = headers;
    if (!(await ask({ ...request, headers: others }))) return [`the request has a header ${name}`];
  }
  return [];
}

const NEGATABLE = /^(filter=[^.]+\.)(N?)((?:EQ|STARTSW|ENDSW|CONTAINS)\.)/i;

/** What of the query of a list, or of a read, it is refused for. */
async function ofQuery({ request }: Exchange, ask: Ask): Promise<readonly string[]> {
  const [path = '', query = ''] = request.path.split('?');
  const all = query.split('&').filter((each) => each !== '');
  const isRefused = (some: readonly string[]) =>
    ask({ ...request, path: some.length === 0 ? path : `${path}?${some.join('&')}` });
  if (all.length === 0 || (await isRefused([]))) return ofHeaders(request, ask);
  const needed = await shrink(all, isRefused, MOST_TRIES);
  const filters = needed.filter((each) => /^filter=/i.test(each));
  for (const filter of filters) {
    const signs = await operandSign(filter, (other) =>
      isRefused(needed.map((each) => (each === filter ? other : each))),
    );
    if (signs !== undefined && signs.length > 0)
      return [`the operand of a filter holds ${signs.map(signWord).join(' or ')}`];
  }
  const [only = ''] = needed;
  const negated = only.replace(
    NEGATABLE,
    (_, begin: string, no: string, op: string) => `${begin}${no === '' ? 'N' : ''}${op}`,
  );
  // Of a filter and its negation, one matches: what is refused alone, and taken with that, is refused for what it finds.
  if (
    needed.length === 1 &&
    negated !== only &&
    (await isRefused([only, only])) &&
    !(await isRefused([only, negated, 'filterType=or']))
  )
    return ['no record matches the filter'];
  // Of parameters that nobody knows, another one would be refused too.
  const isOfLists = needed.every((each) => /^(filter|sort|size|page)/i.test(each));
  return needed.length < all.length
    ? [
        `the query holds ${isOfLists ? '' : 'a parameter such as '}${needed.map((each) => decodeURIComponent(each)).join(' and ')}`,
      ]
    : [];
}

/** What of the body of a clear it is refused for: with the MAC address alone it is taken. */
async function ofPolicy(context: CheckContext, { request: { body = '' } }: Exchange): Promise<readonly string[]> {
  const sent = (name: string) => new RegExp(`"name":"${name}","value":"([^"]+)"`).exec(body)?.[1];
  const [macAddress, policyName] = [sent('macAddress'), sent('policyName')];
  if (macAddress === undefined || policyName === undefined) return [];
  const isPut = async (operation: AncOperationName) =>
    isTaken(context, ANC_OPERATIONS[operation].op, await sendAnc(context, operation, { macAddress, policyName }));
  const isPlainTaken = (await isPut('apply-by-mac')) && (await isPut('clear-by-mac')) && (await isPut('apply-by-mac'));
  const isRefused = isPlainTaken && !(await isPut('clear-policy'));
  await isPut('clear-by-mac');
  return isRefused ? ['the body names policyName beside macAddress'] : [];
}

/** What the query of a request that was refused, or the body of a clear, has and one like it that is taken has not: clauses behind `only if`; undefined if no plainer one is taken. */
export async function refusedOnlyIf(context: CheckContext, exchange: Exchange) {
  const { op, method } = exchange.request;
  const ask: Ask = async (request) => {
    const answer = await context.raw(request);
    return !isSuccess(answer) && !isOverloaded(answer);
  };
  if (op === 'clear') return clausesText(await ofPolicy(context, exchange));
  return method === 'GET' ? clausesText(await ofQuery(exchange, ask)) : undefined;
}
