import { expect, it } from 'vitest';
import { operationChecks } from '../../../conformance/checks/operations.ts';
import type { Otherwise } from '../../helpers/recording-proxy.ts';
import { runBehind } from '../../helpers/reference-run.ts';

/** Requests that are answered: the checks are under way by then. */
const LAST_GOOD = 330;

const runLost = (otherwise: Otherwise) =>
  runBehind(otherwise, { mode: 'own-data', seed: 1, visibilityMs: 60 }, { catalog: operationChecks });

const busy = (seconds: number, words: string) => ({ status: 503, words, headers: { 'Retry-After': String(seconds) } });

it('a server that goes into maintenance in mid-run ends it with one sentence, and accuses no family', async () => {
  let number = 0;
  const down = busy(3600, '<html><title>Maintenance</title><body>back at 06:00</body></html>');
  const { written, faults, passed } = await runLost({
    refuses: () => {
      number += 1;
      return number > LAST_GOOD ? down : undefined;
    },
  });
  const sentence = 'the target answers 503 "Maintenance back at 06:00" to every request; try again after 3600 s';
  expect(faults).toMatchObject([{ code: 'out-of-service', message: sentence }]);
  expect(written.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  expect(written.filter(({ reason }) => reason === sentence).length).toBeGreaterThan(10);
  expect(passed.length - LAST_GOOD).toBeLessThan(40);
});

it.each([500, 404])(
  'a server that answers %d to everything in mid-run is asked little more, and is accused of nothing',
  async (status) => {
    let number = 0;
    const { written, faults, passed } = await runLost({
      refuses: () => {
        number += 1;
        return number > LAST_GOOD
          ? { status, words: 'Database in recovery', headers: { 'Retry-After': '3600' } }
          : undefined;
      },
    });
    const sentence = `the target answers ${status} "Database in recovery" to every request; try again after 3600 s`;
    expect(faults).toMatchObject([{ code: 'out-of-service', message: sentence }]);
    expect(written.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    expect(written.filter(({ reason }) => reason === sentence).length).toBeGreaterThan(5);
    expect(passed.length - LAST_GOOD).toBeLessThan(100);
  },
);

it('creates that one family turns away for minutes stop no other, and the sentence names them', async () => {
  const { written, faults } = await runLost({
    refuses: ({ method, path }) =>
      method === 'POST' && path.startsWith('/ers/config/hotspotportal') ? busy(120, 'Builder busy') : undefined,
  });
  const open = written.filter(({ verdict }) => verdict === 'blocked' || verdict === 'inconclusive');
  expect(faults).toEqual([]);
  expect([...new Set(open.map(({ family }) => family))]).toEqual(['hotspotportal']);
  expect(open[0]?.reason).toContain(
    'POST /ers/config/hotspotportal answered 503 "Builder busy"; try again after 120 s',
  );
});
