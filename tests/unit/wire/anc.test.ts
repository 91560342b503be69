import { describe, expect, it } from 'vitest';
import { ANC_OPERATION_NAMES, ANC_OPERATIONS } from '../../../lib/contract/anc.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { ancFamily, ancFields, ancRequests } from '../../../lib/wire/anc.ts';
import { ipOf, macOf, permutation } from '../../../lib/wire/endpoint.ts';
import { buildRequest } from '../../../lib/wire/request.ts';

const TARGET = { macAddress: macOf(258), ipAddress: ipOf(258), policyName: 'quarantine' };

describe('the ANC operations on the wire', () => {
  it.each(ANC_OPERATION_NAMES)('sends %s as name and value pairs to its path', (operation) => {
    const { op, items } = ANC_OPERATIONS[operation];
    const request = buildRequest(FAMILIES, 'ancendpoint', op, { fields: ancFields(operation, TARGET) });
    expect(request.path).toBe(`/ers/config/ancendpoint/${operation.startsWith('apply') ? 'apply' : 'clear'}`);
    expect(JSON.parse(request.body ?? '')).toEqual({
      OperationAdditionalData: { additionalData: items.map((name) => ({ name, value: TARGET[name] })) },
    });
  });

  it.each(ANC_OPERATION_NAMES)('sends many of %s as it would send each of them', (operation) => {
    const { op } = ANC_OPERATIONS[operation];
    const { bodyOf, ...rest } = ancRequests(FAMILIES, 'ancendpoint', operation);
    const request = buildRequest(FAMILIES, 'ancendpoint', op, { fields: ancFields(operation, TARGET) });
    expect(request).toEqual(expect.objectContaining({ ...rest, body: bodyOf(TARGET) }));
  });

  it('refuses a target that lacks what the operation needs', () => {
    expect(() => ancFields('apply-by-ip', { macAddress: macOf(1) })).toThrow('apply-by-ip needs ipAddress');
  });

  it('finds the family that applies policies in the table', () => {
    expect(ancFamily(FAMILIES)).toBe('ancendpoint');
    expect(ancFamily({ sgt: FAMILIES.sgt })).toBeUndefined();
  });
});

it('the endpoints of a pool refuses to permute a pool without endpoints or one too large to be exact', () => {
  for (const size of [0, -1, 1.5, Number.NaN, 2 ** 26 + 1]) expect(() => permutation(size)).toThrow(RangeError);
});
