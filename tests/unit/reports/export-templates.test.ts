import { expect, it } from 'vitest';
import { curlFile } from '../../../reports/export/formats/curl.ts';
import { httpFile } from '../../../reports/export/formats/http.ts';
import { hurlFile } from '../../../reports/export/formats/hurl.ts';
import { pytestFile } from '../../../reports/export/formats/pytest.ts';
import type { Script, Step } from '../../../reports/export/script.ts';

const CODE = "{{require('fs').writeFileSync('made','')}}";

/** What a target showed stands in all that a program sends and looks for. */
function scriptWith(body: string): Script {
  const step: Step = {
    ...{ method: 'PUT', path: `/ers/config/sgt/id-1?x=${CODE}`, expects: 'any', body },
    headers: [['Content-Type', CODE]],
  };
  return {
    ...{ cause: { id: 'cause', title: CODE }, requirement: 'SVC-1', expected: CODE, observed: '' },
    ...{ notes: [], prefix: 'c' },
    ...{ setUp: [], request: step, cleanUp: [step], variables: new Map([['id-1', 'made']]) },
    claims: [
      { kind: 'holds', texts: [`\n}}\n${CODE}`], isThere: true },
      { kind: 'member', member: CODE, value: CODE },
    ],
  } as unknown as Script;
}

it.each([
  ['JSON', JSON.stringify({ Sgt: { name: `${CODE} {{{` } })],
  ['XML', `<sgt name="${CODE}">\n${CODE}\n###\nGET http://elsewhere</sgt>`],
  ['a line that httpYac runs', "?? js require('fs') == 1"],
  ['a line that httpYac puts a file in place of', '< /etc/passwd'],
  ['text', `x ${CODE}\n{{\nboom\n}}`],
])('what a target showed, in an exported file of %s is no code, value or request of its runner', (_form, body) => {
  for (const file of [httpFile(scriptWith(body)), hurlFile(scriptWith(body))]) {
    expect(file).toContain('/ers/config/sgt/{{made}}?x=%7B%7B');
    // In a script it stands in a string.
    expect(file.replace(/^ {2}test\(.*$/gm, '')).not.toContain('{{require');
    // A line that its runner acts on.
    expect(file).not.toMatch(/^(boom|GET http:|###$|\?\? js|< )/m);
  }
});

it('a record that the file removes is found by its name, and named by no answer that refuses', () => {
  const found: Partial<Step> = { method: 'GET', creates: 'id-1', from: 0, name: 'cfm-n1', expects: 'taken' };
  const script = scriptWith('{}');
  const files = [curlFile, httpFile, hurlFile, pytestFile].map((write) =>
    write({
      ...script,
      setUp: [
        { ...script.request, ...found },
        { ...script.request, creates: 'id-1', method: 'POST' },
      ],
    }),
  );
  expect(files[0]).toMatch(/=\$\(named '"id".*"name".*"cfm-n1"'/);
  expect(files[0]).toMatch(/^created\(\) \{ \[ .* = 2 \] &&/m);
  expect(files[1]).toContain('find(({ name }) => name === "cfm-n1")?.id');
  expect(files[1]).toContain('response.statusCode < 300 && response.headers.location');
  expect(files[2]).toMatch(/: body regex .*"name".*"cfm-n1"/);
  expect(files[3]).toContain('.found(0, "cfm-n1")');
  expect(files[3]).toContain('.get("Location") if self.status // 100 == 2');
});
