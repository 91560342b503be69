import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../../lib/judge/conformance/cause/causes.ts';
import { shownOf } from '../../../../lib/judge/conformance/cause/shown.ts';
import { type ConformanceResult, observedText } from '../../../../lib/records/conformance.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

type About = NonNullable<ConformanceResult['failure']>;

const failing = (requirement: string, failure: About, more: Partial<ConformanceResult> = {}) =>
  aResult({ verdict: 'fail', family: 'sgt', expected: 'a', observed: 'b', requirement, failure, ...more });

const causes = (failures: readonly ConformanceResult[]) => causesOf(failures.map((result) => ({ result })));
const ids = (failures: readonly ConformanceResult[]) =>
  causes(failures).map(({ id, results }) => `${id} ${results.length}`);

const about = (kind: About['kind'], operation: string, subject: string): About => ({ kind, operation, subject });
const filter = (operator: string, field = 'name') => about('records', 'list', `filter ${field}.${operator}`);
const refused = (subject: string) => about('refused', 'create', subject);

const value = (subject: string, more: Partial<ConformanceResult>) =>
  failing('PAY-C', { kind: 'value', operation: 'create', subject }, more);

const shows = (subject: string, expected: string, observed: string) => value(subject, { expected, observed });
const typed = shows('x', 'a true in a read', '"true"');
const cut = (subject: string, sent: string, seen: string) =>
  shows(subject, `description "${sent}" in a read`, `"${seen}" (only if it is long)`);
const now17 = (sent: string, seen = '17') => shows(`text ${sent}`, `description "${sent}" in a read`, seen);
const turns = (requirement: string, operation: string, more: Partial<About> = {}) =>
  failing(requirement, { ...about('value', operation, 'record'), ...more });
const join = (subject: string, onlyIf?: string) => failing('LST-FILT', about('records', 'list', subject), { onlyIf });
const by = (operator: string, onlyIf?: string, field = 'name') =>
  failing(`FOP-${operator}`, filter(operator, field), { onlyIf });
const on = 'the operand is x';
const sorted = (onlyIf: string) => failing('LST-SORT', about('value', 'list', 'sort name.asc'), { onlyIf });
const former = failing('FOP-EQ', { ...filter('EQ'), times: 1, state: 'former' });
const view = (subject: string) => failing('VIEW-PORTAL', about('value', 'update', subject));
const left = (subject: string) => failing('SPC-BULK', about('no-effect', 'bulkSubmit', subject));
const lost = (member: string, seen = 'a ?') => shows(`member ${member}`, `${member} "a 😀" in a read`, `"${seen}"`);
const inXml = (op: string) =>
  failing('PAY-C', about('value', op, op), { expected: 'x true in a read', onlyIf: `the ${op} is sent in XML` });
const often = { unsteady: 'by turns' } as const;
const mixed = turns('PAY-U', 'update', often);

type Three = readonly [one: ConformanceResult, alike: ConformanceResult, other: ConformanceResult];

describe('causes of failures', () => {
  it.each<[string, ...Three]>([
    ['cut texts', cut('text long', 'abcdef', 'abcd'), cut('together', 'vwxyz', 'vwx'), cut('form', 'abc', 'other')],
    ['one value for all', now17('a'), now17('b'), now17('c', '"d"')],
    ['what comes and goes', mixed, turns('OP-sgt-D', 'delete', often), turns('OP-sgt-C', 'create')],
    ['joins under one condition', join('filters and', 'x'), join('filters or', 'x'), join('filters or')],
    ['operators under one condition', by('EQ', 'x'), by('GT', 'x'), by('GT')],
    ['one operand', by('EQ', on), by('NENDSW', `a, and ${on}`), by('GT', 'the operand is y')],
    ['values in XML', inXml('create'), inXml('update'), now17('a')],
    ['an operator and its negation', by('ENDSW'), by('NENDSW'), by('NENDSW', undefined, 'value')],
    ['greater and less', by('GT'), by('LT'), by('LT', undefined, 'value')],
    ['values as texts', typed, shows('b', 'b: boolean', '"x"'), shows('c', 'c: string', '7')],
    ['what a bulk request leaves undone', left('bulk records'), left('record'), left('other records')],
    ['what a view keeps after an update', view('view'), view('member name'), turns('PAY-U', 'update')],
    ['what goes by a former name', former, sorted('x was renamed'), sorted('x was deleted')],
    ['characters that are lost', lost('name'), lost('description'), lost('description', 'b')],
  ])('are one for %s', (_, one, alike, other) => {
    expect([causes([one, alike]).length, causes([one, other]).length]).toEqual([1, 2]);
  });

  it('are told to come and go', () => {
    expect(observedText(mixed)).toBe('b (in some answers and not in others)');
  });

  it('keep what is of different subjects apart, though the same create is refused', () => {
    const [accept, media] = [refused('header accept'), refused('header ersMediaType')];
    const apart = [failing('CNV-HDR', accept), failing('CNV-HDR', media), failing('OP-sgt-C', refused('request'))];
    expect(ids(apart)).toEqual([
      'CNV-HDR create refused: header accept 1',
      'CNV-HDR create refused: header ersMediaType 1',
      'OP-*-C create refused: request 1',
    ]);
  });

  it('are one for one subject of a family, whichever requirement it breaks', () => {
    const member = about('value', 'create', 'member description');
    const elsewhere = failing('RES-NAMES', { ...member, subject: 'member name' }, { family: 'node' });
    const [cause, ...others] = causes([failing('PAY-C', member), failing('RES-NAMES', member), elsewhere]);
    expect(others).toHaveLength(1);
    expect(cause).toMatchObject({ operation: 'create', kind: 'value', subjects: [member.subject] });
    expect(cause?.requirements).toEqual(['PAY-C', 'RES-NAMES']);
  });

  it.each<[string, Partial<ConformanceResult>, string]>([
    ['each time', {}, ', only if size=3'],
    ['once', { failure: { ...refused('request'), unsteady: 'once' } }, ', shown once, and not again'],
    ['at times', { failure: { ...refused('request'), unsteady: 'not each time' } }, ', shown again, but not each time'],
    ['at the first try', { flaky: true }, ', only if size=3, but not when it was tried again'],
  ])('say whether it shows %s', (_, more, end) => {
    const [cause] = causes([failing('CNV-HDR', refused('request'), { title: 'creates', onlyIf: 'size=3', ...more })]);
    expect(cause?.title).toBe(`creates: refused in create (request)${end}`);
  });
});

const path = '/ers/config/sgt?filter=name.EQ.x';
const exchange = anExchange({ family: 'sgt', operation: 'list', method: 'GET', path, status: 200 });
const LISTED = filter('EQ');

const listing = (failure: About, more: Partial<ConformanceResult> = {}) =>
  aResult({
    ...{ verdict: 'fail', family: 'sgt', requirement: 'SVC-1', failure },
    ...{ expected: 'x without the record {"name":"x"} (abc)', observed: 'among the 1 records shown', ...more },
  });

const sentences = (...results: readonly ConformanceResult[]) =>
  causesOf(results.map((result) => ({ result, shown: { exchange, beside: [], words: '', refused: false } }))).map(
    ({ title }) => title,
  );

describe('the first sentence', () => {
  it.each<[string, Partial<About>]>([
    ['shows a record that was deleted', { times: 1, state: 'deleted' }],
    ['shows a record as before it was updated', { times: 1, state: 'former' }],
    ['shows a record that it should not', { times: 1 }],
    ['leaves out a record, as before it was updated', { times: 0, state: 'former' }],
    ['leaves out a record', { times: 0 }],
    ['shows a record more than once', { times: 2 }],
    ['wrong records', {}],
  ])('says what is wrong about a record in a list: %s', (words, more) => {
    expect(sentences(listing({ ...LISTED, ...more }))[0]).toContain(` answers 200, ${words} (filter name.EQ): `);
  });

  it('has the condition that most failures of its cause have', () => {
    const some = [undefined, undefined, 'b', 'a', 'a'].map((onlyIf, at) =>
      listing(LISTED, { variant: `v${at}`, ...(onlyIf === undefined ? {} : { onlyIf }) }),
    );
    expect(sentences(...some)[0]).toMatch(/, only if a$/);
    const few = Array.from({ length: 8 }, (_, at) => listing(LISTED, { variant: `w${at}` }));
    expect(sentences(...few, listing(LISTED, { onlyIf: 'a' }))[0]).not.toContain('only if');
  });

  it('has the condition that a survey found for those that looked for none, unless others show it otherwise', () => {
    const plain = Array.from({ length: 8 }, (_, at) => listing(LISTED, { variant: `v${at}` }));
    const surveyed = (onlyIf?: string, variant = '') =>
      listing(LISTED, { checkId: 'survey/filters', variant, ...(onlyIf === undefined ? {} : { onlyIf }) });
    expect(sentences(...plain, listing(LISTED, { onlyIf: 'a' }), surveyed('b'))[0]).toMatch(/, only if b$/);
    expect(sentences(...plain, surveyed('b'), surveyed(undefined, 'plain'))[0]).not.toContain('only if');
  });

  it('and what a result observed, say that it comes and goes', () => {
    const once = listing({ ...LISTED, unsteady: 'once' }, { onlyIf: 'a' });
    expect(sentences(once)[0]).toMatch(/, shown once, and not again$/);
    expect(observedText(once)).toBe('among the 1 records shown (shown once, and not again)');
  });
});

/** What runs recorded of a deployment with one fault each: its failures, at most two of a kind, and the requests they rest on. */
const FAULTS = readFileSync(new URL('single-faults.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** First sentence of each fault: address, answer, and the server's own words if it said any. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  '415-no-accept':
    /^GET \/ers\/config\/portaltheme without the header accept answers 415 "Unsupported Media Type"; and 5 more like it: /,
  '415-bare': /^POST \/ers\/config\/portaltheme without the header content-type or accept answers 415 "Illegal Request/,
  'by-name-500':
    /^GET \/ers\/config\/node\/name\/ise-node-3 answers 500 "Node lookup by name failed"; and 2 more requests$/,
  'by-name-other':
    /^GET \/ers\/config\/node\/name\/ise-node-2 answers 200, wrong value \(member id, member name\): expected id "/,
  'clear-kept': /^PUT \/ers\/config\/ancendpoint\/clear answers 204, success without effect \(record\): expected 02:/,
  'create-400': /^POST \/ers\/config\/portaltheme answers 400 "Mandatory fields missing: \[x\]"$/,
  'cut-bodies': /^GET \/ers\/config\/sgt answers 200 "20 bytes that are no JSON"$/,
  'delete-405': /^DELETE \/ers\/config\/portaltheme\/\{id\} answers 405 "DELETE not allowed"$/,
  'filter-family-refused':
    /^GET \/ers\/config\/sgt\?filter=\S+ answers 400 "Filter field is not supported"; and 23 more requests$/,
  'filter-refused':
    /^GET \/ers\/config\/portaltheme\?filter=name\.CONTAINS\.\S+ answers 400 .*more like it: \S* \S*\?filter=name\.CONTAINS$/,
  garbled: /^POST \/ers\/config\/byodportal answers 201, description of byodportal in another character set: "Zürich/,
  'link-drops-filter': /^GET \S*\?filter=\S*&size=\d+ answers 200 with a link to the next page that leaves out filter$/,
  'link-drops-one-filter': /^GET \S*size=7 answers 200 with a link to the next page that leaves out filter$/,
  'list-500': /^GET \/ers\/config\/portal answers 500 "Operation search PORTAL failed"; and 3 more requests$/,
  'list-empty':
    /^GET \/ers\/config\/sgt\S* answers 200, leaves out a record \(list.* and not listed; and 3 more requests$/,
  'member-lost': /^GET \/ers\/config\/sgt\/\{id\} answers 200, missing after create \(member description.*: absent$/,
  'no-nextpage':
    /^GET \/ers\/config\/portaltheme\?size=1&page=1 answers 200, missing \(pages.* observed no nextPage\.href; and 26 /,
  'number-refused':
    /^POST \/ers\/config\/sgt answers 400 "Validation Error - Illegal values: \[value\]", only if value is 65519$/,
  'number-out-of-range': /^POST \/ers\/config\/sgt answers 201, wrong value \S+ .* observed 65530/,
  'others-deleted': /^DELETE \/ers\/config\/sxpvpns\/\{id\} answers 204, changes a record that it does not name \(/,
  'read-404': /^GET \/ers\/config\/sgt\/\{id\} answers 404 "Resource not found"$/,
  'read-html': /^GET \/ers\/config\/node\/\S+ answers 200 "Please log in"$/,
  'refused-and-changed':
    /^PUT \S+ answers 400 "Val.* nor -1", and changes the record all the same, only if a number was out of bounds$/,
  'signs-dropped-in-xml':
    /^POST \/ers\/config\/portaltheme answers 201, description of portaltheme without some of its signs/,
  'size-refused':
    /^GET \/ers\/config\/telemetryinfo\?size=100 answers 400 "size is out of range"; and 5 more like it: /,
  'sort-refused':
    /^GET \/ers\/config\/portaltheme\?sortasc=name\S* answers 400 "Sorting is not supported"; and 23 more like it: /,
  'sorted-by-length':
    /^GET \/ers\/config\/smsprovider\?sortasc=name&size=100 answers 200, wrong value .* observed "Orange"/,
  'update-500': /^PUT \/ers\/config\/sgt\/\{id\} answers 500 "Update SGT failed"$/,
  'update-dropped': /^PUT \/ers\/config\/sgt\/\{id\} answers 200, success without effect \(record/,
  'update-out-of-range': /^PUT \/ers\/config\/sgt\/\{id\} answers 200, accepted against the rules \(number value/,
  'version-404':
    /^GET \/ers\/config\/sgt\/versioninfo answers 404 "Resource versioninfo not found"; and 1 more like it: /,
  'version-500-all':
    /^GET \/ers\/config\/portaltheme\/versioninfo answers 500 "Version lookup failed"; and 1 more like it: /,
  'view-short': /^GET \/ers\/config\/portal\/\{id\}( for a record of \w+)? answers 404 "The resource portal with id '/,
  'xml-406': /^GET \/ers\/config\/telemetryinfo\/\{id\} answers 406 "XML is not supported"/,
};

type Row = [string, string, string, string, string, number, string | null, string | null, string, number?];

function failuresOf({ results, exchanges }: (typeof FAULTS)[number]) {
  const sent = exchanges.map(
    ([id, family, operation, method, path, status, accept, type, responseBody, bytes = 0]: Row) =>
      anExchange({
        ...{ id, family, operation, method, path, status, responseBody, bytes },
        requestHeaders: accept === null ? [] : [['Accept', accept]],
        responseHeaders: type === null ? [] : [['Content-Type', type]],
      }),
  );
  const byId = new Map<string, ReturnType<typeof anExchange>>(sent.map((one: { id: string }) => [one.id, one]));
  return results.map(({ written = [], ...more }: { written?: string[] }) => {
    const result = aResult({ verdict: 'fail', ...more });
    return { result, written, shown: shownOf(result, byId) };
  });
}

describe('a single fault', () => {
  it.each(FAULTS.map((fault) => [fault.fault, fault]))('is one cause, said in one sentence: %s', (name, fault) => {
    const causes = causesOf(failuresOf(fault));
    expect(causes.map(({ id }) => id)).toHaveLength(1);
    expect(causes[0]?.title).toMatch(SENTENCES[name] ?? /^$/);
    expect(causes[0]?.example?.exchange).toBeDefined();
  });

  it('and another one of the same night are two', () => {
    const night = (name: string) => failuresOf(FAULTS.find(({ fault }) => fault === name));
    for (const [one, other] of [
      ['list-500', 'read-404'],
      ['filter-refused', 'sort-refused'],
      ['version-404', 'by-name-500'],
      ['update-500', 'create-400'],
      ['415-no-accept', 'xml-406'],
    ] as const)
      expect(causesOf([...night(one), ...night(other)]), `${one}, ${other}`).toHaveLength(2);
  });
});
