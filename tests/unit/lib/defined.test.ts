import { describe, expect, it } from 'vitest';
import { defined } from '../../../lib/defined.ts';

describe('defined', () => {
  it('keeps the members that have a value, also those that are null, false, 0 or empty', () => {
    const members: { a?: number | undefined; b: null; c: boolean; d: string } = { a: 0, b: null, c: false, d: '' };
    expect(Object.keys(defined(members))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('leaves out a member that is undefined, so that it is not there at all', () => {
    const name: string | undefined = undefined;
    expect(Object.keys(defined({ id: 1, name }))).toEqual(['id']);
  });
});
