import { Document, isCollection, visit } from 'yaml';
import type { Taken } from './family.ts';

const LONGEST = 160;
const WIDTH = 220;

/** Text as comments: one line, without what a terminal acts on. */
const comment = (text: string): string => `  # ${text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, LONGEST)}`;

const block = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [comment(`${title}:`), ...lines.map((line) => comment(`  ${line}`))];

/** YAML in which everything without members of its own takes one line. */
function yamlLines(value: unknown): readonly string[] {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_, node, path) {
      // The families and their members stand one below the other.
      if (path.length <= 3) return;
      const text = JSON.stringify(node);
      if (isCollection(node) && text.length < WIDTH && !text.includes('"members"')) node.flow = true;
    },
  });
  return document
    .toString({ lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}

/** The file of families, with comments that say what was taken from where, what was guessed, and what was left out and why. */
export function familiesText(taken: readonly Taken[], schema: string): string {
  const parts = taken.map(({ name, family, published, from, guesses, left }) =>
    [
      comment(
        `${family.title}: ${family.operations.length} of ${published} published operations, from ${family.definition}`,
      ),
      ...block('taken', from),
      ...block('guessed', guesses),
      ...block('left out', left),
      ...yamlLines({ [name]: family }),
    ].join('\n'),
  );
  return [
    `# yaml-language-server: $schema=${schema}`,
    '# Families beside the twelve of the specification. Check what was guessed, and correct it here.',
    'families:',
    parts.join('\n\n'),
    '',
  ].join('\n');
}
