import { expect, it } from 'vitest';
import { checks } from '../../../conformance/catalog.ts';
import { operationChecks } from '../../../conformance/checks/operations.ts';
import { pairChecks } from '../../../conformance/checks/pairs.ts';
import { viewChecks } from '../../../conformance/checks/view.ts';
import type { ConformanceOptions } from '../../../conformance/engine/run.ts';
import type { RunAgainst } from '../../helpers/conformance-run.ts';
import type { Otherwise } from '../../helpers/recording-proxy.ts';
import { runBehind } from '../../helpers/reference-run.ts';
import { oneIn } from '../../helpers/sample.ts';

const served = checks.filter(({ id }) => id === 'list/served');

/** Results of operations, lists and views against a deployment behind a proxy that does something else. */
const resultsBehind = (otherwise: Otherwise, more: Partial<RunAgainst & ConformanceOptions> = {}) =>
  runBehind(
    otherwise,
    { depth: 'normal', ...more },
    { catalog: [...served, ...operationChecks, ...viewChecks], ...more },
  );

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

it('a create that is answered 500 and makes its record is the one thing that fails', async () => {
  let creates = 0;
  const says = ({ method }: { readonly method: string }, status: number) => {
    if (method !== 'POST' || status !== 201) return status;
    creates += 1;
    return creates % 7 === 0 ? 500 : status;
  };
  const { failed } = await runBehind({ says }, { families: ['sgt'] }, { catalog: pairChecks });
  expect(failed.map(({ failure, observed }) => ({ ...failure, observed }))).toMatchObject([
    {
      ...{ kind: 'no-effect', operation: 'create', subject: 'refusal status' },
      observed: expect.stringMatching(/^POST .* answered 500.*, and the record /),
    },
  ]);
});

/** Requests that are answered: the checks are under way by then. */
const LAST_GOOD = 310;

const runLost = (otherwise: Otherwise) => runBehind(otherwise, { depth: 'normal' }, { catalog: operationChecks });

const refusal = (status: number, words: string, seconds = 3600) => ({
  ...{ status, words, headers: { 'Retry-After': String(seconds) } },
});

it.each([
  [503, '<html><title>Maintenance</title><body>back at 06:00</body></html>', 'Maintenance back at 06:00', 40],
  [500, 'Database in recovery', 'Database in recovery', 100],
  [404, 'Database in recovery', 'Database in recovery', 100],
])(
  'a server that answers %d to everything in mid-run ends it with one sentence, is asked little more, and is accused of nothing',
  async (status, words, told, most) => {
    let number = 0;
    const { written, faults, passed } = await runLost({
      refuses: () => {
        number += 1;
        return number > LAST_GOOD ? refusal(status, words) : undefined;
      },
    });
    const sentence = `the target answers ${status} "${told}" to every request; try again after 3600 s`;
    expect(faults).toMatchObject([{ code: 'out-of-service', message: sentence }]);
    expect(written.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    expect(written.filter(({ reason }) => reason === sentence).length).toBeGreaterThan(5);
    expect(passed.length - LAST_GOOD).toBeLessThan(most);
  },
);

it('creates that one family turns away for minutes stop no other, and the sentence names them', async () => {
  const { written, faults } = await runLost({
    refuses: ({ method, path }) =>
      method === 'POST' && path.startsWith('/ers/config/hotspotportal') ? refusal(503, 'Builder busy', 120) : undefined,
  });
  const open = written.filter(({ verdict }) => verdict === 'blocked' || verdict === 'inconclusive');
  expect(faults).toEqual([]);
  expect([...new Set(open.map(({ family }) => family))]).toEqual(['hotspotportal']);
  expect(open[0]?.reason).toContain(
    'POST /ers/config/hotspotportal answered 503 "Builder busy"; try again after 120 s',
  );
});

it('a firewall that cuts off some texts is no target that stopped answering', async () => {
  const { written, faults } = await runBehind(
    { refuses: ({ method, body }) => (method !== 'GET' && /[^ -~]|['<;*]|\\u/.test(body) ? 0 : undefined) },
    { families: ['portaltheme'], checks: ['record/'] },
  );
  const verdicts = new Set(written.map(({ verdict }) => verdict));
  expect([faults, verdicts.has('pass'), verdicts.has('error'), verdicts.has('fail')]).toEqual([[], true, true, false]);
  expect(written.filter(({ reason }) => reason?.includes('stopped answering'))).toEqual([]);
});
