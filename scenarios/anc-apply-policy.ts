import { ancIteration, ancOptions } from './k6/anc.ts';

/** Does apply policy hold its rate? Parameters: lib/wire/scenario.ts. */
export const options = ancOptions;

const iterate = ancIteration('apply-policy');

export default function applyPolicy(): void {
  iterate();
}
