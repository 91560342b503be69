import { expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { operationChecks } from '../../../conformance/checks/operations.ts';
import { viewChecks } from '../../../conformance/checks/view.ts';
import type { ConformanceOptions } from '../../../conformance/engine/run.ts';
import type { RunAgainst } from '../../helpers/conformance-run.ts';
import type { Otherwise } from '../../helpers/recording-proxy.ts';
import { runBehind } from '../../helpers/reference-run.ts';
import { oneIn } from '../../helpers/sample.ts';

/** Results of operations and views against a deployment behind a proxy that does something else. */
async function resultsBehind(otherwise: Otherwise, more: Partial<RunAgainst & ConformanceOptions> = {}) {
  const options = { mode: 'own-data' as const, seed: 1, visibilityMs: 60, ...more };
  const { written, faults } = await runBehind(otherwise, options, {
    catalog: [...operationChecks, ...viewChecks],
    ...more,
  });
  return { written, faults, failed: written.filter(({ verdict }) => verdict === 'fail') };
}

const isTheme = (path: string) => /^\/ers\/config\/portaltheme\/[^/?]+$/.test(path);

it('a connection that breaks at one address leaves the other families tested', async () => {
  const refuses = ({ path }: { readonly path: string }) => (path.startsWith('/ers/config/smsprovider') ? 0 : undefined);
  const { written, faults, failed } = await resultsBehind({ refuses });
  const open = written.filter(({ verdict }) => verdict === 'blocked');
  expect([faults, failed]).toEqual([[], []]);
  expect(new Set(open.map(({ family }) => family))).toEqual(new Set(['smsprovider']));
  expect(open[0]?.reason).toContain('no answer to GET /ers/config/smsprovider');
});

it('a create that is refused in one family accuses no other', async () => {
  const refuses = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method === 'POST' && path.startsWith('/ers/config/hotspotportal') ? 415 : undefined;
  const { failed } = await resultsBehind({ refuses });
  expect(failed.map(({ family, requirement }) => `${family} ${requirement}`)).toEqual([
    'hotspotportal OP-hotspotportal-C',
  ]);
});

it.each(
  oneIn(3, [
    ['updates are refused', { refuses: ({ method, path }) => (method === 'PUT' && isTheme(path) ? 500 : undefined) }],
    ['reads are refused', { refuses: ({ method, path }) => (method === 'GET' && isTheme(path) ? 404 : undefined) }],
    ['texts lose signs', { shows: (path, body) => (isTheme(path) ? body.replace(/[\u0080-\uffff]/g, '?') : body) }],
  ] satisfies [string, Otherwise][]),
)('a family in which all %s accuses none of those that the checks use beside it', async (_, otherwise) => {
  const catalog = checks.filter(({ id }) => id.startsWith('survey/') || id === 'record/delete-siblings');
  const families = ['portaltheme', 'hotspotportal'];
  const { written, failed } = await resultsBehind(otherwise, { catalog, families, depth: 'quick' });
  expect(failed.filter(({ family }) => family !== 'portaltheme')).toEqual([]);
  expect(written.filter(({ verdict, family }) => verdict === 'error' && family !== 'portaltheme')).toEqual([]);
});

it('a list in XML that lacks its end is not well-formed, and fails', async () => {
  const shows = (_: string, body: string) => (body.startsWith('<?xml') ? body.replace(/<\/[^>]+>\s*$/, '') : body);
  const catalog = checks.filter(({ id }) => id === 'xml/list-queries');
  const { failed } = await resultsBehind({ shows }, { catalog, families: ['smsprovider'] });
  expect(failed.map(({ failure, observed }) => [failure?.subject, observed])).toEqual([
    ['body malformed', expect.stringContaining('Unclosed tag')],
  ]);
});
