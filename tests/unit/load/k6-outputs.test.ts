import { describe, expect, it } from 'vitest';
import { checkOutputs, k6Arguments, k6Environment } from '../../../load/k6/command.ts';
import { aSpec } from '../../helpers/k6-run.ts';

const outs = (args: readonly string[]) => args.filter((_, at) => args[at - 1] === '--out');

it('the environment of k6 keeps proxies, takes the authority, and drops settings of k6', () => {
  const spec = aSpec('https://target.example', { caFile: '/etc/ca.pem' });
  const env = k6Environment(spec, { HTTPS_PROXY: 'http://proxy:3128', K6_VUS: '1', K6_OUT: 'json=x', K6_RPS: '5' });
  expect(env).toMatchObject({ HTTPS_PROXY: 'http://proxy:3128', SSL_CERT_FILE: '/etc/ca.pem' });
  expect(Object.keys(env).filter((name) => ['K6_VUS', 'K6_OUT', 'K6_RPS'].includes(name))).toEqual([]);
});

describe('further outputs of k6', () => {
  it('come beside the samples on standard output, with tags of few values', () => {
    const k6Tags = { profile: '60k', operation: 'apply-by-mac', run_id: 'r1' };
    const spec = aSpec('http://127.0.0.1:1', { k6Outputs: ['experimental-prometheus-rw', 'json=a,b.gz'], k6Tags });
    const args = k6Arguments(spec, 'bundle.js');
    expect(outs(args)).toEqual(['csv=-', 'experimental-prometheus-rw', 'json=a,b.gz']);
    const tags = Object.entries(k6Tags).map(([name, value]) => `--tag=${name}=${value}`);
    expect(args.filter((arg) => arg.startsWith('--tag='))).toEqual(tags);
    expect(k6Arguments(aSpec('http://127.0.0.1:1', { k6Tags }), 'bundle.js').join()).not.toContain('--tag');
  });

  it('take their own settings from the environment, and no setting that changes the measurement', () => {
    const env = { K6_PROMETHEUS_RW_SERVER_URL: 'http://p', K6_VUS: '1', K6_CSV_TIME_FORMAT: 'unix' };
    const given = k6Environment(aSpec('http://127.0.0.1:1', { k6Outputs: ['experimental-prometheus-rw'] }), env);
    expect(given['K6_PROMETHEUS_RW_SERVER_URL']).toBe('http://p');
    expect([given['K6_VUS'], given['K6_CSV_TIME_FORMAT']]).toEqual([undefined, 'unix_micro']);
    expect(k6Environment(aSpec('http://127.0.0.1:1'), env)['K6_PROMETHEUS_RW_SERVER_URL']).toBeUndefined();
  });

  it.each(['csv', 'json', 'csv=-', 'json=-', 'json=/dev/stdout', 'csv=', ''])(
    'refuses %j, which would mix with the samples',
    (output) => {
      expect(() => checkOutputs([output])).toThrow(/standard output/);
    },
  );

  it('refuses a login in a URL', () => {
    for (const url of ['http://me:secret@influx:8086/k6', 'http://influx:8086/k6?p=secret', 'https://x/#auth'])
      expect(() => checkOutputs([`influxdb=${url}`])).toThrow(/has user information or a query/);
  });
});
