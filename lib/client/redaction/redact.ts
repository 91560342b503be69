import type { RunWriter } from '../../records/folder/writer.ts';
import type { HistoryRecord } from '../../records/histories.ts';
import { mappedTexts } from '../../text.ts';
import { formsOf, withoutSecrets } from './encoded.ts';

export const REDACTED = '[redacted]';

/** What asks for a token is none. */
const ASKS = 'fetch';
const SECRET_HEADERS = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-csrf-token)$/i;

/** Names of members, query parameters and attributes whose value is a secret, lower case. Node records carry the first two. */
const SECRET_MEMBERS = [
  ...['password', 'username', 'passwd', 'passphrase', 'secret', 'sharedsecret', 'token', 'access_?token', 'api_?key'],
  'credentials',
];

/** Where secrets stand in text, for names joined by bars. */
const forms = (names: string) => ({
  json: new RegExp(`("(?:${names})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|$)|[^\\s,}\\]\\[{"][^,}\\]\\s]*)`, 'gi'),
  xmlElement: new RegExp(`(<(?:[\\w.-]+:)?(${names})(?:\\s[^<>]*)?>)[^<]*`, 'gi'),
  xmlAttribute: new RegExp(`(\\s(?:${names})\\s*=\\s*)(?:"[^"]*"|'[^']*')`, 'gi'),
  query: new RegExp(`([?&](?:${names})=)[^&#\\s"'<>]*`, 'gi'),
  name: new RegExp(`^(?:${names})$`, 'i'),
});
let secret = forms(SECRET_MEMBERS.join('|'));

/** Adds names of members that hold secrets, as tables of families give them. Called before a redactor is made. */
export function addSecretMembers(names: readonly string[]): void {
  SECRET_MEMBERS.push(...names.map((name) => name.replace(/[^\w-]/g, '\\$&')));
  secret = forms([...new Set(SECRET_MEMBERS)].join('|'));
}

const USER_INFO = /(\/\/)[^\s/?#"'<>]+@/g;

const isSecretMember = (name: string): boolean => secret.name.test(name);

/** Base64 of a text, in both alphabets and at any of the three alignments, without the characters that its neighbors share. */
const base64Cores = (secret: string): string[] =>
  [0, 1, 2].flatMap((lead) => {
    const encoded = Buffer.concat([Buffer.alloc(lead), Buffer.from(secret)])
      .toString('base64')
      .replace(/=+$/, '');
    const tail = (lead + Buffer.byteLength(secret)) % 3 === 0 ? encoded.length : encoded.length - 1;
    const core = encoded.slice(lead === 0 ? 0 : lead + 1, tail);
    return core.length >= 5 ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });

/** Replaces secrets and their base64 in text, as they are and in any escaped form. */
function replacer(secrets: readonly string[]): (text: string) => string {
  const all = secrets.filter((secret) => secret.length >= 3).flatMap((secret) => [secret, ...base64Cores(secret)]);
  const forms = formsOf(all);
  return (text) => withoutSecrets(text, forms, REDACTED);
}

/** Passwords that may well be words of a report are looked for in what a target said, not in whole files. */
const isWord = (secret: string) => secret.length < 6 || /^[a-z_-]+$/i.test(secret);

/** Texts no longer than this are remembered: names and values of headers, and paths, come again and again. */
const SHORT = 160;
const REMEMBERED = 4096;

/** The same function; what it made of short texts is not made again. */
function remembered(work: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > SHORT) return work(text);
    const made = known.get(text) ?? work(text);
    if (known.size >= REMEMBERED) known.clear();
    known.set(text, made);
    return made;
  };
}

/**
 * Removes the credentials of one run from text: structure first (headers, query, JSON and XML members, user information of URLs), then the
 * password and its base64 wherever they occur; not of one or two characters: every record would be nothing but gaps.
 */
export function redactor(credentials: { readonly username: string; readonly password: string } | null) {
  const secrets = credentials === null ? [] : [`${credentials.username}:${credentials.password}`, credentials.password];
  const replace = replacer(secrets);
  const text = remembered((given: string): string => {
    const held = given
      .replace(secret.json, `$1"${REDACTED}"`)
      .replace(secret.xmlElement, `$1${REDACTED}`)
      .replace(secret.xmlAttribute, `$1"${REDACTED}"`)
      .replace(secret.query, `$1${REDACTED}`)
      .replace(USER_INFO, `$1${REDACTED}@`);
    return replace(held);
  });
  return {
    text,
    /** The login alone, for whole files and lines of our own: it changes no structure. */
    net: (given: string): string => (credentials === null || isWord(credentials.password) ? given : replace(given)),
    header: (name: string, value: string): string =>
      SECRET_HEADERS.test(name) && value !== ASKS ? REDACTED : text(value),
  };
}
export type Redactor = ReturnType<typeof redactor>;

/** Members whose values are words of our own. */
const OWN_WORDS: ReadonlySet<string> = new Set(['kind', 'rule']);

/** A copy of a value with every text in it redacted, names of members among them. */
const deep = (value: unknown, text: Redactor['text']) =>
  mappedTexts(value, text, { name: text, isKept: (name) => OWN_WORDS.has(name) });

function quoting<T extends object>(record: T, members: readonly (keyof T)[], { text }: Redactor): T {
  const quoted = members.filter((name) => record[name] !== undefined).map((name) => [name, deep(record[name], text)]);
  return { ...record, ...(Object.fromEntries(quoted) as Partial<T>) };
}

/** A copy without the values of members whose names say that they are secrets. */
const withoutSecretMembers = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (name, held: unknown) => (name !== '' && isSecretMember(name) ? REDACTED : held)));

/** The grounds of a failure as they may be kept. What was redacted may be what the failure is about, so that it is marked. */
function redactedHistory(history: HistoryRecord, { text }: Redactor): HistoryRecord {
  const { writes, observation, ...rest } = history;
  const quoted = { writes, observation };
  const clean = deep(withoutSecretMembers(quoted), text) as typeof quoted;
  const isSame = JSON.stringify(clean) === JSON.stringify(quoted);
  return { ...rest, ...clean, ...(isSame ? {} : { redacted: true }) };
}

/** What a run writes, with everything that quotes the target redacted on its way to the disk. `redact` is asked each time. */
export function redactedWriter(writer: RunWriter, redact: () => Redactor): RunWriter {
  return {
    ...writer,
    header: (header) => writer.header(quoting(header, ['options'], redact())),
    cell(facts, samples) {
      const members = ['failures', 'readBack', 'fault', 'stopped'] as const;
      const generator = quoting(facts.generator, ['warnings'], redact());
      writer.cell({ ...quoting(facts, members, redact()), generator }, samples);
    },
    result(result) {
      const members = ['reason', 'expected', 'observed', 'difference', 'observations', 'pairs', 'retry'] as const;
      writer.result(quoting(result, members, redact()));
    },
    history: (history) => writer.history(redactedHistory(history, redact())),
    dialect(dialect) {
      const facts = Object.entries(dialect).map(([id, fact]) => [id, quoting(fact, ['answer'], redact())]);
      writer.dialect(Object.fromEntries(facts));
    },
    // A target may give a secret for an id.
    journal: (entry) => writer.journal(quoting(entry, ['id', 'name'], redact())),
    end(end) {
      const faults = end.faults.map((fault) => quoting(fault, ['message'], redact()));
      writer.end({ ...end, faults, cleanup: quoting(end.cleanup, ['residue', 'leftAlone'], redact()) });
    },
  };
}
