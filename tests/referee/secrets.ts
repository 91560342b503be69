/** How one character can be written; the encodings that the redaction promises to know. */
const CHARACTER: readonly ((character: string, random: () => number) => string)[] = [
  (character) => character,
  (character) => `%${hex(character, 2).toUpperCase()}`,
  (character) => `%${hex(character, 2)}`,
  (character) => `\\u${hex(character, 4)}`,
  (character) => `\\u${hex(character, 4).toUpperCase()}`,
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${hex(character, 2)};`,
  (character) => `&#X${hex(character, 2).toUpperCase()};`,
  (character) => NAMED[character] ?? character,
  (character) => (character === '/' ? '\\/' : character),
];

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '/': '&sol;',
  '+': '&plus;',
  '=': '&equals;',
};

const hex = (character: string, length: number) => (character.codePointAt(0) ?? 0).toString(16).padStart(length, '0');

function chosen<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Text with each character, or only those that are no letters or digits, written in one way or in mixed ways. */
function written(text: string, random: () => number): string {
  const one = chosen(random, CHARACTER);
  const mixed = random() < 0.3;
  const all = random() < 0.3;
  return [...text]
    .map((character) =>
      all || /\W/.test(character) ? (mixed ? chosen(random, CHARACTER) : one)(character, random) : character,
    )
    .join('');
}

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Forms in which a login gives itself away, before any further encoding. */
function formsOf({ username, password }: Login): readonly string[] {
  const pair = Buffer.from(`${username}:${password}`);
  const alone = Buffer.from(password);
  return [
    ...new Set([
      password,
      pair.toString('base64'),
      pair.toString('base64url'),
      alone.toString('base64'),
      alone.toString('base64url'),
    ]),
  ];
}

export function echoed(login: Login, random: () => number): string {
  const forms = formsOf(login);
  const form = random() < 0.5 ? login.password : chosen(random, forms);
  return `${chosen(random, ['', ' ', '"', 'login=', `${login.username}:`])}${written(form, random)}${chosen(random, ['', ' ', '"', '&x=1'])}`;
}

const ENTITIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NAMED).map(([character, name]) => [name, character]),
);

/** One layer of percent, JSON and HTML escapes taken off. */
function unwrapped(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,6});/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replace(/&#x([0-9a-f]{1,5});/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&[a-z]{2,6};/gi, (name) => ENTITIES[name.toLowerCase()] ?? name)
    .replace(/\\+(["'/\\])/g, '$1');
}

const LAYERS = 4;

/** The form of the login that a text holds in some encoding, with the text around it; undefined where it holds none. */
export function leakIn(text: string, login: Login): string | undefined {
  const forms = formsOf(login);
  let layer = text;
  for (let depth = 0; depth <= LAYERS; depth += 1) {
    for (const form of forms) {
      const at = layer.indexOf(form);
      if (at >= 0)
        return `${layer.slice(Math.max(0, at - 60), at)}<<${form}>>${layer.slice(at + form.length, at + form.length + 30)} (layer ${depth})`;
    }
    const next = unwrapped(layer);
    if (next === layer) return undefined;
    layer = next;
  }
  return undefined;
}
