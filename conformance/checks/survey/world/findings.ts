import type { Exchange } from '../../../../lib/client/types.ts';
import type { About } from '../../../kit/fault.ts';

/** What a survey is about; each topic is a result of its own. */
export type Topic =
  | 'filters'
  | 'joins'
  | 'sorts'
  | 'pages'
  | 'reads'
  | 'operations'
  | 'create'
  | 'update'
  | 'delete'
  | 'bulk'
  | 'anc';

/** Something that the survey saw and that no deployment may do. */
interface Finding {
  readonly expected: string;
  readonly observed: string;
  readonly about: About;
  readonly requirement: string;
  readonly exchanges: readonly Exchange[];
}

/** What came of a survey: per topic, how much was held against the records, and the first thing that was wrong. */
export interface Findings {
  readonly isOpen: (topic: Topic) => boolean;
  readonly held: (topic: Topic) => void;
  readonly add: (topic: Topic, finding: Finding) => void;
  readonly of: (topic: Topic) => { readonly held: number; readonly found: Finding | undefined };
}

/** An empty collection of findings. */
export function findings(): Findings {
  const counts = new Map<Topic, number>();
  const found = new Map<Topic, Finding>();
  return {
    isOpen: (topic) => !found.has(topic),
    held: (topic) => void counts.set(topic, (counts.get(topic) ?? 0) + 1),
    add: (topic, finding) => {
      if (!found.has(topic)) found.set(topic, finding);
    },
    of: (topic) => ({ held: counts.get(topic) ?? 0, found: found.get(topic) }),
  };
}
