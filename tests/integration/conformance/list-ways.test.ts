import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { recordChecks } from '../../../conformance/checks/record/checks.ts';
import type { Otherwise } from '../../helpers/recording-proxy.ts';
import { runBehind } from '../../helpers/reference-run.ts';

/** Requirements that a check of lists finds broken on a deployment that does otherwise. */
async function broken(check: string, otherwise: Otherwise): Promise<readonly string[]> {
  const ids = ['record/create', 'list/envelope', check];
  const catalog = [...recordChecks, ...listChecks].filter(({ id }) => ids.includes(id));
  const options = { mode: 'own-data', seed: 1, families: ['sxpvpns'] } as const;
  const { results } = await runBehind(otherwise, options, { catalog });
  return results.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement);
}

const isList = (path: string) => path.startsWith('/ers/config/sxpvpns?');
/** The address without the parameters that begin so. */
const without = (path: string, beginning: string) =>
  path.replace(/(?<=[?&])[^&]*&?/g, (pair) => (pair.startsWith(beginning) ? '' : pair));

describe.concurrent('a list that is asked for in another way', () => {
  it('in XML is filtered', async () => {
    const asks: Otherwise['asks'] = (path, { accept }) =>
      isList(path) && accept?.includes('xml') === true ? without(path, 'filter=name.NEQ.') : path;
    expect(await broken('xml/list-queries', { asks })).toEqual(['FOP-NEQ']);
  });

  it('in XML names its next page', async () => {
    const shows = (_: string, body: string) =>
      body.startsWith('<')
        ? body.replace(/<(\w+:)?nextPage[^>]*\/>|<(\w+:)?nextPage[\s\S]*?<\/(\w+:)?nextPage>/, '')
        : body;
    expect(await broken('xml/list-queries', { shows })).toEqual(['LST-NEXT']);
  });

  it('with its size before its filters is filtered', async () => {
    const asks = (path: string) =>
      isList(path) && /\?(page|size)=.*filter=/.test(path) ? without(path, 'filter=') : path;
    expect(await broken('query/order', { asks })).toHaveLength(1);
  });
});

describe.concurrent('a list of more than 100 records', () => {
  it('goes on behind the hundredth', async () => {
    const shows = (path: string, body: string) =>
      isList(path) && body.startsWith('{') && /size=100(&|$)/.test(path)
        ? body.replace(/,?"nextPage":\{[^}]*\}/, '')
        : body;
    expect(await broken('paging/long-list', { shows })).toEqual(['LST-NEXT']);
  });

  it('has links that encode what the filter holds', async () => {
    const shows = (path: string, body: string) =>
      isList(path) && body.startsWith('{')
        ? body.replace(/"nextPage":\{[^}]*\}/, (link) => link.replaceAll('%2B', '+'))
        : body;
    expect(await broken('paging/long-list', { shows })).toHaveLength(1);
  });
});

it('a sound deployment breaks none of these', async () => {
  for (const check of ['xml/list-queries', 'query/order', 'paging/long-list', 'sort/pages'])
    expect(await broken(check, {})).toEqual([]);
});
