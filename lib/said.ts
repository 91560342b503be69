/** Levels of an answer at which its words are looked for. */
const DEEPEST = 4;
const TITLES: ReadonlySet<string> = new Set(['title', 'message', 'detail', 'error']);

/** First text of an answer under a name that errors use. */
function titleIn(value: unknown, depth = 0): string | undefined {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return undefined;
  const members = Object.entries(value);
  const own = Array.isArray(value)
    ? undefined
    : members.find(([name, held]) => TITLES.has(name.toLowerCase()) && typeof held === 'string');
  if (own !== undefined) return String(own[1]);
  return members.map(([, held]) => titleIn(held, depth + 1)).find((text) => text !== undefined);
}

/** What a refusal says, in its own words and as it came: its title, or its text without markup. */
export const titleOf = ({ json, body }: { readonly json: unknown; readonly body: string }): string =>
  titleIn(json) ?? body.replace(/<[^>]*>/g, ' ').trim();

/** Text as JSON; undefined if it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
