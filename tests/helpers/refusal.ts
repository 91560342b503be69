/** Message, hint and code of what the work throws; empty texts if it throws nothing. */
export function refusal(work: () => unknown): Readonly<Record<'message' | 'hint' | 'code', string>> {
  try {
    work();
    return { message: '', hint: '', code: '' };
  } catch (fault) {
    const { message, hint = '', code = '' } = fault as { message: string; hint?: string; code?: string };
    return { message, hint, code };
  }
}
