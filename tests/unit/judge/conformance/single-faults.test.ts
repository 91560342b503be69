import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../../lib/judge/conformance/cause/causes.ts';
import { shownOf } from '../../../../lib/judge/conformance/cause/shown.ts';
import { anExchange, aResult } from '../../../helpers/a-run.ts';

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

type Row = [string, string, string, string, string, number, string | null, string | null, string];

function failuresOf({ results, exchanges }: (typeof FAULTS)[number]) {
  const sent = exchanges.map(([id, family, operation, method, path, status, accept, type, responseBody]: Row) =>
    anExchange({
      ...{ id, family, operation, method, path, status, responseBody },
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
