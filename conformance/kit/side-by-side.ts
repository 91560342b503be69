/** Milliseconds that a target may take to show a write, for each further one that is waited for at the same time. */
const EACH_MS = 100;
const MOST = 8;

/** How much is done at one time on one family: more than one thing if the target shows writes late, since each of them waits for its own. */
export function sideBySide(dialect: (question: string) => unknown): number {
  const delayMs = dialect('visibility.delay-ms');
  return typeof delayMs === 'number' ? Math.min(MOST, 1 + Math.floor(delayMs / EACH_MS)) : 1;
}
