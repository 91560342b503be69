import { describe, expect, it } from 'vitest';
import { denseTail, denseTexts, longText, plainText } from '../../../../conformance/checks/survey/world/texts.ts';
import type { Operator } from '../../../../lib/contract/list.ts';
import { FILTER_MISTAKES } from '../../../../reference/defects/generated/filter-mistakes.ts';
import { HOLDS } from '../../../../reference/query/compare.ts';
import type { Criterion } from '../../../../reference/query/plan.ts';

const OPERATORS: readonly Operator[] = [
  'EQ',
  'NEQ',
  'STARTSW',
  'NSTARTSW',
  'ENDSW',
  'NENDSW',
  'CONTAINS',
  'NCONTAINS',
] as const;

const START = 'cfm-1234';
const names = [...Array.from({ length: 10 }, (_, index) => START + plainText(index)), ...denseTexts(START)];
const [asked = ''] = denseTexts(START);

describe('the dense texts of a survey', () => {
  const mistakes = FILTER_MISTAKES.filter(({ fits }) => OPERATORS.some((operator) => fits(operator, 'string', false)));
  it.each(mistakes.map((mistake) => [mistake.id, mistake] as const))(
    'show the mistake %s in every operator',
    (_, mistake) => {
      for (const operator of OPERATORS.filter((each) => mistake.fits(each, 'string', false))) {
        const criterion = { field: 'name', member: 'name', operator, value: asked } as Criterion;
        const kept = names.filter((value) => HOLDS[operator](value, asked));
        const wrong = names.filter((value, index) =>
          mistake.holds({
            value,
            record: { id: String(index), name: value, description: denseTexts('')[(index + 2) % 7] ?? '' },
            criterion,
            watch: {} as never,
            isEarly: () => index < 10,
          }),
        );
        expect(wrong, operator).not.toEqual(kept);
      }
    },
  );

  it('are longer than 255 characters, end in a blank and have no small letter of their own', () => {
    expect(denseTail().length).toBeGreaterThan(255);
    expect(denseTail().endsWith(' ')).toBe(true);
    expect(denseTail()).toBe(denseTail().toUpperCase());
  });

  it('are all different', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it('have a companion beyond a thousand characters', () => {
    expect(longText(START).length).toBeGreaterThan(1025);
  });
});
