import { describe, expect, it } from 'vitest';
import { ANY_TEXT, fitText, takesText } from '../../../../../conformance/kit/values/domain.ts';
import { memberKey, openLearned } from '../../../../../conformance/kit/values/learned.ts';
import { valuesOf } from '../../../../../conformance/kit/values/values.ts';
import { FAMILIES } from '../../../../../lib/contract/families.ts';
import { PLAIN_SAMPLES } from '../../../../../lib/contract/samples.ts';

const NAME = { ...ANY_TEXT, refused: [' ', '-', 'letters beyond ASCII', 'supplementary characters'], longest: 12 };

describe('what a member takes', () => {
  it.each([
    ['abc_1.2', true],
    ['a-b', false],
    ['a b', false],
    ['müller', false],
    ['漢字', true],
    ['smile😀', false],
    ['abcdefghijklm', false],
  ])('is told of each kind of character and of the length: %s', (text, isTaken) => {
    expect(takesText(NAME, text)).toBe(isTaken);
    expect(takesText(NAME, fitText(NAME, text))).toBe(true);
  });

  it('is the Base64 text of a style sheet where only that was taken, and text that is one already stays', () => {
    const base64 = { ...ANY_TEXT, form: 'base64' as const };
    const sheet = fitText(base64, 'some text');
    expect(Buffer.from(sheet, 'base64').toString()).toBe('/* some text */');
    expect(fitText(base64, sheet)).toBe(sheet);
  });

  it('is never empty where nothing of a text is left', () => {
    expect(fitText(NAME, '- -')).toBe('text');
  });
});

const valuesIn = (family: string, learned = openLearned()) =>
  valuesOf(learned, FAMILIES, family, { next: () => undefined, leaveOut: () => undefined });

describe('a body of a run', () => {
  it('sets nothing that may keep its record from being removed', () => {
    expect(valuesIn('sgt').adaptAll({ isReadOnly: true, propogateToApic: true })).toEqual({
      isReadOnly: false,
      propogateToApic: true,
    });
  });

  it('holds a value that the target was seen to keep as it is, and another one as one of these', () => {
    const known = PLAIN_SAMPLES['customizations'] ?? [];
    const learned = openLearned();
    learned.samples.set(memberKey('byodportal', 'customizations'), known);
    const values = valuesIn('byodportal', learned);
    const sent = (customizations: unknown) => values.adaptAll({ customizations })['customizations'];
    expect(known.map(sent)).toEqual(known);
    expect(known).toContainEqual(sent({ other: true }));
  });
});
