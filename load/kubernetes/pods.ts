import * as z from 'zod';
import { ResultsError } from '../../lib/errors.ts';

const Terminated = z.object({ exitCode: z.int(), reason: z.string().optional() });

const PodList = z.object({
  items: z
    .array(
      z.object({
        metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
        status: z.object({
          phase: z.string(),
          reason: z.string().optional(),
          containerStatuses: z
            .array(
              z.object({
                restartCount: z.int(),
                state: z.object({ terminated: Terminated.optional() }),
                lastState: z.object({ terminated: Terminated.optional() }).optional(),
              }),
            )
            .optional(),
        }),
      }),
    )
    .max(1000),
});

/** Characters of a list of pods: a thousand runners have some ten million. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** How the runners of a TestRun ended, from `kubectl get pods -o json`. Throws `ResultsError` for anything else. */
export function runnerPods(text: string, cell: string) {
  let list: z.infer<typeof PodList>;
  try {
    if (text.length > MOST_CHARACTERS) throw new Error('it is larger than any list of runners');
    list = PodList.parse(JSON.parse(text));
  } catch (cause) {
    throw new ResultsError('bad-pods', 'the pod list is not output of kubectl get pods -o json', {
      cause,
      hint: `write it with: kubectl get pods -l k6_cr=${cell} -o json`,
    });
  }
  return list.items
    .filter(({ metadata: { labels = {} } }) => labels['runner'] === 'true' && (labels['k6_cr'] ?? cell) === cell)
    .map(({ metadata, status }) => {
      const [container] = status.containerStatuses ?? [];
      const ended = container?.state.terminated;
      const before = container?.lastState?.terminated;
      return {
        name: metadata.name,
        /** Null where its container has not ended. */
        exitCode: ended?.exitCode ?? null,
        /** What speaks against it: killed for memory, restarted, evicted, still running. Empty where nothing does. */
        faults: [
          ...(ended === undefined ? [`it has not ended (${status.phase})`] : []),
          ...(ended !== undefined && ended.exitCode !== 0 ? [`exit code ${ended.exitCode}`] : []),
          ...[ended?.reason, before?.reason, status.reason].flatMap((reason) =>
            reason === undefined || reason === 'Completed' ? [] : [reason],
          ),
          ...((container?.restartCount ?? 0) > 0 ? [`restarted ${container?.restartCount} times`] : []),
        ],
      };
    });
}
export type RunnerPod = ReturnType<typeof runnerPods>[number];
