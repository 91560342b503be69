import { ancIteration, ancOptions } from './k6/anc.ts';

/** Does clear policy hold its rate? Parameters: lib/wire/scenario.ts. */
export const options = ancOptions;

const iterate = ancIteration('clear-policy');

export default function clearPolicy(): void {
  iterate();
}
