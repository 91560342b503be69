import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../../lib/judge/conformance/cause/causes.ts';
import type { ConformanceResult } from '../../../../lib/records/conformance.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

const failing = (overrides: Partial<ConformanceResult>) =>
  aResult({ verdict: 'fail', expected: 'a', observed: 'b', ...overrides });
const wrongRecords = { difference: { missing: [], extra: ['x'] } };
const eq = (family: string, more: Partial<ConformanceResult> = {}) =>
  failing({ checkId: 'filter/operator', requirement: 'FOP-EQ', family, ...wrongRecords, ...more });

const ids = (failures: readonly ConformanceResult[], exchanges = [anExchange()]) =>
  causesOf(failures, exchanges).map(({ id, results }) => `${id} ${results.length}`);

describe('probable causes of failures', () => {
  it('are one for one requirement and kind of difference, in all families and checks', () => {
    expect(ids([eq('sgt'), eq('node'), eq('sgt', { checkId: 'filter/relations' })])).toEqual(['FOP-EQ/records 3']);
  });

  it('keep kinds of difference and requirements apart', () => {
    expect(
      ids([
        eq('sgt'),
        eq('sgt', { requirement: 'FOP-NEQ', variant: 'name.NEQ' }),
        failing({ requirement: 'PAY-C', family: 'sgt', observed: 'absent' }),
        failing({ requirement: 'PAY-C', family: 'node', observed: 'POST /ers/config/node answered 400 {}' }),
      ]),
    ).toEqual(['FOP-EQ/records 1', 'FOP-NEQ/records 1', 'PAY-C/missing 1', 'PAY-C/refused 1']);
  });

  it('rest on what the check knows, whatever its words say', () => {
    const about = (kind: 'refused' | 'no-effect', operation: string) =>
      failing({
        requirement: 'SPC-ANC',
        checkId: `anc/${operation}`,
        observed: 'absent',
        failure: { kind, operation },
      });
    expect(ids([about('refused', 'apply'), about('no-effect', 'clear')])).toEqual([
      'SPC-ANC/apply/refused 1',
      'SPC-ANC/clear/no-effect 1',
    ]);
  });

  it('leave the name of the family out of a requirement', () => {
    expect(
      ids(
        ['sgt', 'node'].map((family) => failing({ requirement: `OP-${family}-U`, family, checkId: 'record/update' })),
      ),
    ).toEqual(['OP-*-U/value 2']);
  });

  it('tie together what breaks the same field of a family', () => {
    const field = (requirement: string, checkId: string) =>
      failing({ family: 'sgt', requirement, checkId, variant: 'description', observed: 'description: absent' });
    const [cause] = causesOf([field('PAY-C', 'record/create-fields'), field('PAY-U', 'record/update-fields')], []);
    expect(cause?.signatures).toEqual(['PAY-C/missing', 'PAY-U/missing']);
  });

  it('tie together mirrored operators and the walk through a list', () => {
    expect(ids([eq('sgt', { requirement: 'FOP-GT' }), eq('sgt', { requirement: 'FOP-LT' })])).toHaveLength(1);
    expect(ids([eq('sgt', { requirement: 'LST-NEXT' }), eq('sgt', { requirement: 'LST-PAGE' })])).toHaveLength(1);
  });

  it('take the lists of a family for one cause where most of what they promise fails', () => {
    const operators = ['EQ', 'NEQ', 'STARTSW', 'CONTAINS', 'NCONTAINS'];
    const all = operators.map((name) => eq('node', { requirement: `FOP-${name}`, variant: `name.${name}` }));
    expect(ids(all)).toHaveLength(1);
    expect(ids(all.slice(1))).toHaveLength(4);
  });

  it('name the operation where a requirement spans several, by variant or by the request that is quoted', () => {
    const clear = anExchange({ id: 'x2', method: 'PUT', path: '/ers/config/ancendpoint/clear', operation: 'clear' });
    const anc = { family: 'ancendpoint', requirement: 'SPC-ANC', checkId: 'anc/clear' };
    const quoted = 'PUT /ers/config/ancendpoint/clear answered 204, and it is there';
    expect(
      ids(
        [
          failing({ ...anc, variant: 'clear-by-mac', observed: quoted }),
          failing({ ...anc, observed: quoted, evidence: ['x2'] }),
          failing({ ...anc, checkId: 'anc/apply', variant: 'apply-policy', observed: quoted }),
        ],
        [clear],
      ),
    ).toEqual(['SPC-ANC/clear/no-effect 2', 'SPC-ANC/apply/no-effect 1']);
  });
});
