import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../lib/errors.ts';
import type { Outcome } from './outcome.ts';
import { runSubject, type SubjectDeps } from './run-subject.ts';
import type { Subject } from './subject.ts';

/** What a worker is asked, one JSON object a line. */
export interface WorkerTask {
  readonly index: number;
  readonly subject: Subject;
}

/** What it answers, one JSON object a line, in any order. */
export type WorkerAnswer = { readonly index: number } & ({ readonly outcome: Outcome } | { readonly fault: string });

/** Runs the subjects that come on `input` at once, and ends when it is closed and all are done. */
export async function serveSubjects(input: Readable, output: Writable, deps: SubjectDeps): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    const { index, subject } = JSON.parse(line) as WorkerTask;
    const answer = (given: WorkerAnswer) => void output.write(`${JSON.stringify(given)}\n`);
    const work = runSubject(subject, deps).then(
      (outcome) => answer({ index, outcome }),
      (fault: unknown) => answer({ index, fault: messageOf(fault) }),
    );
    running.add(work);
    void work.finally(() => running.delete(work));
  }
  await Promise.all(running);
}
