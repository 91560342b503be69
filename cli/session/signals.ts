import { closeSync } from 'node:fs';
import { CommanderError } from 'commander';
import { HarnessError, messageOf, ResidueError } from '../../lib/errors.ts';
import { EXIT, type ExitCode, FAULT_EXITS } from '../../lib/exit-codes.ts';

let isLeft = false;

/** Takes leave of a terminal that is gone: Node would restore its settings at the end, and abort; without the descriptors it does not. */
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

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndSignal = (typeof SIGNALS)[number];

/** What the loss of the terminal does: it ends a server that somebody started by hand; a run goes on, and leaves its report. */
type Hangup = 'ends' | 'goes on';

/** A second signal this soon is the first one, sent on by a shell or by npm. */
const SAME_MS = 500;

/** The first signal ends the work, and what is under way is cleaned up; a second one ends the process at once, and names the `sweep`. */
export function watchSignals(
  say: (line: string) => void,
  { hangup = 'goes on', sweep }: { readonly hangup?: Hangup; readonly sweep?: string } = {},
) {
  const controller = new AbortController();
  let received: EndSignal | undefined;
  let receivedMs = 0;
  const handlers = SIGNALS.map((signal) => {
    const handler = () => {
      if (signal === 'SIGHUP' && hangup === 'goes on') {
        leaveTerminal();
        return say('the terminal is gone; the run goes on');
      }
      if (received !== undefined) {
        if (performance.now() - receivedMs < SAME_MS) return;
        say(`${signal} again: ended at once${sweep === undefined ? '' : '; to remove what is left:'}`);
        if (sweep !== undefined) say(`next: ${sweep}`);
        // Nobody listens any more: the signal does what it does by itself.
        process.removeAllListeners(signal);
        return void process.kill(process.pid, signal);
      }
      received = signal;
      receivedMs = performance.now();
      say(`${signal}: stopping, and removing what this run made`);
      controller.abort(new Error(`ended by ${signal}`));
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return {
    abort: controller.signal,
    received: (): EndSignal | undefined => received,
    stop: (): void => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    },
  };
}

export function exitOfSignal(signal: EndSignal): ExitCode {
  return signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}

export function exitOf(fault: unknown): ExitCode {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? EXIT.ok : EXIT.usage;
  return fault instanceof ResidueError ? EXIT.residue : FAULT_EXITS[faultOf(fault).kind];
}

export const faultOf = (fault: unknown) => ({
  kind: fault instanceof HarnessError ? fault.kind : ('harness' as const),
  code: fault instanceof HarnessError ? fault.code : 'unexpected',
  message: messageOf(fault),
});
