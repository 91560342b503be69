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

const clauses = (operation: Op, subject: Subject, ...steps: readonly Step[]) =>
  clausesOf(steps, aDifference({ kind: 'value', operation, subject }), []);

const bulk = (who: readonly string[]): Step => ({
  ...{ step: 'bulk', action: 'update', form: 'json', who, sets: who.map(() => ({ description: 'abc' })) },
});

describe('what is left of a sequence, in clauses', () => {
  it.each<[readonly string[], readonly string[]]>([
    [clauses('update', 'record', create('a'), update('a'), read('a')), []],
    [clauses('update', 'record', create('a'), update('a', {}, { fresh: '' }), read('a')), ['the record is renamed']],
    [
      clauses('update', 'record', create('a'), update('a', {}, { fresh: '' }), update('a'), read('a')),
      ['the record was renamed'],
    ],
    [
      clauses('update', 'record', create('a'), update('a', {}, { of: 'a', as: 'other case' })),
      ['the record is given its own name in other case'],
    ],
    [clauses('delete', 'record', create('a'), update('a'), remove('a')), ['the record was updated']],
    [clauses('delete', 'record', create('a'), create('b'), remove('a'), read('a')), ['there is another record']],
    [
      clauses('create', 'record', create('a'), create('b', {}, { of: 'a', as: 'other case' })),
      ['another record has the same name in other case'],
    ],
    [
      clauses('update', 'member description', create('a'), { ...update('a', { description: 'a|b' }), form: 'xml' }),
      ['the update is sent in XML'],
    ],
    [clauses('update', 'record', create('a', { description: 'a b' }), update('a')), ['description holds a blank']],
    [clauses('update', 'record', create('a', { description: 'abc', value: 2 }), update('a')), ['value is 2']],
    [clauses('list', 'pages', create('a', { value: 3 }), create('b'), look(list({ criteria: [], size: 2 }))), []],
    [clauses('bulkSubmit', 'record', create('a'), bulk(['a'])), []],
    [
      clauses('bulkSubmit', 'record', create('a'), create('b'), bulk(['a', 'b'])),
      ['the request names at least 2 records'],
    ],
    [
      clauses('read', 'record', create('a'), look({ window: 'read', who: 'a', form: 'xml', carried: PLAIN }, true)),
      ['it is read in XML', 'the same request is sent twice'],
    ],
  ])('%#', (told, expected) => {
    expect(told).toEqual(expected);
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
