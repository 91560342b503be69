import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../../../conformance/kit/check.ts';
import { refusedOnlyIf } from '../../../../conformance/kit/only-if.ts';
import { shrink } from '../../../../conformance/kit/shrink.ts';
import { boundOf, type Threshold, thresholdWords } from '../../../../conformance/kit/threshold.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Op } from '../../../../lib/contract/types.ts';

/** What is told of something that shows at some sizes, and the sizes that were tried. */
async function told(first: Threshold, isShown: (size: number) => boolean | undefined) {
  const tried: number[] = [];
  const bound = await boundOf(first.shows, [first.not], async (size) => {
    tried.push(size);
    return isShown(size);
  });
  return { words: bound && thresholdWords(bound), tries: tried.length };
}

describe('from which size on something shows', () => {
  it.each<[string, Threshold, (size: number) => boolean, string]>([
    ['a limit of one byte', { shows: 4096, not: 8 }, (size) => size > 255, 'at least 256'],
    ['a round limit', { shows: 4096, not: 8 }, (size) => size > 100, 'at least 101'],
    ['a number of 16 bits', { shows: 50_152, not: 2 }, (size) => size > 32_767, 'at least 32768'],
    ['a small number', { shows: 255, not: 65_519 }, (size) => size < 1000, 'at most 999'],
    ['a count', { shows: 5, not: 1 }, (size) => size > 2, 'at least 3'],
    ['one size alone', { shows: 256, not: 8 }, (size) => size === 256, '256'],
    ['no round number', { shows: 4096, not: 8 }, (size) => size > 777, 'at least 778'],
  ])('%s', async (_, first, isShown, words) => {
    const found = await told(first, isShown);
    expect(found.words).toBe(words);
    expect(found.tries).toBeLessThanOrEqual(29);
  });

  it.each<[(size: number) => boolean | undefined, words?: string]>([
    [(size) => (size === 256 || size === 200 ? undefined : size > 100), 'at least 101'],
    [(size) => (size > 8 ? undefined : false), 'more than 8'],
    [(size) => (size < 10 ? undefined : size > 64), 'at least 65'],
    [() => undefined],
  ])('passes over sizes that cannot be tried: %s, %s', async (isShown, words) => {
    expect((await told({ shows: 4096, not: 8 }, isShown)).words).toBe(words);
  });

  it('is not told if it shows at all sizes, in some between, or if it comes and goes', async () => {
    let turn = 0;
    expect(await boundOf(99, [2, 300], async () => true)).toBeUndefined();
    expect(await boundOf(1001, [2, 65_519], async (size) => size > 31 && `${size}` < '31')).toBeUndefined();
    expect(await boundOf(99, [2], async (size) => size > 20)).toEqual({ shows: 21, not: 20 });
    expect(await boundOf(99, [2], async () => ++turn % 3 === 0)).toBeUndefined();
  });
});

const all = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

/** What is left of the letters, some of which are needed, and how often was asked. */
async function shrunk(needed: readonly string[], tries: number) {
  let asked = 0;
  const holds = async (some: readonly string[]) => {
    asked += 1;
    return needed.every((each) => some.includes(each));
  };
  return { left: await shrink(all, holds, tries), asked };
}

describe('shrinking', () => {
  it.each([[['c']], [['c', 'x']], [['a', 'm', 'z']]])('leaves exactly what is needed: %o', async (needed) => {
    const { left, asked } = await shrunk(needed, 200);
    expect(left).toEqual(needed);
    expect(asked).toBeLessThan(60);
  });

  it('gives up after so many tries, with what it has', async () => {
    const { left, asked } = await shrunk(['c', 'x'], 4);
    expect(asked).toBe(4);
    expect(left).toEqual(expect.arrayContaining(['c', 'x']));
  });
});

interface Asked {
  readonly op: Op;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: string;
}

/** A context whose target answers 500 to what `refuses` says. */
function on(refuses: (asked: Asked) => boolean) {
  const answer = (asked: Asked): Exchange => {
    const isRefused = refuses(asked);
    const json = { HotspotPortal: { id: 'a', link: {} } };
    const method = asked.op === 'list' ? 'GET' : 'PUT';
    const request = { family: 'hotspotportal', method, ...asked } as Exchange['request'];
    const status = isRefused ? 500 : 200;
    const body = isRefused ? '' : JSON.stringify(json);
    return { id: '1', request, status, headers: {}, body, json, durationMs: 1 };
  };
  const context = {
    ...{ table: FAMILIES, family: FAMILIES.hotspotportal },
    run: { endpoints: undefined, anc: () => ({ effective: {} }), mayCreate: () => false },
    raw: async (request: Asked) => answer(request),
    send: async (op: Op, { fields }: Pick<Asked, 'fields'> = {}) => answer({ op, path: '/a', headers: {}, fields }),
  } as unknown as CheckContext;
  return { tell: (asked: Asked) => refusedOnlyIf(context, answer(asked)) };
}

const list = (query: string): Asked => ({ op: 'list', path: `/ers/config/hotspotportal?${query}`, headers: {} });

const HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };
const data = ['macAddress', 'policyName'].map((name) => ({ name, value: 'x' }));
const body = JSON.stringify({ OperationAdditionalData: { additionalData: data } });
const clear: Asked = { op: 'clear', path: '/ers/config/ancendpoint/clear', headers: {}, body };
const EQ = list('size=5&filter=name.EQ.ab');
const unless = (taken: RegExp) => (asked: Asked) => asked.path.includes('filter=name.EQ') && !taken.test(asked.path);
const isSorted = ({ path }: Asked) => path.includes('sortasc=name');
const isNamed = (asked: Asked) =>
  asked.op === 'clear' && (asked.body ?? JSON.stringify(asked.fields)).includes('policyName');
const BLANK = ({ path }: Asked) => /filter=[^&]*(%20|\+)/.test(path);

it.each<[words: string | undefined, refuses: (asked: Asked) => boolean, asked: Asked]>([
  // The same filter is taken without the sign, the query without the part, the request without the header.
  ['the operand of a filter holds a blank', BLANK, list('size=5&filter=name.EQ.a%20b-c')],
  ['the query holds sortasc=name', isSorted, list('size=5&filter=name.EQ.ab&sortasc=name')],
  [undefined, isSorted, list('sortasc=name')],
  [
    'the request has a header Content-Type',
    ({ headers }) => 'Content-Type' in headers,
    { ...list('size=5'), headers: HEADERS },
  ],
  // It is taken beside its negation, or beside any other filter.
  ['no record matches the filter', unless(/filter=name\.NEQ\.ab&filterType=or/), EQ],
  ['the query holds filter=name.EQ.ab', unless(/filter=.*filter=/), EQ],
  // The plain list is refused too.
  [undefined, () => true, list('filter=name.EQ.a%20b')],
  ['the body names policyName beside macAddress', isNamed, clear],
  [undefined, ({ op }) => op === 'clear', clear],
])('what a request is refused for is: %s', async (words, refuses, asked) => {
  expect(await on(refuses).tell(asked)).toBe(words);
});
