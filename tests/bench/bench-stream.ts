import { createParser } from '../../load/stream/parser.ts';
import { createTable } from '../../load/stream/table.ts';
import { k6Csv } from '../helpers/k6-csv.ts';
import { type Figure, figureOf } from './figure.ts';

const ITERATIONS = 40_000;
const PERIOD_NS = 4_000_000;
const CHUNK = 65_536;
/** Rows of 13 metrics at 250 arrivals a second. */
const NEEDED = 13 * 250;

/** Rows a second that the reader of k6's stream takes, in chunks of the size a pipe gives. */
export function benchStream(rounds: number): Figure[] {
  const bytes = new TextEncoder().encode(k6Csv(Array.from({ length: ITERATIONS }, () => ({}))));
  const rates: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const table = createTable(ITERATIONS);
    const parser = createParser(table, PERIOD_NS);
    const begun = performance.now();
    for (let at = 0; at < bytes.length; at += CHUNK) parser.push(bytes.subarray(at, at + CHUNK));
    const seconds = (performance.now() - begun) / 1000;
    if (!parser.end() || table.malformed > 0 || table.started !== ITERATIONS) throw new Error('the stream was misread');
    // The first round compiles.
    if (round > 0) rates.push(table.rows / seconds);
  }
  return [
    figureOf('stream: rows read', rates, 'rows/s', 'higher'),
    figureOf(
      'stream: share of a core at 250/s',
      rates.map((rate) => NEEDED / rate),
      'cores',
      'lower',
    ),
  ];
}
