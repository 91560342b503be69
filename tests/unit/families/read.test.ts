import { afterEach, describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { registerFamilies } from '../../../lib/contract/register.ts';
import { levelOf, requirements } from '../../../lib/contract/requirements.ts';
import { vendorFacts } from '../../../lib/contract/vendor.ts';
import { readFamilies } from '../../../lib/families/read.ts';
import { dropFamilies, written } from '../../helpers/a-definition.ts';

const head = 'families:\n  gadget:\n    title: Gadget\n    definition: gadget.yaml\n    operations: [ list, read ]\n';
const read = (text: string) => readFamilies(written(text, 'families.yaml'));

const withField = (field: string) => `${head}    fields:\n      ${field}\n`;
const instead = (of: string, other: string) => `${head.replace(of, other)}    fields: {}\n`;

describe('a file of families', () => {
  afterEach(() => dropFamilies(['gadget']));

  it.each([
    ['a type that is none', withField('name: { type: text }'), /line 7: families\.gadget\.fields\.name\.type/],
    ['a key that is none', `${head}    fields: {}\n    colour: red\n`, /line 3: families\.gadget: .*colour/],
    ['a name that objects inherit', withField('constructor: { type: string }'), /line 7.*no name of a member/],
    ['a prototype', withField('__proto__: { type: string }'), /line 7: __proto__ is no key/],
    ['a list member without a field', `${head}    listed: [ colour ]\n    fields: {}\n`, /line 6: colour is no member/],
    ['a create without a root', instead('list, read', 'list, read, delete, create'), /line 5: create needs a root/],
    ['a create without a delete', instead('list, read', 'list, read, create'), /line 5: a create without delete/],
    ['no list', instead('list, read', 'read'), /line 5: a family without a list/],
    ['one of the twelve', instead('gadget:', 'sgt:'), /line 3: the family sgt is there already/],
    ['an alias', `${head}    fields: &a {}\n    reads: *a\n`, /line 7: aliases/],
    ['a key twice', withField('name: { type: string, type: string }'), /line 7: type stands there twice/],
    ['no mapping', '- a\n', /this is not a mapping/],
  ])('with %s is refused by its line', (_, text, message) => expect(() => read(text)).toThrow(message));

  it('with 60 000 keys in one mapping is read in seconds', { timeout: 30_000 }, () => {
    const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}: v`).join(', ');
    expect(read(withField(`map: { type: object, samples: [ {}, { ${keys} } ] }`))).toHaveLength(1);
  });

  it('puts its families beside the twelve, with requirements of their own levels', () => {
    const before = Object.keys(FAMILIES);
    registerFamilies(read(`${head}    fields: { name: { type: string } }\n    filters: [ name ]\n`));
    expect(Object.keys(FAMILIES)).toEqual([...before, 'gadget']);
    expect(requirements().find(({ id }) => id === 'OP-gadget-L')?.section).toBe('Published definition gadget.yaml');
    for (const id of ['OP-gadget-L', 'FLD-gadget', 'RES-TYPE']) expect(levelOf(id, 'gadget'), id).toBe('stated');
    for (const id of ['LST-PAGE', 'SVC-1']) expect(levelOf(id, 'gadget'), id).toBe('implied');
    for (const id of ['RES-TYPE', 'LST-PAGE']) expect(levelOf(id, 'sgt'), id).toBe('stated');
    expect(() => registerFamilies(read(`${head}    fields: {}\n`))).toThrow(/there already/);
    dropFamilies(['gadget']);
    expect(Object.keys(FAMILIES)).toEqual(before);
    expect(vendorFacts('gadget').mediaType).toBe('gadget.1.0');
  });
});
