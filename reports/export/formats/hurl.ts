import {
  braced,
  type Claim,
  entryPattern,
  headLines,
  inPath,
  MOST_ASKED,
  memberPattern,
  type Script,
  STRUCTURED,
  type Step,
  statusWithin,
  TEMPLATE,
  TOKEN,
} from '../script.ts';

/** A body as it was sent: JSON and XML as they are, anything else, or what must go without Content-Type, in base64. */
function bodyLines({ headers, body }: Step, script: Script): readonly string[] {
  if (body === undefined) return [];
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return [isTyped && STRUCTURED.test(body) ? braced(body, script) : `base64,${Buffer.from(body).toString('base64')};`];
}

function sent(step: Step, script: Script, answered = 'HTTP *'): readonly string[] {
  const { method, path, headers, until } = step;
  return [
    `${method} {{base_url}}${braced(inPath(path), script)}`,
    ...headers.map(([name, value]) => `${name}: ${braced(value, script)}`),
    ...(until === undefined ? [] : ['[Options]', `retry: ${MOST_ASKED}`, 'retry-interval: 1000']),
    '[BasicAuth]',
    '{{username}}: {{password}}',
    ...bodyLines(step, script),
    answered,
  ];
}

/** Takes the id out of Location. Hurl fails where there is none, so it is not asked for where a refusal is right. */
function capture({ creates = '', expects, from, name }: Step, { variables }: Script): readonly string[] {
  const id = variables.get(creates);
  const found = name === undefined ? `jsonpath "$..resources[${from}].id"` : `body regex /${entryPattern(name)}/`;
  return id === undefined || expects !== 'taken'
    ? []
    : [
        '[Captures]',
        from === undefined
          ? `${id}: header ${creates === TOKEN ? '"X-CSRF-TOKEN"' : '"Location" regex /([^\\/]+)\\/?$/'}`
          : `${id}: ${found}`,
      ];
}

function claimed(claim: Claim, script: Script): string {
  const quoted = (value: string) => braced(JSON.stringify(value).replace(TEMPLATE, '\\u{7b}'), script);
  const escaped = (value: string) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (claim.kind === 'header') return 'variable "answer_header" exists';
  if (claim.kind === 'holds') {
    const [only = '', ...more] = claim.texts;
    const not = claim.isThere ? '' : 'not ';
    if (more.length === 0) return `variable "answer" ${not}contains ${quoted(only)}`;
    return `variable "answer" ${not}matches "(?s)${claim.texts.map((one) => braced(script.variables.has(one) ? one : escaped(one), script)).join('.*')}"`;
  }
  return `variable "answer" ${claim.isNot ? 'not ' : ''}matches ${quoted(memberPattern(claim))}`;
}

/** What the answer says is judged after the clean-up. A refused create has no Location: there the status line judges first. */
export function hurlFile(script: Script): string {
  const { setUp, request, claims, cleanUp } = script;
  const run = [
    'Run it: hurl --continue-on-error --variable base_url="$ERS_BASE_URL" --variable username="$ERS_USERNAME" --secret password="$ERS_PASSWORD" FILE',
  ];
  const header = claims.find((claim) => claim.kind === 'header');
  const [captures = '[Captures]', ...made] = capture(request, script);
  const unset = ['[Options]', ...[...script.variables.values()].map((name) => `variable: ${name}=not-made`)];
  return [
    ...headLines(script, run),
    '',
    '# The deployment; ids that no answer gives stay names of nothing',
    'GET {{base_url}}/',
    ...(unset.length > 1 ? unset : []),
    'HTTP *',
    '',
    ...setUp.flatMap((step, at) => [
      `# Set-up ${at + 1}`,
      // One that was refused may name what is in its way.
      ...sent(step, script, step.method === 'POST' && step.expects === 'taken' ? 'HTTP 201' : undefined),
      ...capture(step, script),
      ...(step.expects === 'any' ? [] : ['[Asserts]', ...statusWithin(step.expects, 'status')]),
      ...(step.until === undefined ? [] : [`body contains ${JSON.stringify(step.until)}`]),
      '',
    ]),
    '# The request; its answer is kept until all is removed',
    ...sent(request, script, made.length > 0 ? 'HTTP 201' : 'HTTP *'),
    captures,
    'answer_status: status',
    'answer: body',
    ...(header === undefined ? [] : [`answer_header: header "${header.name}"`]),
    ...made,
    '',
    ...cleanUp.flatMap((step, at) => [`# Clean-up ${at + 1}`, ...sent(step, script), '']),
    '# What the answer had to say',
    'GET {{base_url}}/',
    'HTTP *',
    '[Asserts]',
    ...(made.length > 0 ? [] : statusWithin(request.expects, 'variable "answer_status"')),
    ...claims.map((claim) => claimed(claim, script)),
    '',
  ].join('\n');
}
