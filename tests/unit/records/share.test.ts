import { describe, expect, it } from 'vitest';
import { TargetSpec } from '../../../lib/client/target-spec.ts';
import { recordedOptions } from '../../../lib/option.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import { shareable } from '../../../lib/records/share/shareable.ts';
import { renderReport } from '../../../reports/render-run.ts';
import { entry } from '../../helpers/a-baseline.ts';
import { aMixedReport, aMixedRun } from '../../helpers/a-report.ts';
import { aCatalogue, aHeader, anEnd, anExchange, aResult, given } from '../../helpers/a-run.ts';

const KEY = new Uint8Array(32).fill(7);
const MAC = '02:00:5e:a1:b2:c3';
const MACS = [
  ...[MAC, MAC.toUpperCase(), '02-00-5E-A1-B2-C3', '0200.5ea1.b2c3', '0200-5ea1-b2c3', '02.00.5e.a1.b2.c3'],
  ...['02%3A00%3A5E%3AA1%3AB2%3AC3', '02%253a00%253a5e%253aa1%253ab2%253ac3', '02005ea1b2c3', '02005EA1B2C3'],
];
/** Known by nothing but the member that names it. */
const LONE = '0a1b2c3d4e5f';
const IPS = ['10.71.3.9', '2001:db8:71::9', '2001%3Adb8%3A71%3A%3A9', '2001:0DB8:71:0:0:0:0:9'];
const ACME = ['ise01.corp.acme.test', 'psn-7.corp.acme.test', 'pan.acme.test'];
const HOSTS = [...ACME, 'ISE01', 'tracker.intern', 'radius-hub'];

const catalogue = aCatalogue();
const [reading, ...others] = catalogue.operations ?? [];
const named = { name: 'readByName', code: 'RN', method: 'GET', path: '/name/{name}', mutates: false };
const [alpha, beta] = catalogue.families;

/** A run in which each address and name stands in every place that a report shows. */
function canaryRun(): RunRecords {
  const command = `clear ${MAC} on https://ise01.corp.acme.test`;
  const all = [...MACS, ...IPS, ...HOSTS].join(' ');
  const run = aMixedRun();
  if (alpha === undefined || beta === undefined || reading === undefined) throw new Error('no family');
  return {
    ...run,
    header: aHeader({
      ...run.header,
      target: { baseUrl: 'https://ise01.corp.acme.test:9060', embedded: false, insecure: false },
      options: {
        ...run.header.options,
        ...given({ endpoints: `${MAC}+60000@10.71.3.9` }),
        ...recordedOptions(TargetSpec, { ca: '/etc/ise01/ca.pem' }),
      },
    }),
    catalogue: {
      ...catalogue,
      operations: [reading, ...others, named],
      families: [alpha, { ...beta, operations: [...beta.operations, 'readByName'] }],
    },
    dialect: { 'id.shape': { question: 'shape of ids', answer: { [MAC]: all }, evidence: ['x1'] } },
    results: [
      ...run.results,
      aResult({
        ...{ checkId: 'anc/applied', verdict: 'fail', expected: `a record of ${all}`, observed: all },
        reason: `connect ECONNREFUSED 10.71.3.9:9060, altnames: DNS:psn-7.corp.acme.test`,
        ...{ difference: { missing: MACS, extra: IPS }, observations: { [IPS[0] ?? '']: HOSTS } },
        evidence: ['x9', 'x10'],
      }),
    ],
    exchanges: [
      ...run.exchanges,
      anExchange({
        id: 'x9',
        path: `/ers/config/alpha?filter=name.EQ.${MACS[6]}&filter=macAddress.CONTAINS.5e%3Aa1&filter=name.ENDSW.5e%3Aa1%3Ab2%3Ac3&page=%2010.71.3.9&next=https%3A%2F%2Fvip.other.test%2Fers`,
        requestHeaders: [['Host', 'ise01.corp.acme.test:9060']],
        requestBody: `{"additionalData":[{"name":"macAddress","value":"${LONE.toUpperCase()}"}]}`,
        responseHeaders: [['Location', 'https://10.71.3.9:9060/ers/config/alpha/1']],
        responseBody: `{"fqdn":"pan.acme.test","url":"https:\\/\\/tracker.intern\\/x","text":"\\nISE01 ${all}","id":"0ae30cf0-9bb2-11e8-bac7-02005ea1b2c3","other":"${LONE}"}`,
      }),
      anExchange({ id: 'x10', family: 'beta', responseBody: '{"Beta":{"name":"radius-hub"}}' }),
    ],
    end: anEnd({
      faults: [{ kind: 'target', code: 'unreachable', message: `getaddrinfo ENOTFOUND ise01.corp.acme.test ${all}` }],
      cleanup: { created: 2, removed: 1, residue: [{ family: 'alpha', id: MAC, name: MACS[2] ?? '', command }] },
    }),
    baseline: {
      file: '/home/ise01/expected.yaml',
      entries: [entry({ check: 'anc/applied', reason: all, link: 'https://tracker.intern/ISE-1' })],
    },
  };
}

function rendered() {
  const records = canaryRun();
  const report = aMixedReport(records);
  const shown = shareable({ report, exchanges: records.exchanges }, KEY);
  return { report, shown, files: renderReport(shown.report, shown.exchanges) };
}

/** A text as any of the files may hold it: escaped for JSON, XML and Markdown, or percent encoded. */
const plain = (text: string) =>
  decodeURIComponentSafe(text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))).toLowerCase();
const decodeURIComponentSafe = (text: string) =>
  text
    .replace(/%25/g, '%')
    .replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

describe('a report that is made to be shared', () => {
  const { report, shown, files } = rendered();
  const fragments = ['acme.test', '5e:a1', '5e:a1:b2:c3', 'vip.other.test'];
  const canaries = [...MACS, LONE, LONE.toUpperCase(), ...IPS, ...HOSTS, ...fragments].map(plain);

  it('holds no address and no host name in any file, in any spelling', () => {
    const whole = renderReport(report, canaryRun().exchanges);
    const planted = plain(whole.map(({ content }) => content).join());
    for (const canary of canaries) expect(planted.includes(canary), `${canary} is planted`).toBe(true);
    for (const { name, content } of files) {
      const text = plain(content);
      for (const canary of canaries) expect(text.includes(canary), `${canary} in ${name}`).toBe(false);
    }
  });

  it('gives one value one pseudonym in every spelling, and another with another key', () => {
    const observed = shown.report.conformance?.results.find(({ checkId }) => checkId === 'anc/applied');
    const macs = new Set(observed?.difference?.missing);
    expect(macs.size).toBe(1);
    expect([...macs][0]).toMatch(/^mac-[0-9a-f]{10}$/);
    expect(new Set(observed?.difference?.extra).size).toBe(2);
    expect(shown.report.run.target.baseUrl).toMatch(/^https:\/\/host-[0-9a-f]{10}:9060$/);
    const other = shareable({ report, exchanges: [] }, new Uint8Array(32).fill(8));
    expect(other.report.cleanup.residue[0]?.id).not.toBe(shown.report.cleanup.residue[0]?.id);
  });

  /** What becomes of a text in the fault that ended a run. */
  const shared = (message: string) => {
    const records = { ...canaryRun(), end: anEnd({ faults: [{ kind: 'target', code: 'x', message }] }) };
    return shareable({ report: aMixedReport(records), exchanges: [] }, KEY).report.end?.faults[0]?.message;
  };

  it('leaves dates, versions, ids and plain words alone', () => {
    const said =
      'std::vector at 2026-01-31T02:00:01.000Z, 13:54:56, 3.1.1, ise-like, 3.1.0.518, 1:2, 00000000-0000-4000-8000-000000000000, 202601310200, 1f0e2d3c-4b5a-4978-8695-a4b3c2d1e0f9, sgt=6:fdf9b071c442';
    expect(shared(said)).toBe(said);
  });

  it.each([
    'at psn-3.branch.elsewhere.example it failed',
    'MAC 02 00 5e a1 b2 c3 answered',
    ...['elsewhere 0AE1B2C3D4E5', 'value%3D0ae1b2c3d4e5', '(0ae1b2-c3d4e5)', '0ae1-b2c3-d4e5 is gone'],
    'host ip-10-77-66-61 is down',
    'node psn-3&#46;branch&#46;elsewhere&#46;example',
  ])('finds names and addresses in free text: %s', (said) => {
    expect(shared(said)).not.toMatch(/elsewhere\.|5e a1|77-66|&#46;|d4e5/i);
  });

  it('comes to an end with answers that are made to be long to read', () => {
    const pieces = ['y', '0', ':', 'a.', 'ab:', '1.', '://', 'http', '"name":"', '<a:', 'mac', 'mac.', '%3A', '-'];
    const exchanges = pieces.map((piece) => anExchange({ responseBody: piece.repeat(400_000 / piece.length) }));
    expect(shareable({ report, exchanges }, KEY).exchanges).toHaveLength(pieces.length);
  });
});
