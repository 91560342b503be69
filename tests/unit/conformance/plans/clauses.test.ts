import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../../conformance/kit/subject.ts';
import { clausesText } from '../../../../conformance/kit/text-words.ts';
import { clausesOf } from '../../../../conformance/plans/clauses.ts';
import { create, look, read, remove, update } from '../../../../conformance/plans/make.ts';
import { list } from '../../../../conformance/plans/obvious/looks.ts';
import { PLAIN, type Step } from '../../../../conformance/steps/step.ts';
import type { Exchange } from '../../../../lib/client/types.ts';
import type { Op } from '../../../../lib/contract/types.ts';
import { aDifference } from '../../../helpers/histories.ts';

const bulk = (who: readonly string[]): Step => ({
  ...{ step: 'bulk', action: 'update', form: 'json', who, sets: who.map(() => ({ description: 'abc' })) },
});

describe('what is left of a sequence, in clauses', () => {
  const a = create('a');
  const CASE = { of: 'a', as: 'other case' } as const;
  const inXml = look({ window: 'read', who: 'a', form: 'xml', carried: PLAIN }, true);
  it.each<[Op, Subject, readonly Step[], ...string[]]>([
    ['update', 'record', [a, update('a'), read('a')]],
    ['update', 'record', [a, update('a', {}, { fresh: '' }), read('a')], 'the record is renamed'],
    ['update', 'record', [a, update('a', {}, { fresh: '' }), update('a'), read('a')], 'the record was renamed'],
    ['update', 'record', [a, update('a', {}, CASE)], 'the record is given its own name in other case'],
    ['delete', 'record', [a, update('a'), remove('a')], 'the record was updated'],
    ['delete', 'record', [a, create('b'), remove('a'), read('a')], 'there is another record'],
    ['create', 'record', [a, create('b', {}, CASE)], 'another record has the same name in other case'],
    ['update', 'member value', [a, { ...update('a', { value: 9 }), form: 'xml' }], 'the update is sent in XML'],
    ['update', 'record', [create('a', { description: 'a b' }), update('a')], 'description holds a blank'],
    ['update', 'record', [create('a', { description: 'abc', value: 2 }), update('a')], 'value is 2'],
    ['list', 'pages', [create('a', { value: 3 }), create('b'), look(list({ criteria: [], size: 2 }))]],
    ['bulkSubmit', 'record', [a, bulk(['a'])]],
    ['bulkSubmit', 'record', [a, create('b'), bulk(['a', 'b'])], 'the request names at least 2 records'],
    ['read', 'record', [a, inXml], 'it is read in XML', 'the same request is sent twice'],
  ])('of %s, %s: %#', (operation, subject, steps, ...expected) => {
    expect(clausesOf(steps, aDifference({ kind: 'value', operation, subject }), [])).toEqual(expected);
  });

  it('say that the list is sorted, if another filter than those of the sequence keeps it short', () => {
    const criteria = [{ field: 'name', operator: 'ENDSW', part: 'end' }] as const;
    const steps = [create('a'), look({ ...list({ criteria, sort: { field: 'name', descending: true } }), about: 'a' })];
    const told = (subject: Subject, path: string) =>
      clausesOf(steps, aDifference({ kind: 'records', operation: 'list', subject }), [
        { request: { op: 'list', path } } as Exchange,
      ]);
    expect(told('filter name.ENDSW', '/s?filter=a&filter=b&sortdsc=name')).toEqual(['the list is sorted']);
    expect(told('sort name.dsc', '/s?filter=a&filter=b&sortdsc=name')).toEqual([]);
    expect(told('filter name.ENDSW', '/s?filter=a&sortdsc=name')).toEqual(['the query holds a filter and a sort']);
  });

  it('are one sentence', () => {
    expect(clausesText([])).toBeUndefined();
    expect(clausesText(['a'])).toBe('a');
    expect(clausesText(['a', 'b', 'c'])).toBe('a, b, and c');
  });
});
