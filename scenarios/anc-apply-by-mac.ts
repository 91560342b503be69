import { ancIteration, ancOptions } from './k6/anc.ts';

/** Does apply by mac hold its rate? Parameters: lib/wire/scenario.ts. */
export const options = ancOptions;

const iterate = ancIteration('apply-by-mac');

export default function applyByMac(): void {
  iterate();
}
