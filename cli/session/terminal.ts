import { closeSync } from 'node:fs';

let isLeft = false;

/**
 * Takes leave of a terminal that is gone. Node restores the settings of its terminal when it ends, and aborts where there is none any
 * more; without the descriptors it leaves that out.
 */
export function leaveTerminal(): void {
  if (isLeft) return;
  isLeft = true;
  process.once('exit', () => {
    for (const descriptor of [0, 1, 2]) {
      try {
        closeSync(descriptor);
      } catch {
        // It was closed already.
      }
    }
  });
}
