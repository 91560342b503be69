import { createHash } from 'node:crypto';

type Members = Readonly<Record<string, unknown>>;

/** Some members of a record, and the digest of what they held when it was looked at. */
export interface Look {
  readonly members: readonly string[];
  readonly digest: string;
}

/** A value as text in the one order of its members and items: answers need not show them in the same order twice. */
function inOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(inOrder).sort()}]`;
  const members = Object.entries(value).map(([member, held]) => `${JSON.stringify(member)}:${inOrder(held)}`);
  return `{${members.sort()}}`;
}

/** Looks at those members of a record. */
export function lookAt(record: Members, members: readonly string[]): Look {
  const shown = members.map((member) => inOrder(record[member])).join();
  return { members, digest: createHash('sha1').update(shown).digest('base64') };
}
