import { jsonIn, type Reply, withHeader, withJson, withText } from '../exchange.ts';
import { answering, changed, isAnything, isGet, type Mutation, pick, texts } from './mutation.ts';

const answered = ({ status, body }: Reply) => status < 300 && body.length > 0;
/** Text that terminals, CI systems, pages and spreadsheets act on. */
const POISON = [
  '\u001b[2J\u001b]0;title\u0007',
  'line\n::error::injected\n##vso[task.complete result=Failed]x\n##[error]y',
  ...['\r\n::set-output name=a::b', '<script>alert(1)</script>"><img src=x onerror=alert(1)>'],
  ...['\u202e\u2028\u2029\u0000', ']]><failure/>', '=cmd|calc!A1', '| a | b |\n|---|---|'],
  '__proto__',
];

const raw = (
  id: string,
  on: Mutation['on'],
  body: (text: string, random: () => number) => string | Buffer,
): Mutation => ({
  id,
  on,
  answer: (given, _asked, { random }) =>
    answered(given) ? withText(given, body(given.body.toString('utf8'), random)) : undefined,
});

const inJson = (id: string, change: (json: unknown, random: () => number) => unknown): Mutation =>
  answering(id, isGet, (given, _asked, { random }) => {
    const json = jsonIn(given);
    return answered(given) && json !== undefined ? withJson(given, change(json, random)) : undefined;
  });

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Bodies of the wrong type, size, depth, encoding or family. */
export const BODIES: readonly Mutation[] = [
  inJson('body/wrong-type', (json, random) =>
    changed(json, random, () => pick<unknown>(random, [null, 0, -1, 1e300, true, '', 'x', [], {}, [[]], { id: {} }])),
  ),
  inJson('body/poisoned-text', (json, random) => {
    const poison = pick(random, POISON);
    return texts(json, (text, key) => (key === 'href' || random() < 0.6 ? text : poison + text));
  }),
  inJson('body/malformed-id', (json, random) => {
    const bad = pick(random, [
      ...['\ud800', '\udc00x', '..', '../../x', '', ' ', '\u0000', 'a/b'],
      'x'.repeat(50_000),
      '\u001b[31m',
      '%',
      '?',
      '#',
    ]);
    return texts(json, (text, key) => (key === 'id' && random() < 0.5 ? bad : text));
  }),
  raw('body/deep-whole', isGet, (_text, random) => nested(pick(random, [500, 20_000, 200_000]))),
  raw('body/deep-inside', isGet, (text) => text.replace(/\}\s*$/, `,"deep":${nested(20_000)}}`)),
  raw('body/deep-objects', isGet, (text) =>
    text.replace(/\}\s*$/, `,"deep":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`),
  ),
  raw('body/huge-text', isGet, (text) => text.replace(/\}\s*$/, `,"huge":"${'x'.repeat(6_000_000)}"}`)),
  raw('body/huger-than-kept', isGet, () => `{"huge":"${'x'.repeat(12_000_000)}"}`),
  raw('body/cut-text', isGet, (text, random) => text.slice(0, Math.floor(random() * text.length))),
  raw('body/empty', isGet, () => ''),
  raw('body/html', isGet, () => '<html><body><h1>Maintenance</h1><script>alert(1)</script></body></html>'),
  raw('body/not-utf8', isGet, (text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, 20)),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      Buffer.from(text.slice(20)),
    ]),
  ),
  raw('body/byte-order-mark', isGet, (text) => `\ufeff${text}`),
  raw('body/lone-surrogates', isGet, (text) =>
    text.replace(/"(name|description)"\s*:\s*"/g, '$&\\ud800\\udc00\\ud800'),
  ),
  raw('body/keys-twice', isGet, (text) => text.replace(/\{/g, '{"id":"first","name":"first",')),
  raw('body/prototype', isGet, (text) =>
    text.replace(/\{/, '{"__proto__":{"polluted":true,"status":200},"constructor":{"prototype":{"polluted":true}},'),
  ),
  raw('body/many-keys', isGet, (text) =>
    text.replace(/\{/, `{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join()},`),
  ),
  answering('body/of-other-family', isAnything, (given, asked, world) => {
    const other = world.otherAnswer(asked);
    return other === undefined ? undefined : { ...given, status: other.status, body: other.body };
  }),
  answering('body/content-type', isGet, (given, _asked, { random }) =>
    withHeader(
      given,
      'content-type',
      pick(random, [
        ...[undefined, 'text/html', 'application/xml', 'application/json; charset=utf-16'],
        'x'.repeat(5000),
        'application/json\u00ff',
      ]),
    ),
  ),
  answering('body/error-text', isAnything, (given, _asked, { random }) =>
    given.status < 400
      ? undefined
      : withJson(given, {
          ERSResponse: { messages: [{ title: pick(random, POISON).repeat(pick(random, [1, 2000])), type: 'ERROR' }] },
        }),
  ),
];
