import type { ConformanceReport } from '../../lib/records/report.ts';
import { excerpt } from '../../lib/text.ts';

/** Where each run keeps the answers of versioninfo; the specification does not show their form (gap G-16). */
const VERSION_GAP = 'G-16';
const DEEPEST = 4;
const LETTERS = 200;
const NUMBERED = /^v?\d+(?:\.\d+)+\S*$/;

interface Leaf {
  readonly name: string;
  readonly text: string;
}

/** Texts of an answer with the names of the members they stand in. */
function leavesOf(value: unknown, name = '', depth = 0): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ name, text: String(value).trim() }];
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    leavesOf(inner, Array.isArray(value) ? name : member, depth + 1),
  );
}

/** Version of the target as its answers to versioninfo tell it: that of the server, else all they name; undefined where they name none. */
export function targetVersionOf({ results }: Pick<ConformanceReport, 'results'>): string | undefined {
  const leaves = results
    .filter(({ requirement }) => requirement === VERSION_GAP)
    .flatMap(({ observations }) => leavesOf(observations?.['body']))
    .filter(({ text }) => NUMBERED.test(text));
  const server = leaves.filter(({ name }) => /server|product|build|release/i.test(name));
  const told = [...new Set((server.length > 0 ? server : leaves).map(({ text }) => text))].sort();
  return told.length === 0 ? undefined : excerpt(told.join(', '), LETTERS);
}
