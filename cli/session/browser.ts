import { spawn } from 'node:child_process';
import { once } from 'node:events';

type Env = NodeJS.ProcessEnv;

function opener(env: Env): string {
  if ((env['BROWSER'] ?? '') !== '') return env['BROWSER'] ?? '';
  if (process.platform === 'darwin') return 'open';
  return process.platform === 'win32' ? 'explorer' : 'xdg-open';
}

/** True if somebody sits before a screen: a terminal, not in CI, and a browser to be had. */
export function hasScreen(env: Env = process.env, isTerminal = process.stderr.isTTY === true): boolean {
  if (!isTerminal || (env['CI'] ?? '') !== '') return false;
  const known = ['BROWSER', 'DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (env[name] ?? '') !== '');
  return known || process.platform === 'darwin' || process.platform === 'win32';
}

/** Shows a file or an address in a browser. False if no program can be started for it. */
export async function openInBrowser(page: string): Promise<boolean> {
  const child = spawn(opener(process.env), [page], { detached: true, stdio: 'ignore' });
  const opened = await once(child, 'spawn').catch(() => undefined);
  child.unref();
  return opened !== undefined;
}
