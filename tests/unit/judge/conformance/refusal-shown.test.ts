import { expect, it } from 'vitest';
import { shownOf } from '../../../../lib/judge/conformance/cause/shown.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

it('the refusal that a failure tells of is the one that is shown, and not one that was tried later', () => {
  const refused = (id: string, path: string, status: number) =>
    anExchange({ id, family: 'sgt', operation: 'list', method: 'GET', path, status });
  const sent = [
    refused('e0', '/ers/config/sgt?filter=name.EQ.a', 400),
    refused('e1', '/ers/config/sgt?filter=name.EQ.b', 400),
    refused('e2', '/ers/config/sgt?size=1', 500),
  ];
  const shown = (observed: string) =>
    shownOf(
      aResult({
        ...{ verdict: 'fail', family: 'sgt', requirement: 'LST-FILT', observed, evidence: ['e0', 'e1', 'e2'] },
        failure: { kind: 'refused', operation: 'list', subject: 'filter name.EQ' },
      }),
      new Map(sent.map((one) => [one.id, one])),
    )?.exchange.id;
  expect(shown('GET /ers/config/sgt?filter=name.EQ.a answered 400 "no"')).toBe('e0');
  expect(shown('GET /ers/config/sgt?filter=name.EQ.c answered 400 "no"')).toBe('e1');
  expect(shown('refused')).toBe('e2');
});
