import { EXIT, type ExitCode } from '../../lib/exit-codes.ts';

export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const SIGNALS: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Signals to this process, as an abort signal: the first one ends the work, and what is under way is cleaned up. */
export interface SignalWatch {
  readonly abort: AbortSignal;
  readonly received: () => EndSignal | undefined;
  readonly stop: () => void;
}

export function watchSignals(say: (line: string) => void): SignalWatch {
  const controller = new AbortController();
  let received: EndSignal | undefined;
  const handlers = SIGNALS.map((signal) => {
    const handler = () => {
      if (received !== undefined)
        return say('still cleaning up; what is left after a hard kill is in the journal of the run');
      received = signal;
      say(`${signal}: stopping, and removing what this run made`);
      controller.abort(new Error(`ended by ${signal}`));
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return {
    abort: controller.signal,
    received: () => received,
    stop: () => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
    },
  };
}

/** Exit code of a run that a signal ended. */
export function exitOfSignal(signal: EndSignal): ExitCode {
  return signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
}
