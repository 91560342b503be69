import { expect, it } from 'vitest';
import { operationChecks } from '../../../conformance/checks/operations.ts';
import type { Otherwise } from '../../helpers/recording-proxy.ts';
import { runBehind } from '../../helpers/reference-run.ts';

/** Requests that are answered: the checks are under way by then. */
const LAST_GOOD = 310;

const runLost = (otherwise: Otherwise) =>
  runBehind(otherwise, { mode: 'own-data', seed: 1, visibilityMs: 60 }, { catalog: operationChecks });

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
    { mode: 'own-data', seed: 1, visibilityMs: 60, depth: 'quick', families: ['portaltheme'], checks: ['record/'] },
    {},
  );
  const verdicts = new Set(written.map(({ verdict }) => verdict));
  expect([faults, verdicts.has('pass'), verdicts.has('error'), verdicts.has('fail')]).toEqual([[], true, true, false]);
  expect(written.filter(({ reason }) => reason?.includes('stopped answering'))).toEqual([]);
});
