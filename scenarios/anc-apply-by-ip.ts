import { ancIteration, ancOptions } from './k6/anc.ts';

/** Does apply by ip hold its rate? Parameters: lib/wire/scenario.ts. */
export const options = ancOptions;

const iterate = ancIteration('apply-by-ip');

export default function applyByIp(): void {
  iterate();
}
