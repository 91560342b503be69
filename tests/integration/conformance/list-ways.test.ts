import { describe, expect, it } from 'vitest';
import { listChecks } from '../../../conformance/checks/list/checks.ts';
import { recordChecks } from '../../../conformance/checks/record/checks.ts';
import { startReference } from '../../../reference/server.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { type Otherwise, recordingProxy } from '../../helpers/recording-proxy.ts';

/** Requirements that a check of lists finds broken on a deployment that does otherwise. */
async function broken(check: string, otherwise: Otherwise): Promise<readonly string[]> {
  const server = await startReference({ sessions: 10 });
  const proxy = await recordingProxy(server.baseUrl, undefined, otherwise);
  const credentials = { username: server.username, password: server.password };
  const catalog = [...recordChecks, ...listChecks].filter(({ id }) =>
    ['record/create', 'list/envelope', check].includes(id),
  );
  try {
    const { results } = await runAgainst(
      { baseUrl: proxy.baseUrl, credentials, catalog },
      { mode: 'own-data', seed: 1, families: ['sxpvpns'] },
    );
    return results.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement);
  } finally {
    await proxy.close();
    await server.close();
  }
}

const isList = (path: string) => path.startsWith('/ers/config/sxpvpns?');
const pairsOf = (path: string) => path.slice(path.indexOf('?') + 1).split('&');

describe.concurrent('a list that is asked for in another way', () => {
  it('in XML is filtered', async () => {
    const asks: Otherwise['asks'] = (path, { accept }) =>
      isList(path) && accept?.includes('xml') === true
        ? `/ers/config/sxpvpns?${pairsOf(path)
            .filter((pair) => !pair.startsWith('filter=name.NEQ.'))
            .join('&')}`
        : path;
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
      isList(path) && /\?(page|size)=.*filter=/.test(path)
        ? `/ers/config/sxpvpns?${pairsOf(path)
            .filter((pair) => !pair.startsWith('filter='))
            .join('&')}`
        : path;
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
