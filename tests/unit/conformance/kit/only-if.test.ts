import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../../../conformance/kit/check.ts';
import { refusedOnlyIf } from '../../../../conformance/kit/only-if.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import { FAMILIES } from '../../../../lib/contract/families.ts';
import type { Op } from '../../../../lib/contract/types.ts';

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

describe('what a request is refused for', () => {
  it('is a sign of the operand, if the same filter is taken without it', async () => {
    const { tell } = on(({ path }) => /filter=[^&]*(%20|\+)/.test(path));
    expect(await tell(list('size=5&filter=name.EQ.a%20b-c'))).toBe('the operand of a filter holds a blank');
  });

  it('is the part of a query without which it is taken', async () => {
    const { tell } = on(({ path }) => path.includes('sortasc=name'));
    expect(await tell(list('size=5&filter=name.EQ.ab&sortasc=name'))).toBe('the query holds sortasc=name');
    expect(await tell(list('sortasc=name'))).toBeUndefined();
  });

  it('is that a filter matches no record, if it is taken beside its negation', async () => {
    const refused = (taken: RegExp) => on(({ path }) => path.includes('filter=name.EQ') && !taken.test(path));
    const asked = list('size=5&filter=name.EQ.ab');
    expect(await refused(/filter=name\.NEQ\.ab&filterType=or/).tell(asked)).toBe('no record matches the filter');
    expect(await refused(/filter=.*filter=/).tell(asked)).toBe('the query holds filter=name.EQ.ab');
  });

  it('is a header without which it is taken', async () => {
    const { tell } = on(({ headers }) => 'Content-Type' in headers);
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    expect(await tell({ ...list('size=5'), headers })).toBe('the request has a header Content-Type');
  });

  it('is nothing if the plain list is refused too', async () => {
    expect(await on(() => true).tell(list('filter=name.EQ.a%20b'))).toBeUndefined();
  });

  it('is the policy that a clear names', async () => {
    const items = (names: readonly string[]) => names.map((name) => ({ name, value: 'x' }));
    const isNamed = ({ op, fields, body }: Asked) =>
      op === 'clear' && (body ?? JSON.stringify(fields)).includes('policyName');
    const body = JSON.stringify({ OperationAdditionalData: { additionalData: items(['macAddress', 'policyName']) } });
    const clear: Asked = { op: 'clear', path: '/ers/config/ancendpoint/clear', headers: {}, body };
    expect(await on(isNamed).tell(clear)).toBe('the body names policyName beside macAddress');
    expect(await on(({ op }) => op === 'clear').tell(clear)).toBeUndefined();
  });
});
