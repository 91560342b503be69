import { describe, expect, it } from 'vitest';
import { checkOutputs, k6Arguments, k6Environment } from '../../../../load/k6/command.ts';
import { abortWatch, DEFAULT_ABORT, type EndingCounts } from '../../../../load/plan/abort-rules.ts';
import { aSpec } from '../../../helpers/k6-run.ts';

const NONE: EndingCounts = { ended: 0, unserved: 0, unauthorized: 0, forbidden: 0, serverErrors: 0, refused: 0 };

const COUNTED = ['ended', 'unserved', 'serverErrors', 'refused'] as const;

/** Feeds one look a second, each with these transactions more, and gives the second and rule of the stop. */
function secondsOf(more: (second: number) => Partial<EndingCounts>, p99Ms: (second: number) => number, limit: object) {
  const watch = abortWatch({ ...DEFAULT_ABORT, ...limit });
  let counts = NONE;
  for (let second = 0; second < 30; second += 1) {
    const add = more(second);
    const sums = COUNTED.map((key) => [key, (counts[key] ?? 0) + (add[key] ?? 0)]);
    counts = { ...counts, ...Object.fromEntries(sums) };
    const stop = watch.second(second * 1000, counts, p99Ms(second));
    if (stop !== undefined) return `${stop.rule} at ${second} s`;
  }
  return 'not stopped';
}

describe('the rules that stop a cell', () => {
  it.each<[string | undefined, Partial<EndingCounts>]>([
    [undefined, { ended: 100 }],
    ['refused-login', { ended: 101, unauthorized: 1 }],
    [undefined, { forbidden: 2 }],
    ['forbidden', { forbidden: 3 }],
  ])('say %s of %j', (rule, counts) => {
    expect(abortWatch(DEFAULT_ABORT).counts({ ...NONE, ...counts })?.rule).toBe(rule);
  });

  const errors =
    (of: (second: number) => number, ended = 100) =>
    (s: number) => ({ ended, serverErrors: of(s) });
  const [few, short] = [() => ({ ended: 9 }), { short: { fromMs: 2000, lastsMs: 5000 } }];
  const lost = (second: number) => ({ ended: 100, unserved: second === 1 || second === 9 ? 1 : 0 });
  type Given = [more: (second: number) => Partial<EndingCounts>, p99Ms?: (second: number) => number, limit?: object];
  it.each<[string, string, ...Given]>([
    ['stop when more than half of five seconds is answered 5xx', 'server-errors at 5 s', errors(() => 6, 10)],
    ['do not stop at half of them', 'not stopped', errors(() => 5, 10)],
    ['look at the last five seconds', 'server-errors at 22 s', errors((second) => (second < 20 ? 0 : 100))],
    ['do not stop for a short burst', 'not stopped', errors((s) => (s === 9 || s === 10 ? 100 : 0))],
    ['do not judge a handful of transactions', 'not stopped', errors(() => 1, 1)],
    ['stop when connections are refused', 'refused-connections at 5 s', () => ({ ended: 10, refused: 10 })],
    // A cell that is to hold its rate; what was lost at its begin does not count.
    ['stop so long after the first lost arrival', 'did-not-hold at 14 s', lost, () => 1, short],
    ['stop when the p99 stays above the limit given', 'p99 at 5 s', few, () => 900, { p99Ms: 500 }],
    ['do not stop below it', 'not stopped', few, (second) => (second % 4 === 0 ? 100 : 900), { p99Ms: 500 }],
    ['have no limit on p99 unless one is given', 'not stopped', few, () => 90_000],
  ])('%s', (_name, expected, more, p99Ms = () => 1, limit = {}) => {
    expect(secondsOf(more, p99Ms, limit)).toBe(expected);
  });
});

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
