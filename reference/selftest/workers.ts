import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { HarnessError, messageOf } from '../../lib/errors.ts';
import type { Outcome, Scored } from './defect-score.ts';
import { runSubject, type SubjectDeps } from './run-subject.ts';
import { type Subject, subjectKey } from './subject.ts';

/** What a worker is asked, one JSON object a line. */
interface WorkerTask {
  readonly index: number;
  readonly subject: Subject;
}

/** What it answers, one JSON object a line, in any order. */
type WorkerAnswer = { readonly index: number } & ({ readonly outcome: Outcome } | { readonly fault: string });

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

export interface WorkersOptions {
  /** Starts a process that calls `serveSubjects` on its stdin and stdout. */
  readonly program: { readonly command: string; readonly args: readonly string[] };
  readonly workers: number;
  readonly onOutcome?: (subject: Subject, outcome: Outcome) => void;
  readonly signal?: AbortSignal;
}

/** Subjects that one worker runs at one time: while one waits for what never comes, another works. */
const AT_ONCE = 3;

/** Gives a worker tasks until there are no more, and hands on the outcome of each. */
async function feed(
  child: ChildProcessWithoutNullStreams,
  next: () => WorkerTask | undefined,
  done: (index: number, outcome: Outcome) => void,
): Promise<void> {
  let open = 0;
  const give = () => {
    const task = next();
    if (task !== undefined) open += 1;
    if (task !== undefined) child.stdin.write(`${JSON.stringify(task)}\n`);
    else if (open === 0) child.stdin.end();
  };
  const ended = once(child, 'close');
  // What it ends with is looked at behind its last answer.
  ended.catch(() => undefined);
  for (let slot = 0; slot < AT_ONCE; slot += 1) give();
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as WorkerAnswer;
    if ('fault' in answer) throw new HarnessError('selftest-subject', answer.fault);
    done(answer.index, answer.outcome);
    open -= 1;
    give();
  }
  const [code] = await ended;
  if (code !== 0 || open > 0)
    throw new HarnessError('selftest-worker', `a worker of the selftest ended with code ${code}`);
}

/** Runs every subject in processes of their own. Throws `HarnessError` if a worker dies or a subject cannot be run. */
export async function runSubjects(
  subjects: readonly Subject[],
  { program, workers, onOutcome, signal }: WorkersOptions,
): Promise<readonly Scored[]> {
  const outcomes = new Map<number, Outcome>();
  const tasks = subjects.map((subject, index): WorkerTask => ({ index, subject })).values();
  const done = (index: number, outcome: Outcome) => {
    outcomes.set(index, outcome);
    const subject = subjects[index];
    if (subject !== undefined) onOutcome?.(subject, outcome);
  };
  const children = Array.from({ length: Math.min(workers, subjects.length) }, () => {
    const child = spawn(program.command, program.args, { stdio: ['pipe', 'pipe', 'inherit'] });
    return child as unknown as ChildProcessWithoutNullStreams;
  });
  const end = () => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGTERM');
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    await Promise.all(children.map((child) => feed(child, () => tasks.next().value, done)));
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
  return subjects.map((subject, index) => {
    const outcome = outcomes.get(index);
    if (outcome === undefined) throw new HarnessError('selftest-subject', `${subjectKey(subject)} was not run`);
    return { subject, outcome };
  });
}
