export interface MacForm {
  /** Between the groups of digits; empty for none. */
  readonly separator: string;
  /** Digits of a group. */
  readonly group: number;
  readonly upper: boolean;
}

const DIGITS = 12;

/** Upper case, two digits to a group, colons between them. */
export const USUAL_FORM: MacForm = { separator: ':', group: 2, upper: true };

/** The form that an address is written in; one without a letter is taken for upper case. Undefined for a text that is no address. */
export function macFormOf(text: string): MacForm | undefined {
  const found = /^([0-9a-f]{2,12})(?:([:.-])[0-9a-f:.-]+)?$/i.exec(text.trim());
  const digits = text.replace(/[^0-9a-f]/gi, '');
  const [, first = '', separator = ''] = found ?? [];
  if (found === null || digits.length !== DIGITS) return undefined;
  return { separator, group: first.length, upper: !/[a-f]/.test(digits) };
}

export function writtenMac(address: string, { separator, group, upper }: MacForm): string {
  const digits = address.replace(/[^0-9a-f]/gi, '');
  const text = digits.replace(new RegExp(`(.{${group}})(?=.)`, 'g'), `$1${separator}`);
  return upper ? text.toUpperCase() : text.toLowerCase();
}
