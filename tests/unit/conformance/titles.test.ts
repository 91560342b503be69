import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';

const VERBS = [
  ...['is', 'are', 'has', 'have', 'does', 'do', 'exist', 'exists', 'shows', 'keeps', 'keep', 'holds', 'takes', 'take'],
  ...[
    'accepts',
    'accept',
    'show',
    'fit',
    'agrees',
    'agree',
    'begins',
    'changes',
    'comes',
    'completes',
    'creates',
    'finds',
    'find',
  ],
  ...[
    'adds',
    'carries',
    'differ',
    'encodes',
    'hold',
    'names',
    'ignores',
    'knows',
    'leads',
    'leaves',
    'links to',
    'match',
    'reaches',
    'removes',
  ],
  // Alone the last is a noun, the one of the specification.
  ...['stores', 'work', 'run records'],
];
/** A verb that has a subject before it. */
const VERB = new RegExp(`(?<=\\S )(?:${VERBS.join('|')})\\b`, 'g');
/** What begins a clause that needs a verb of its own. */
const SUBORDINATE = /\b(?:that|which|whose|who|while)\b/g;
/** A capital begins no title, and a full stop ends none. */
const PLAIN = /^[a-z].*[^.]$/;
const isSentence = (title: string) =>
  PLAIN.test(title) && [...title.matchAll(VERB)].length > [...title.matchAll(SUBORDINATE)].length;

describe('the title of a check', () => {
  it('is a sentence that says the good outcome', () => {
    const titles = checks.map(({ id, title }) => ({ id, title }));
    expect(titles.filter(({ title }) => !isSentence(title))).toEqual([]);
  });

  it('is told from a noun phrase', () => {
    const phrases = [
      ...['deleted record in the list', 'records of each covered family in the view', 'round trip of a text'],
      ...[
        'create that has an id',
        'header X-CSRF-TOKEN on list and read',
        'refusal of a value outside the listed ones',
      ],
      ...['A deleted record is not listed', 'a deleted record is not listed.'],
    ];
    expect(phrases.filter(isSentence)).toEqual([]);
  });
});
