import type { Templates } from '../../conformance/engine/first-contact.ts';
import { FAMILIES } from '../../lib/contract/families.ts';
import type { FamilyTable } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import { messageOf, UsageError } from '../../lib/errors.ts';
import { plainText } from '../../lib/plain-file.ts';
import { isObject } from '../../lib/wire/answer.ts';

/** A template is one record: above this the file is something else. */
const LONGEST_BYTES = 1024 * 1024;

const TABLE: FamilyTable = FAMILIES;

function readTemplate(file: string): Templates {
  const refuse = (what: string, cause?: unknown) =>
    new UsageError('bad-template', `${file}: ${what}`, {
      cause,
      hint: 'a template is one record in JSON under its root key, as a read answers it, such as {"Sgt": {"name": "a", "value": 7}}',
    });
  let json: unknown;
  try {
    json = JSON.parse(plainText(file, LONGEST_BYTES));
  } catch (fault) {
    throw refuse(messageOf(fault), fault);
  }
  const [root, ...more] = isObject(json) ? Object.keys(json) : [];
  const record = isObject(json) && root !== undefined ? json[root] : undefined;
  if (root === undefined || more.length > 0 || !isObject(record)) throw refuse('it is no record under one root key');
  const rootsOf = (name: string) => [name, TABLE[name]?.roots.resource, vendorFacts(name).readRoot];
  const family = Object.keys(TABLE).find((name) => rootsOf(name).includes(root));
  if (family === undefined) throw refuse(`no family has records under the root key ${root}`);
  return { [family]: record };
}

/** Records to start creates from, one a file, by family. Throws `UsageError` that names the file and what is wrong with it. */
export function readTemplates(files: readonly string[]): Templates {
  return Object.assign({}, ...files.map(readTemplate));
}
