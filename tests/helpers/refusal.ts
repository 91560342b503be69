/** Message and hint of what the work throws; empty texts if it throws nothing. */
export function refusal(work: () => unknown): { readonly message: string; readonly hint: string } {
  try {
    work();
    return { message: '', hint: '' };
  } catch (fault) {
    const { message, hint = '' } = fault as { message: string; hint?: string };
    return { message, hint };
  }
}
