import { short } from '../../../lib/text.ts';
import {
  braced,
  type Claim,
  headLines,
  inPath,
  MOST_ASKED,
  onOneLine,
  type Script,
  STRUCTURED,
  type Step,
  statusWithin,
  TOKEN,
  untemplated,
  withVariables,
} from '../script.ts';

/** A body as it was sent: JSON and XML as they are, anything else in base64. */
const bodyOf = (body: string, script: Script): string =>
  STRUCTURED.test(body)
    ? braced(body, script)
    : `{{Buffer.from('${Buffer.from(body).toString('base64')}', 'base64').toString()}}`;

function sent({ method, path, headers, body, until }: Step, script: Script): readonly string[] {
  return [
    // Nothing here ends a loop before its time.
    ...(until === undefined ? [] : [`# @loop for ${Math.ceil(MOST_ASKED / 5)}`, '# @sleep 1000']),
    `${method} {{base}}${braced(inPath(path), script)}`,
    'Authorization: Basic {{process.env.ERS_USERNAME}} {{process.env.ERS_PASSWORD}}',
    ...headers.map(([name, value]) => `${name}: ${braced(value, script)}`),
    ...(body === undefined ? [] : ['', bodyOf(body, script)]),
    '',
  ];
}

function captured({ creates = '', from, name }: Step, { variables }: Script): readonly string[] {
  const id = variables.get(creates);
  if (id === undefined) return [];
  const entry = name === undefined ? `[${from}]` : `find(({ name }) => name === ${untemplated(JSON.stringify(name))})`;
  const last =
    creates === TOKEN
      ? `response.headers['x-csrf-token']`
      : from === undefined
        ? `(response.statusCode < 300 && response.headers.location || 'not-made').replace(/\\/$/, '').split('/').pop()`
        : `Object.values(JSON.parse(response.body))[0].resources?.${entry}?.id ?? 'not-made'`;
  return ['{{@response', `  exports.${id} = ${last};`, '}}'];
}

/** A JavaScript expression that is true if the claim holds; variables of the file are variables of the script. */
function condition(claim: Claim, script: Script): string {
  const js = (value: string) =>
    `\`${withVariables(onOneLine(value.replace(/[`\\$]/g, '\\$&')), script, (name) => `\${${name}}`)}\``;
  if (claim.kind === 'header') return `response.headers[${js(claim.name.toLowerCase())}] !== undefined`;
  if (claim.kind === 'holds') {
    const found = `[${claim.texts.map(js).join(', ')}].reduce((from, text) => from < 0 ? from : String(response.body).indexOf(text, from), 0)`;
    return `${found} ${claim.isThere ? '>=' : '<'} 0`;
  }
  const root = 'Object.values(JSON.parse(response.body))[0]';
  const record = claim.entry === undefined ? root : `${root}.resources.find(({ id }) => id === ${js(claim.entry)})`;
  const value = `${record}[${js(claim.member)}]`;
  return claim.value === undefined
    ? `${value} !== undefined`
    : `JSON.stringify(${value}) ${claim.isNot ? '!==' : '==='} ${js(JSON.stringify(claim.value))}`;
}

function asserted(claim: Claim, script: Script): readonly string[] {
  return [
    '{{',
    `  const { ok } = require('assert');`,
    `  test(${JSON.stringify(short(script.expected.replace(/[\s{}]+/g, ' '), 300))}, () => ok(${condition(claim, script)}));`,
    '}}',
  ];
}

export function httpFile(script: Script): string {
  const { setUp, request, claims, cleanUp } = script;
  const asked = (step: Step) => [
    ...sent(step, script),
    ...statusWithin(step.expects, '?? status'),
    ...captured(step, script),
  ];
  return [
    ...headLines(script, ['Run it: npx httpyac send FILE --all. Editors with .http files send it request by request.']),
    '',
    '@base = {{process.env.ERS_BASE_URL}}',
    '',
    ...setUp.flatMap((step, at) => [`### Set-up ${at + 1}`, ...asked(step), '']),
    '### The request, and what its answer has to say',
    ...asked(request),
    ...claims.flatMap((claim) => asserted(claim, script)),
    '',
    ...cleanUp.flatMap((step, at) => [`### Clean-up ${at + 1}`, ...sent(step, script)]),
  ].join('\n');
}
