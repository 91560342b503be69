import { basename, relative } from 'node:path';

const NAME = 'ers-harness';

/** How this program is started from where the user stands: `npx ers-harness`, `ers-harness`, `node dist/ers-harness.js`. */
export function programName(env: NodeJS.ProcessEnv = process.env, argv: readonly string[] = process.argv): string {
  const [, file = ''] = argv;
  if (file !== '' && basename(file) !== NAME) return `node ${relative('.', file)}`;
  // What npx and npm run put on the path is not there once they are done.
  return env['npm_command'] === 'exec' || file.includes('node_modules') ? `npx ${NAME}` : NAME;
}

/** A line in which commands of this program stand as they are typed here. */
export const asTyped = (line: string): string =>
  line.replace(/(^next: | with: |`)ers-harness (?=[a-z])/g, (_, before: string) => `${before}${programName()} `);
