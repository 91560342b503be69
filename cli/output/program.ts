import { basename, relative } from 'node:path';

/** How this program is started from where the user stands: `npx ers-harness`, `ers-harness`, `node dist/ers-harness.js`. */
export function programName(env: NodeJS.ProcessEnv = process.env, argv: readonly string[] = process.argv): string {
  const [, file = ''] = argv;
  if (env['npm_command'] === 'exec') return 'npx ers-harness';
  return basename(file) === 'ers-harness' || file === '' ? 'ers-harness' : `node ${relative('.', file)}`;
}

/** A line in which commands of this program stand as they are typed here. */
export const asTyped = (line: string): string =>
  line.replace(/(^next: |`)ers-harness (?=[a-z])/g, (_, before: string) => `${before}${programName()} `);
