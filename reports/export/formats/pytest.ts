import { NAME_START } from '../../../lib/run-name.ts';
import {
  type Claim,
  captured,
  headLines,
  MOST_ASKED,
  MOST_PAGES,
  partsOf,
  type Script,
  STATUS_CLASS,
  type Step,
  saidOf,
  slugOf,
  TOKEN,
  withNames,
} from '../script.ts';

const HELPERS = `import base64, json, os, re, secrets, ssl, time, urllib.error, urllib.request

BASE = os.environ["ERS_BASE_URL"].rstrip("/")
LOGIN = base64.b64encode(f'{os.environ["ERS_USERNAME"]}:{os.environ["ERS_PASSWORD"]}'.encode()).decode()
TLS = ssl.create_default_context(cafile=os.environ.get("ERS_CA"))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect, urllib.request.HTTPCookieProcessor(), urllib.request.HTTPSHandler(context=TLS))


class Answer:
    def __init__(self, answer):
        self.status, self.headers, self.text = answer.status, answer.headers, answer.read().decode("utf-8", "replace")

    @property
    def created(self):
        """The id at the end of Location; one that names nothing if there is none."""
        given = self.headers.get("Location") if self.status // 100 == 2 else None
        return (given or "not-made").rstrip("/").rsplit("/", 1)[-1]

    def found(self, place, name=None):
        """The id of the record at a place of a list, or of the first one from there of this name."""
        (root,) = json.loads(self.text).values()
        for one in (root.get("resources") or [])[place:]:
            if name is None or one.get("name") == name:
                return one["id"]
        raise RuntimeError(f"not set up: the list does not show it: {self.text[:500]}")

    def record(self, entry=None):
        """The record, or the entry of a list with this id."""
        (root,) = json.loads(self.text).values()
        return root if entry is None else next(one for one in root["resources"] if one["id"] == entry)


def send(method, path, headers, body=None):
    request = urllib.request.Request(BASE + path, None if body is None else body.encode(), method=method)
    request.add_unredirected_header("Authorization", "Basic " + LOGIN)
    # urllib adds this one by itself to each body.
    for name, value in {**({} if body is None else {"Content-Type": ""}), **headers}.items():
        request.add_header(name, value)
    try:
        return Answer(OPENER.open(request, timeout=60))
    except urllib.error.HTTPError as refused:
        return Answer(refused)


def until(text, *request):
    for _ in range(${MOST_ASKED}):
        answer = send(*request)
        if text in answer.text:
            return answer
        time.sleep(1)
    raise RuntimeError(f"not set up: no {text} in {answer.text[:500]}")


def walk(*request):
    """The answer with the text of all pages: the links to next pages are followed."""
    answer = page = send(*request)
    for _ in range(${MOST_PAGES}):
        link = page.status == 200 and (next(iter(json.loads(page.text).values())).get("nextPage") or {}).get("href")
        if not link:
            break
        page = send("GET", link[link.index("/ers/config/"):], *request[2:])
        answer.text, answer.status = answer.text + page.text, page.status
    return answer


def set_up(answer, kind):
    if answer.status // 100 != kind:
        raise RuntimeError(f"not set up: answered {answer.status} {answer.text[:500]}")
    return answer
`;

const python = (text: string): string => JSON.stringify(text);

/** A text as an expression, with the values of variables in their places. */
function expression(text: string, { variables }: Script): string {
  return (
    partsOf(text, variables)
      .map((part) => ('text' in part ? python(part.text) : part.variable))
      .join(' + ') || '""'
  );
}

function literal(value: unknown, script: Script): string {
  if (typeof value === 'string') return expression(value, script);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : `json.loads(${expression(JSON.stringify(value ?? null), script)})`;
}

function sent({ method, path, headers, body, until, walks }: Step, script: Script): string {
  const pairs = headers.map(([name, value]) => `${python(name)}: ${expression(value, script)}`).join(', ');
  const last = body === undefined ? '' : `, ${expression(body, script)}`;
  const call = until === undefined ? (walks ? 'walk(' : 'send(') : `until(${python(until)}, `;
  return `${call}${python(method)}, ${expression(path, script)}, {${pairs}}${last})`;
}

function claimed(claim: Claim, script: Script): string {
  const said = `, ${python(saidOf(script))}`;
  if (claim.kind === 'header') return `assert ${python(claim.name)} in answer.headers${said}`;
  if (claim.kind === 'holds') {
    const pattern = `".*".join(re.escape(text) for text in [${claim.texts.map((text) => expression(text, script)).join(', ')}])`;
    return `assert ${claim.isThere ? '' : 'not '}re.search(${pattern}, answer.text, re.S)${said}`;
  }
  const record = `answer.record(${claim.entry === undefined ? '' : expression(claim.entry, script)})`;
  if (claim.value === undefined) return `assert ${python(claim.member)} in ${record}${said}`;
  return `assert ${record}.get(${python(claim.member)}) ${claim.isNot ? '!=' : '=='} ${literal(claim.value, script)}${said}`;
}

/** A cause as a Python program of the standard library: a test for pytest, and a program by itself. */
export function pytestFile(given: Script): string {
  const script = withNames(given);
  const { setUp, request, claims, cleanUp, variables } = script;
  const target = ({ creates = '', from, name }: Step, answer: string) => {
    const of = name === undefined ? '' : `, ${expression(name, script)}`;
    const value =
      creates === TOKEN ? 'headers.get("X-CSRF-TOKEN", "")' : from === undefined ? 'created' : `found(${from}${of})`;
    return variables.has(creates) ? [`${variables.get(creates)} = ${answer}.${value}`] : [];
  };
  const said = python(saidOf(script));
  const name = slugOf(script.cause.id, '_');
  return [
    ...headLines(script, ['Run it: pytest FILE, or python3 FILE. ERS_CA may name a PEM file with the authority.']),
    HELPERS,
    '',
    `def test_${name}():`,
    ...captured(script).map((variable) => `    ${variable} = "not-made"`),
    `    names = ${python(NAME_START)} + secrets.token_hex(4)`,
    '    try:',
    ...[
      ...setUp.flatMap((step) => {
        const answer =
          step.expects === 'any' ? sent(step, script) : `set_up(${sent(step, script)}, ${STATUS_CLASS[step.expects]})`;
        return [`made = ${answer}`, ...target(step, 'made')];
      }),
      `answer = ${sent(request, script)}`,
      ...target(request, 'answer'),
      ...(request.expects === 'any'
        ? []
        : [`assert answer.status // 100 == ${STATUS_CLASS[request.expects]}, ${said}`]),
      ...claims.map((claim) => claimed(claim, script)),
    ].map((text) => `        ${text}`),
    '    finally:',
    ...(cleanUp.length === 0 ? ['        pass'] : cleanUp.map((step) => `        ${sent(step, script)}`)),
    '',
    '',
    'if __name__ == "__main__":',
    `    test_${name}()`,
    '    print("passed")',
    '',
  ].join('\n');
}
