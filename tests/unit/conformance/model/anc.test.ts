import { describe, expect, test } from 'vitest';
import {
  type AncWrite,
  afterAnc,
  applyWords,
  type Holding,
  judgeEndpoints,
} from '../../../../conformance/model/anc.ts';
import type { EndpointsObservation } from '../../../../conformance/model/observation.ts';

const A = '02000000000A';
const B = '02000000000B';
const colons = (address: string) => address.replace(/(..)(?=.)/g, '$1:');
const [MAC_A, MAC_B] = [colons(A), colons(B)] as const;

const apply = (address: string, policy: string, end: AncWrite['end'] = 'done'): AncWrite => ({
  ...{ kind: 'apply', address, policy, end },
});
const clear = (address: string, end: AncWrite['end'] = 'done'): AncWrite => ({ kind: 'clear', address, end });

type Row = readonly [id: string, mac: string | undefined, policy?: string];

function seen(...rows: readonly Row[]): EndpointsObservation {
  const entries = rows.map(([id, macAddress, policyName]) => ({
    ...{ id, record: { id } },
    ...(macAddress === undefined ? {} : { read: { macAddress, ...(policyName === undefined ? {} : { policyName }) } }),
  }));
  return {
    question: { window: 'endpoints', family: 'endpoints' },
    shown: { pages: [entries], end: 'whole' },
    ours: rows.flatMap(([, mac = '']) => mac.replace(/[^0-9a-f]/gi, '').toUpperCase()),
  };
}

function holdingsOf(history: readonly AncWrite[]): ReadonlyMap<string, Holding> {
  const holdings = new Map<string, Holding>();
  for (const write of history) {
    const after = afterAnc(holdings.get(write.address), write);
    if (after !== undefined) holdings.set(write.address, after);
  }
  return holdings;
}

describe('what applies and clears leave', () => {
  test.each<[string, readonly AncWrite[], string | null | undefined]>([
    ['an apply', [apply(A, 'one')], 'one'],
    ['another policy over it', [apply(A, 'one'), apply(A, 'two')], 'two'],
    ['the same policy again', [apply(A, 'one'), apply(A, 'one')], 'one'],
    ['a refused apply', [apply(A, 'one'), apply(A, 'two', 'refused')], 'one'],
    ['an apply of unknown end', [apply(A, 'one'), apply(A, 'two', 'unknown')], undefined],
    ['a clear', [apply(A, 'one'), clear(A)], null],
    ['a refused clear', [apply(A, 'one'), clear(A, 'refused')], 'one'],
    ['a clear of unknown end', [apply(A, 'one'), clear(A, 'unknown')], undefined],
    ['an apply after an unknown end', [clear(A, 'unknown'), apply(A, 'one')], 'one'],
    ['a clear of another endpoint', [apply(A, 'one'), apply(B, 'one'), clear(B)], 'one'],
  ])('%s', (_title, history, policy) => {
    expect(holdingsOf(history).get(A)?.policy).toBe(policy);
  });

  test('a refused request leaves nothing to know', () => {
    expect(holdingsOf([apply(A, 'one', 'refused')]).has(A)).toBe(false);
  });
});

describe('what the records of endpoints may show', () => {
  const held = [apply(A, 'one')];
  const gone = [apply(A, 'one'), clear(A)];
  const unknown = [apply(A, 'one', 'unknown')];
  const twice = seen(['1', MAC_A, 'one'], ['2', MAC_A, 'one']);
  const both = seen(['1', MAC_A, 'one'], ['2', MAC_B, 'one']);
  const named = { id: '1', record: { id: '1' }, read: { name: MAC_A, policyName: 'one' } };
  const bare: EndpointsObservation = { ...seen(), shown: { pages: [[named]], end: 'whole' } };

  test.each<[string, readonly AncWrite[], EndpointsObservation]>([
    ['the policy that was applied', held, seen(['1', MAC_A, 'one'])],
    ['an address in small letters', held, seen(['1', MAC_A.toLowerCase(), 'one'])],
    ['a record that shows no policy', held, seen(['1', MAC_A])],
    ['nothing of what was cleared', gone, seen()],
    ['an endpoint without a policy after its clear', gone, seen(['1', MAC_A])],
    ['anything after an unknown end', unknown, seen()],
    ['anything after an unknown end, and a policy', unknown, seen(['1', MAC_A, 'two'])],
    ['a list that ends too soon', held, { ...seen(), shown: { pages: [[]], end: 'length' } }],
    ['an endpoint of others', held, { ...both, ours: [A] }],
  ])('allowed: %s', (_title, history, observation) => {
    expect(judgeEndpoints(holdingsOf(history), observation)).toBeUndefined();
  });

  test.each<[string, readonly AncWrite[], EndpointsObservation, string, string]>([
    ['no record of what was applied', held, seen(), 'SPC-ANC', 'no-effect apply record'],
    ['another policy', held, seen(['1', MAC_A, 'two']), 'SPC-ANC', 'value apply policy'],
    ['the policy after a clear', gone, seen(['1', MAC_A, 'one']), 'SPC-ANC', 'no-effect clear record'],
    ['a policy nobody applied', held, both, 'SPC-ANC', 'no-effect apply other records'],
    ['two records of one endpoint', held, twice, 'SPC-ANC', 'records apply record'],
    ['dashes in an address', held, seen(['1', MAC_A.replaceAll(':', '-'), 'one']), 'RES-MAC', 'value apply address'],
    ['an address without colons', held, seen(['1', A, 'one']), 'RES-MAC', 'value apply address'],
    ['a record that cannot be read', held, seen(['1', undefined]), 'OP-endpoints-R', 'no-effect read record'],
    ['a record without its address', held, bare, 'RES-ANC', 'missing read member macAddress'],
  ])('not allowed: %s', (_title, history, observation, requirement, about) => {
    const found = judgeEndpoints(holdingsOf(history), observation);
    expect(found?.requirement).toBe(requirement);
    expect(found && `${found.about.kind} ${found.about.operation} ${found.about.subject}`).toBe(about);
  });
});

describe('an endpoint that no request has named since it was last seen', () => {
  const history = [apply(A, 'one'), apply(B, 'two')];
  const told = (rows: readonly Row[], named: readonly string[]) => {
    const facts = { named: new Set(named), applies: history };
    const found = judgeEndpoints(holdingsOf(history), seen(...rows), facts);
    return found && [found.about.operation, found.about.subject, found.expected, found.observed];
  };

  test('lost its policy to the request that came since', () => {
    const rows: readonly Row[] = [['b', MAC_B, 'two']];
    const changed = ['apply', 'other records', `${MAC_A} to keep one`, `no record of it after the apply of ${MAC_B}`];
    expect(told(rows, [B])).toEqual(changed);
    expect(told([['a', MAC_A, 'two'], ...rows], [B])?.at(-1)).toBe(`"two" after the apply of ${MAC_B}`);
    expect(told([['a', MAC_A, 'one'], ...rows], [B])).toBe(undefined);
  });

  test('is no matter of others if it was named itself, or if nothing was', () => {
    const rows: readonly Row[] = [['b', MAC_B, 'two']];
    for (const named of [[A, B], []]) expect(told(rows, named)?.[1]).toBe('record');
  });
});

const by = (address: string, how: readonly string[]): AncWrite => ({ ...apply(address, 'one'), how });

test('endpoints that a clear left as they were have in common what no endpoint had that was cleared', () => {
  const plain = [by(A, ['several']), clear(A)];
  // What a look found to be there was not applied again.
  const kept = [by(B, ['several', 'by IP address']), clear(B), apply(B, 'one'), clear(B)];
  expect(applyWords([...plain, ...kept])).toEqual(['by IP address']);
  expect(applyWords([...plain, ...kept, by(A, ['by IP address']), clear(A)])).toEqual([]);
  expect(applyWords(plain)).toEqual([]);
});
