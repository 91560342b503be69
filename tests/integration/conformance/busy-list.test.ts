import { expect, it } from 'vitest';
import { headerChecks } from '../../../conformance/checks/headers.ts';
import { runAgainst } from '../../helpers/conformance-run.ts';
import { stubTarget } from '../../helpers/stub-target.ts';

/** Verdicts on the header X-CSRF-TOKEN of lists, on a target whose nth list holds the record that `shows` names. */
async function verdictsOn(shows: (nth: number, hasToken: boolean) => string) {
  let lists = 0;
  const target = await stubTarget(({ url, headers }, response) => {
    const id = /telemetryinfo\/(\w+)/.exec(url)?.[1];
    if (id === undefined) lists += 1;
    const name = id ?? shows(lists, headers['x-csrf-token'] !== undefined);
    const link = { rel: 'self', href: `http://${headers.host}/ers/config/telemetryinfo/${name}` };
    const body =
      id === undefined
        ? { SearchResult: { total: 1, resources: [{ id: name, name, description: name, link }] } }
        : { TelemetryInfo: { id, name, description: name, link } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { results } = await runAgainst(
    { baseUrl: target.baseUrl, catalog: headerChecks },
    { mode: 'read-only', seed: 1, families: ['telemetryinfo'] },
  );
  await target.close();
  return results.filter(({ variant }) => variant === 'list.csrfToken').map(({ verdict }) => verdict);
}

it.each<[string, verdict: string, Parameters<typeof verdictsOn>[0]]>([
  ['is not blamed for what others change all the time', 'inconclusive', (nth) => `r${nth}`],
  ['is not blamed for a change since the first answer', 'pass', (nth) => (nth < 8 ? `r${nth}` : 'settled')],
  ['is blamed for other records if the answers around it are alike', 'fail', (_, has) => (has ? 'other' : 'one')],
])('a header on a list %s', async (_, verdict, shows) => {
  expect(await verdictsOn(shows)).toEqual([verdict]);
});
