import { absentHeaders, shellQuoted } from '../../../lib/curl.ts';
import { NAME_START } from '../../../lib/run-name.ts';
import {
  type Claim,
  captured,
  entryPattern,
  headLines,
  MOST_ASKED,
  MOST_PAGES,
  memberPattern,
  partsOf,
  type Script,
  STATUS_CLASS,
  type Step,
  saidOf,
  TOKEN,
  withNames,
} from '../script.ts';

const HELPERS = `set -u
: "\${ERS_BASE_URL:?}" "\${ERS_USERNAME:?}" "\${ERS_PASSWORD:?}"
work=$(mktemp -d)

# send METHOD PATH [curl options]: leaves the answer in $work/head and $work/body, and its status in $status.
send() {
  local method=$1 path=$2
  shift 2
  : >"$work/head"
  : >"$work/body"
  status=$(curl -gsS \${ERS_CA:+--cacert "$ERS_CA"} -u "$ERS_USERNAME:$ERS_PASSWORD" -X "$method" "$@" \\
    -b "$work/jar" -c "$work/jar" -D "$work/head" -o "$work/body" -w '%{http_code}' "\${ERS_BASE_URL%/}$path")
  echo "$method $path: $status"
}
# The id at the end of Location.
created() { [ "\${status:0:1}" = 2 ] && sed -n 's|^[Ll]ocation:.*/\\([^/?[:space:]]*\\)[[:space:]]*$|\\1|p' "$work/head"; }
token() { sed -n 's|^[Xx]-[Cc][Ss][Rr][Ff]-[Tt][Oo][Kk][Ee][Nn]: *\\([^[:space:]]*\\).*|\\1|p' "$work/head"; }
# The id of the N-th record that a list shows.
found() { tr -d '\r\n' <"$work/body" | grep -o '"id"[[:space:]]*:[[:space:]]*"[^"]*"' | sed -n "$1p" | cut -d '"' -f 4; }
# The id of the entry that a list shows of this form.
named() { tr -d '\r\n' <"$work/body" | grep -Eo -- "$1" | head -n 1 | cut -d '"' -f 4; }
# needs 2|4 TEXT: ends with 2 where the set-up is not answered with that kind of status.
needs() { [ "\${status:0:1}" = "$1" ] || { echo "not set up: $2, answered $status"; cat "$work/body"; exit 2; }; }
absent() { echo 'not set up: the list does not show it'; cat "$work/body"; exit 2; }
fails() { echo "FAILED: $1"; echo "answered $status:"; cat "$work/body"; exit 1; }
`;

const WALK = `# walk METHOD PATH [curl options]: follows the links to next pages, and leaves the text of all pages in $work/body.
walk() {
  send "$@"
  shift 2
  : >"$work/pages"
  local next count=0
  while cat "$work/body" >>"$work/pages" && [ "$((count += 1))" -lt ${MOST_PAGES} ]; do
    next=$(tr -d '\r\n' <"$work/body" | sed 's|\\\\u0026|\\&|g; s|\\\\/|/|g' | grep -o '"nextPage"[^}]*' | grep -o '/ers/config/[^"]*')
    [ -n "$next" ] || break
    send GET "$next" "$@"
  done
  cp "$work/pages" "$work/body"
}
`;

/** A text as one word of bash, with the values of variables in their places. */
function word(text: string, { variables }: Script): string {
  const parts = partsOf(text, variables).map((part) =>
    'text' in part ? (/^[\w./:@,+=-]+$/.test(part.text) ? part.text : shellQuoted(part.text)) : `"$${part.variable}"`,
  );
  return parts.join('') || "''";
}

function sent(step: Step, script: Script): string {
  const { method, path, headers, body, until, walks } = step;
  const options = [
    ...headers.map(([name, value]) => `-H ${word(`${name}: ${value}`, script)}`),
    ...absentHeaders(step).map((name) => `-H ${name}:`),
    ...(body === undefined ? [] : [`--data-raw ${word(body, script)}`]),
  ];
  const line = [walks ? 'walk' : 'send', method, word(path, script), ...options].join(' ');
  if (until === undefined) return line;
  const isHeld = `grep -q ${shellQuoted(until)} "$work/body"`;
  const loop = [`for _ in $(seq ${MOST_ASKED}); do`, `  ${line}`, `  ${isHeld} && break`, '  sleep 1', 'done'];
  return [...loop, `${isHeld} || status="without ${until}"`].join('\n');
}

/** Lines that end the file with 1 unless the claim holds. */
function claimed(claim: Claim, script: Script): string {
  const said = shellQuoted(saidOf(script));
  if (claim.kind === 'header') return `grep -qi ${shellQuoted(`^${claim.name}:`)} "$work/head" || fails ${said}`;
  if (claim.kind === 'holds') {
    const pattern = `*${claim.texts.map((text) => word(text, script)).join('*')}*`;
    return `[[ $(cat "$work/body") ${claim.isThere ? '==' : '!='} ${pattern} ]] || fails ${said}`;
  }
  const pattern = word(memberPattern(claim, '[[:space:]]*'), script);
  return `tr '\\r\\n' '  ' <"$work/body" | grep -Eq -- ${pattern} ${claim.isNot ? '&&' : '||'} fails ${said}`;
}

/** A cause as a bash program that needs only curl. Exit code 0, 1 if the answer is wrong, 2 if it could not be set up. */
export function curlFile(given: Script): string {
  const script = withNames(given);
  const { setUp, request, claims, cleanUp, variables } = script;
  const capture = ({ creates = '', from, name }: Step) => {
    const id = variables.get(creates);
    if (id === undefined) return [];
    const given = creates === TOKEN ? 'token' : 'created';
    const shown =
      name === undefined ? `found ${(from ?? 0) + 1}` : `named ${word(entryPattern(name, '[[:space:]]*'), script)}`;
    const isThere = from === undefined ? [] : [`[ "$${id}" != not-made ] || absent`];
    return [`${id}=$(${from === undefined ? given : shown} | grep . || echo not-made)`, ...isThere];
  };
  const said = shellQuoted(saidOf(script));
  return [
    '#!/usr/bin/env bash',
    ...headLines(script, ['Run it: bash FILE. It needs bash and curl; ERS_CA may name a PEM file with the authority.']),
    HELPERS,
    ...(request.walks ? [WALK] : []),
    'clean_up() {',
    ...cleanUp.map((step) => `  ${sent(step, script)}`),
    '  rm -rf "$work"',
    '}',
    ...captured(script).map((name) => `${name}=not-made`),
    `names=${NAME_START}$(od -An -N4 -tx1 /dev/urandom | tr -d ' \\n')`,
    'trap clean_up EXIT',
    '',
    '# Set-up',
    ...setUp.flatMap((step) => [
      sent(step, script),
      ...(step.expects === 'any'
        ? []
        : [`needs ${STATUS_CLASS[step.expects]} ${shellQuoted(`${step.method} ${step.path}`)}`]),
      ...capture(step),
    ]),
    '',
    '# The request, and what its answer has to say',
    sent(request, script),
    ...capture(request),
    ...(request.expects === 'any' ? [] : [`[ "\${status:0:1}" = ${STATUS_CLASS[request.expects]} ] || fails ${said}`]),
    ...claims.map((claim) => claimed(claim, script)),
    "echo 'passed'",
    '',
  ].join('\n');
}
