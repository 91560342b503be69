/** One sentence, list item or table row of the specification, with the heading it stands under. */
export interface Statement {
  readonly section: string;
  readonly text: string;
}

const HEADING = /^#+\s+(.*)$/;
const RULE = /^\|[\s|-]+\|$/;
const MARKER = /^(?:-|\d+\.)\s+/;

/** Splits the specification into what it states: sentences and table rows, headings and column titles left out. */
export function statementsOf(specification: string): Statement[] {
  const statements: Statement[] = [];
  let section = '';
  for (const line of specification.split('\n').map((raw) => raw.trim())) {
    const heading = HEADING.exec(line);
    if (heading) section = heading[1] ?? '';
    else if (RULE.test(line)) statements.pop();
    else if (line.startsWith('|')) statements.push({ section, text: line });
    else if (line !== '') statements.push(...sentences(line.replace(MARKER, '')).map((text) => ({ section, text })));
  }
  return statements;
}

const sentences = (paragraph: string): string[] => paragraph.split(/(?<=\.)\s+(?=[A-Z])/);
