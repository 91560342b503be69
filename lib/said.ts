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

const ENTITIES: Readonly<Record<string, string>> = { '#39': "'", apos: "'", quot: '"', lt: '<', gt: '>', amp: '&' };

/** A tag ends before the next one begins: looked for to the end of the text, a page of nothing but `<` would take hours. */
const withoutMarkup = (body: string): string =>
  body.replace(/<[^<>]*>/g, ' ').replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** What pages of errors call what they say; a title says no more than the status. */
const SAYS = [/<b>message<\/b>([^<]+)/i, /<(?:\w+:)?(?:title|message)>([^<]+)<\//i];

/** Text of markup: of its message or its first title, if it has one. */
const textOfMarkup = (body: string): string =>
  withoutMarkup(SAYS.flatMap((form) => form.exec(body)?.[1] ?? [])[0] ?? body).trim();

/** What a refusal says, in its own words and as it came: its title, or its text without markup. */
export const titleOf = ({ json, body }: { readonly json: unknown; readonly body: string }): string =>
  titleIn(json) ?? textOfMarkup(body);

/** Status and words of an answer: `400 "Session lookup failure"`. */
export const answerWords = (status: number, says: string): string =>
  says === '' ? String(status) : `${status} "${says}"`;

/** What helps if writes are forbidden, and reads are answered. */
export const MAY_NOT_WRITE =
  'give the account the right to write, and name the primary administration node: it takes writes';

/** Characters of a page that its words are looked for in. */
const LONGEST_PAGE = 4000;

/** All that an answer says for people: the title of an error, or a page without its markup, in one line. */
export const wordsOf = ({ json, body }: { readonly json: unknown; readonly body: string }): string =>
  (titleIn(json) ?? withoutMarkup(body.slice(0, LONGEST_PAGE).replace(/<(script|style)\b.*?<\/\1>/gis, ' ')))
    .replace(/\s+/g, ' ')
    .trim();
