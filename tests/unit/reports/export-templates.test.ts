import { describe, expect, it } from 'vitest';
import { httpFile } from '../../../reports/export/formats/http.ts';
import { hurlFile } from '../../../reports/export/formats/hurl.ts';
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

describe('what a target showed, in an exported file', () => {
  it.each([
    ['JSON', JSON.stringify({ Sgt: { name: `${CODE} {{{` } })],
    ['XML', `<sgt name="${CODE}">\n${CODE}\n###\nGET http://elsewhere</sgt>`],
    ['text', `x ${CODE}\n{{\nboom\n}}`],
  ])('of %s is no code, value or request of its runner', (_form, body) => {
    for (const file of [httpFile(scriptWith(body)), hurlFile(scriptWith(body))]) {
      expect(file).toContain('/ers/config/sgt/{{made}}?x=%7B%7B');
      // In a script it stands in a string.
      expect(file.replace(/^ {2}test\(.*$/gm, '')).not.toContain('{{require');
      expect(file).not.toMatch(/^(boom|GET http:|###$)/m);
    }
  });
});
