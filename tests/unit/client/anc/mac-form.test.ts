import { describe, expect, it } from 'vitest';
import { macFormOf, USUAL_FORM, writtenMac } from '../../../../lib/client/anc/lookup.ts';

describe('the form in which a target writes MAC addresses', () => {
  it.each([
    '02:AB:00:00:00:0F',
    '02:ab:00:00:00:0f',
    '02-AB-00-00-00-0F',
    '02ab.0000.000f',
    '02AB0000000F',
    '02ab00-00000f',
  ])('is learned from %s, and gives it back', (text) => {
    const form = macFormOf(text);
    expect(form && writtenMac('02:AB:00:00:00:0F', form)).toBe(text);
  });

  it('writes the beginning of an address as the whole one', () => {
    expect(writtenMac('02AB0', USUAL_FORM)).toBe('02:AB:0');
    expect(writtenMac('02AB00', { separator: '.', group: 4, upper: false })).toBe('02ab.00');
  });

  it('is none of a text that is no address', () => {
    for (const text of ['', 'sensor-7', '02:AB:00:00:00', '02:AB:00:00:00:0F:11', '10.0.0.1'])
      expect(macFormOf(text), text).toBeUndefined();
  });
});
