// What somebody would write by hand for the same PUT: the harness is measured against this.
import { b64encode } from 'k6/encoding';
import exec from 'k6/execution';
import http from 'k6/http';

const { BENCH_URL, BENCH_RATE, BENCH_SECONDS, BENCH_CONNECTIONS } = __ENV;
const headers = {
  Accept: 'application/json',
  'Content-Type': 'application/json',
  Authorization: `Basic ${b64encode('bench:bench')}`,
};

export const options = {
  scenarios: {
    put: {
      executor: 'constant-arrival-rate',
      rate: Number(BENCH_RATE),
      timeUnit: '1s',
      duration: `${BENCH_SECONDS}s`,
      preAllocatedVUs: Number(BENCH_CONNECTIONS),
      maxVUs: Number(BENCH_CONNECTIONS),
    },
  },
  noCookiesReset: true,
  // k6 ends with 99 where one arrival was dropped.
  thresholds: { dropped_iterations: ['count<1'] },
};

// biome-ignore lint/style/noDefaultExport: k6 runs the default export
export default function put() {
  const hex = exec.scenario.iterationInTest.toString(16).padStart(6, '0').toUpperCase();
  const macAddress = `02:00:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}`;
  const additionalData = [
    { name: 'macAddress', value: macAddress },
    { name: 'policyName', value: 'Bench' },
  ];
  http.put(
    `${BENCH_URL}/ers/config/ancendpoint/apply`,
    JSON.stringify({ OperationAdditionalData: { additionalData } }),
    { headers, redirects: 0, timeout: 2000, tags: { name: 'anc' } },
  );
}
