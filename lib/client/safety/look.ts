import { createHash } from 'node:crypto';

type Members = Readonly<Record<string, unknown>>;

/** A value as text in the one order of its members and items: answers need not show them in the same order twice. */
function inOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(inOrder).sort()}]`;
  const members = Object.entries(value).map(([member, held]) => `${JSON.stringify(member)}:${inOrder(held)}`);
  return `{${members.sort()}}`;
}

/** Looks at those members of a record, and gives them with the digest of what they hold. */
export function lookAt(record: Members, members: readonly string[]) {
  const shown = members.map((member) => inOrder(record[member])).join();
  return { members, digest: createHash('sha1').update(shown).digest('base64') };
}
export type Look = ReturnType<typeof lookAt>;
