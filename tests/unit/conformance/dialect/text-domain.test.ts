import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnDomain } from '../../../../conformance/dialect/trial/text-domain.ts';
import { ANY_TEXT, KINDS, takesText, textOfKinds } from '../../../../conformance/kit/values/domain.ts';

/** A target that takes what the rule says, and counts what it was asked. */
function target(rule: (text: string) => boolean) {
  let asked = 0;
  const take = async (text: string) => {
    asked += 1;
    return rule(text);
  };
  return { take, asked: () => asked };
}

describe('what first writes learn of the texts of a member', () => {
  it('takes one question where everything is taken', async () => {
    const { take, asked } = target(() => true);
    expect(await learnDomain(take)).toEqual(ANY_TEXT);
    expect(asked()).toBe(1);
  });

  it('is the alphabet of any target that refuses kinds of characters, and never more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...KINDS]), fc.constantFrom(null, 32, 64, 255), async (refused, longest) => {
        const real = { ...ANY_TEXT, refused, longest };
        const { take, asked } = target((text) => takesText(real, text));
        const learned = (await learnDomain(take)) ?? ANY_TEXT;
        expect(asked()).toBeLessThan(70);
        for (const kind of KINDS) {
          const text = textOfKinds([kind]);
          if (takesText(learned, text)) expect(takesText(real, text)).toBe(true);
        }
        expect(takesText(real, 'a'.repeat(learned.longest ?? 1000))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is Base64 where a plain word is refused and a style sheet is not', async () => {
    const { take } = target((text) => Buffer.from(text, 'base64').toString().startsWith('/*'));
    expect(await learnDomain(take)).toMatchObject({ form: 'base64' });
  });

  it('is nothing where neither is taken', async () => {
    expect(await learnDomain(target(() => false).take)).toBeUndefined();
  });

  it('counts what the caller writes before the text', async () => {
    const { take } = target((text) => text.length + 20 <= 32);
    expect(await learnDomain(take, 20)).toMatchObject({ longest: 32 });
  });
});
