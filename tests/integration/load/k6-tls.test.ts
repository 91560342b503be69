import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderOfTests } from '../../helpers/folder.ts';
import { aSpec, runCellOf } from '../../helpers/k6-run.ts';
import { ownCertificate } from '../../helpers/own-certificate.ts';
import { type StubTarget, stubTarget } from '../../helpers/stub-target.ts';

const folder = folderOfTests();
let target: StubTarget;
let caFile = '';

beforeAll(async () => {
  const own = await ownCertificate(folder);
  caFile = own.caFile;
  target = await stubTarget((_request, response) => response.writeHead(204).end(), own);
}, 120_000);
afterAll(() => target.close());

const short = { durationSeconds: 1, ratePerSecond: 50, connections: 10 };

describe('a target with a certificate of a private authority', () => {
  it('is refused by k6 without that authority', async () => {
    const { failures, counts } = await runCellOf(aSpec(target.baseUrl, short));
    expect(failures).toMatchObject([{ kind: 'transport', count: counts.started }]);
    expect(failures[0]?.example).toMatch(/certificate|x509/);
  });

  it('is accepted with its certificate file, and with the flag that accepts any', async () => {
    expect((await runCellOf(aSpec(target.baseUrl, { ...short, caFile }))).failures).toEqual([]);
    expect((await runCellOf(aSpec(target.baseUrl, { ...short, insecure: true }))).failures).toEqual([]);
  });
});
