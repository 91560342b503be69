import { ancIteration, ancOptions } from './k6/anc.ts';

/** Does clear by mac hold its rate? Parameters: lib/wire/scenario.ts. */
export const options = ancOptions;

const iterate = ancIteration('clear-by-mac');

export default function clearByMac(): void {
  iterate();
}
