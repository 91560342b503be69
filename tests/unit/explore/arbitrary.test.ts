import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequences } from '../../../explore/draw/arbitrary.ts';
import { INTEGERS, OPERANDS, TEXTS } from '../../../explore/draw/values.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import type { Family, FamilyTable } from '../../../lib/contract/types.ts';

const TABLE: FamilyTable = FAMILIES;
const drawn = (name: string, seed: number) =>
  fc.sample(sequences(TABLE, TABLE[name] as Family, 'name'), { seed, numRuns: 100 }).flat();

describe('the sequences that are drawn', () => {
  it('are the same for one seed, and others for another', () => {
    expect(drawn('sgt', 1)).toEqual(drawn('sgt', 1));
    expect(drawn('sgt', 1)).not.toEqual(drawn('sgt', 2));
  });

  it('use every kind of step that the family has, and no other', () => {
    const kinds = (name: string) => new Set(drawn(name, 1).map(({ kind }) => kind));
    const written = ['create', 'delete', 'fill', 'gone', 'race', 'refuse', 'rename', 'reuse', 'twin', 'update'];
    expect([...kinds('sgt')].sort()).toEqual([...written, 'bulk', 'list', 'look', 'read', 'version'].sort());
    expect(kinds('hotspotportal').has('through-view')).toBe(true);
    expect([...kinds('node')].sort()).toEqual(['list', 'look', 'named', 'read', 'version']);
    expect(kinds('sxpvpns').has('update')).toBe(false);
    expect(kinds('ancendpoint').has('apply')).toBe(true);
    expect(kinds('ancendpoint').has('create')).toBe(false);
  });

  it('never set a name, a member that deployments fill, or a pointer at another record', () => {
    const values = drawn('sgtvnvlan', 1).flatMap((step) => (step.kind === 'create' ? step.values : []));
    const members = new Set(values.flatMap((each) => Object.keys(each)));
    expect(members.has('name')).toBe(false);
    expect(members.has('sgtId')).toBe(false);
    expect(members.has('description')).toBe(true);
  });

  it('carry each optional part, and both formats, alone and together', () => {
    const carried = drawn('sgt', 1).flatMap((step) => ('carried' in step ? [step.carried] : []));
    for (const part of ['mediaType', 'csrf', 'extra'] as const)
      expect(new Set(carried.map((each) => each[part]))).toEqual(new Set([true, false]));
    expect(new Set(carried.map(({ sent, type }) => `${sent} ${type}`)).size).toBe(8);
    expect(new Set(carried.map(({ accept }) => accept))).toEqual(new Set(['json', 'none']));
  });
});

describe('the pools of values', () => {
  const classes: Readonly<Record<string, (text: string) => boolean>> = {
    'a number as text': (text) => /^-?\d+$/.test(text),
    'a fraction as text': (text) => /^\d+\.\d+$/.test(text),
    'a leading zero': (text) => /^0\d/.test(text),
    'a boolean as text': (text) => /^(true|false)$/i.test(text),
    'an operator': (text) => /^(GT|EQ)$/.test(text),
    'a join': (text) => /^(or|AND)$/.test(text),
    'a whole criterion': (text) => /^\w+\.EQ\.\w+$/.test(text),
    dots: (text) => text.includes('.'),
    separators: (text) => /[,;|]/.test(text),
    slashes: (text) => /[\\/]/.test(text),
    'single quotes': (text) => text.includes("'"),
    'double quotes': (text) => text.includes('"'),
    markup: (text) => /[&<>]/.test(text),
    'percent and plus': (text) => text.includes('%') && text.includes('+'),
    wildcards: (text) => text.includes('*') && text.includes('.'),
    'a blank at its beginning': (text) => text.startsWith(' '),
    'a blank at its end alone': (text) => text.endsWith(' ') && !text.startsWith(' '),
    'two blanks in a row': (text) => / {2}/.test(text),
    'capital letters alone': (text) => /^[A-Z]+$/.test(text),
    'mixed letter case': (text) => /[A-Z]/.test(text) && /[a-z]/.test(text),
    'a composed character': (text) => text.normalize('NFC') !== text,
    surrogates: (text) => /[\ud800-\udbff]/.test(text),
    'wide characters': (text) => /[\u4e00-\u9fff]/.test(text),
    'letters whose case is a matter of language': (text) => /[ßıİ]/.test(text),
    'more than 255 characters': (text) => text.length > 255,
    'more than 1,000 characters': (text) => text.length > 1000,
  };
  it.each(Object.keys(classes))('hold a text with %s', (name) => {
    expect(TEXTS.some((text) => classes[name]?.(text))).toBe(true);
  });

  it('hold integers around the limits of 8, 15 and 16 bits', () => {
    for (const value of [127, 128, 255, 256, 32_767, 32_768, 65_519]) expect(INTEGERS).toContain(value);
    for (const text of ['32768', '65536', '-32769', '4294967305']) expect(OPERANDS).toContain(text);
  });
});
