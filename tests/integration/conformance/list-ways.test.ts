import { expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { namedChecks } from '../../../conformance/checks/named.ts';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { recordChecks } from '../../../conformance/checks/record/checks.ts';
import { xmlChecks } from '../../../conformance/checks/xml.ts';
import { changing } from '../../../reference/deviation.ts';
import type { Otherwise } from '../../helpers/recording-proxy.ts';
import { quickRun, runBehind } from '../../helpers/reference-run.ts';

/** Requirements that a check of lists finds broken on a deployment that does otherwise. */
async function broken(check: string, otherwise: Otherwise, family = 'sxpvpns', as = 'fail') {
  const ids = ['record/create', 'list/envelope', check];
  const catalog = [...recordChecks, ...listChecks, ...xmlChecks, ...pairChecks].filter(({ id }) => ids.includes(id));
  const { written } = await runBehind(otherwise, { depth: 'normal', families: [family] }, { catalog });
  return written.filter(({ verdict }) => verdict === as).map(({ requirement }) => requirement);
}

const isList = (path: string) => path.startsWith('/ers/config/sxpvpns?');
/** The address without the parameters that begin so. */
const without = (path: string, beginning: string) =>
  path.replace(/(?<=[?&])[^&]*&?/g, (pair) => (pair.startsWith(beginning) ? '' : pair));

const inXml: Otherwise['asks'] = (path, { accept }) =>
  isList(path) && accept?.includes('xml') === true ? without(path, 'filter=name.NEQ.') : path;
const withoutNext = (_: string, body: string) =>
  body.startsWith('<')
    ? body.replace(/<(\w+:)?nextPage[^>]*\/>|<(\w+:)?nextPage[\s\S]*?<\/(\w+:)?nextPage>/, '')
    : body;
const sizeFirst = (path: string) =>
  isList(path) && /\?(page|size)=.*filter=/.test(path) ? without(path, 'filter=') : path;
const inJson = (change: (body: string, path: string) => string) => (path: string, body: string) =>
  isList(path) && body.startsWith('{') ? change(body, path) : body;
const endsAtHundred = inJson((body, path) =>
  /size=100(&|$)/.test(path) ? body.replace(/,?"nextPage":\{[^}]*\}/, '') : body,
);
const unescaped = inJson((body) => body.replace(/"nextPage":\{[^}]*\}/, (link) => link.replaceAll('%2B', '+')));

const showsGone = inJson((body, path) =>
  /sortdsc/.test(path)
    ? body.replace('"resources":[', '"resources":[{"id":"0f0e0d0c-0b0a-4908-8706-050403020100"},')
    : body,
);

/** The list that is asked for a text which no record has. */
const failsEmpty: Otherwise['refuses'] = ({ path }, { accept }) =>
  isList(path) && /nobodyhasthis/.test(path) && accept?.includes('xml') === true ? 500 : undefined;

it.concurrent.each<[string, string, Otherwise, broken: string]>([
  ['in XML is filtered', 'xml/list-queries', { asks: inXml }, 'FOP-NEQ'],
  ['in XML may hold no record', 'xml/list-queries', { refuses: failsEmpty }, 'FOP-EQ'],
  ['in XML names its next page', 'xml/list-queries', { shows: withoutNext }, 'LST-NEXT'],
  ['shows what a read finds', 'xml/list-queries', { shows: showsGone }, 'OP-sxpvpns-D'],
  ['with its size before its filters is filtered', 'query/order', { asks: sizeFirst }, expect.any(String)],
  ['of more than 100 records goes on behind the hundredth', 'paging/long-list', { shows: endsAtHundred }, 'LST-NEXT'],
  ['has links that encode a filter', 'paging/next-keeps-filters', { shows: unescaped }, expect.any(String)],
])('a list %s', async (_, check, otherwise, requirement) => {
  expect(await broken(check, otherwise)).toEqual([requirement]);
});

it('lists of records that others made are filtered, sorted and cut into pages', async () => {
  const upward = (path: string) => (path.includes('filter=') ? path.replace('sortdsc', 'sortasc') : path);
  expect(await broken('sort/field', { asks: upward }, 'smsprovider')).toEqual(['LST-SORT']);
  const refuses: Otherwise['refuses'] = ({ path }) => (path.includes('STARTSW.cfm') ? 400 : undefined);
  expect(await broken('survey/filters', { refuses }, 'smsprovider')).toEqual([]);
});

it('a list in XML shows names that read like numbers as they are', async () => {
  const asNumber: Otherwise['shows'] = (path, body) =>
    path.startsWith('/ers/config/sgt?') && body.startsWith('<') ? body.replace(/name="0+(\d+)"/g, 'name="$1"') : body;
  expect(await broken('xml/list', { shows: asNumber }, 'sgt', 'warn')).toEqual(['LIST-GET']);
  expect(await broken('xml/list', {}, 'sgt', 'warn')).toEqual([]);
});

it('a sound deployment breaks none of these', async () => {
  for (const check of ['xml/list-queries', 'query/order', 'paging/long-list', 'paging/next-keeps-filters'])
    expect(await broken(check, {})).toEqual([]);
});

it('a read by the beginning of a name is not answered with the record of that name', async () => {
  const asks: Otherwise['asks'] = (path) => path.replace(/(node\/name\/ise-node-)$/, (begin) => `${begin}1`);
  const options = { mode: 'read-only', families: ['node'] } as const;
  const { failed } = await runBehind({ asks }, options, { catalog: namedChecks });
  expect(failed.map(({ checkId }) => checkId)).toEqual(['node/by-name']);
});

it('tells a second record that a create in XML makes, though lists show no names', async () => {
  const twice = new Set<unknown>();
  const inXml = changing('codec', (inner) => ({
    decode: (name, op, text, format) => {
      const fields = inner.decode(name, op, text, format);
      if (op === 'create' && format === 'xml') twice.add(fields['sxpVpnName']);
      return fields;
    },
  }));
  const second = changing('store', (inner) => ({
    create: async (name, fields) => {
      const made = await inner.create(name, fields);
      if (twice.delete(fields['sxpVpnName']))
        await inner.create(name, { ...fields, sxpVpnName: `${fields['sxpVpnName']}_1` });
      return made;
    },
  }));
  const options = { visibilityMs: 100, families: ['sxpvpns'], checks: ['survey/'] };
  const { failed } = await quickRun({ deviations: [inXml, second] }, options);
  expect(failed.map(({ requirement }) => requirement)).toEqual(['OP-sxpvpns-C']);
  expect(failed[0]?.onlyIf).toContain('the create is sent in XML');
});
