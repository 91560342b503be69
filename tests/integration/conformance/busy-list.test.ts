import { describe, expect, it } from 'vitest';
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

describe('a header on a list', () => {
  it('is not blamed for what others change all the time', async () => {
    expect(await verdictsOn((nth) => `r${nth}`)).toEqual(['inconclusive']);
  });

  it('is not blamed for a change since the first answer', async () => {
    expect(await verdictsOn((nth) => (nth < 8 ? `r${nth}` : 'settled'))).toEqual(['pass']);
  });

  it('is blamed for other records if the answers around it are alike', async () => {
    expect(await verdictsOn((_nth, hasToken) => (hasToken ? 'other' : 'one'))).toEqual(['fail']);
  });
});
