import type { Fact } from './fact.ts';
import { FACTS_OF_ACCESS } from './facts/access.ts';
import { FACTS_OF_ANSWERS } from './facts/answers.ts';
import { FACTS_OF_BODIES } from './facts/bodies.ts';
import { FACTS_OF_OPERATIONS } from './facts/operations.ts';

/** How the real product is known to answer, in the order in which the rules are put around the deployment. */
export const FACTS: readonly Fact[] = [
  ...FACTS_OF_BODIES,
  ...FACTS_OF_ANSWERS,
  ...FACTS_OF_OPERATIONS,
  ...FACTS_OF_ACCESS,
];
