/** Characters of cookies that a request carries: beyond it there is no session worth having. */
const LONGEST = 4096;

const PAIR = /^\s*([^=;\s]+)=\s*([\x21-\x3a\x3c-\x7e]*)/;
const ENDS = /;\s*max-age=(?:-|0+(?:;|$))|;\s*expires=[^;]*\b1970\b/i;

/** The `Cookie` header after an answer: what the request carried, with what the answer sets or takes back (RFC 6265, 5.4). Empty if there is none. */
export function cookiesAfter(carried: string, headers: readonly (readonly [name: string, value: string])[]): string {
  const held = new Map(
    carried === '' ? [] : carried.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair] as const),
  );
  for (const [name, value] of headers) {
    const [, key = '', text = ''] = (name === 'set-cookie' && PAIR.exec(value)) || [];
    if (key !== '') held.delete(key);
    if (text !== '' && !ENDS.test(value)) held.set(key, `${key}=${text}`);
  }
  const all = [...held.values()].join('; ');
  return all.length > LONGEST ? '' : all;
}
