/** What is followed over time; `up`: a larger value is better. */
export const METRICS = {
  achieved: { title: 'achieved rate', unit: '/s', up: true },
  p50: { title: 'service p50', unit: ' ms', up: false },
  p99: { title: 'service p99', unit: ' ms', up: false },
  responseP99: { title: 'response p99', unit: ' ms', up: false },
  headroom: { title: 'headroom', unit: ' ×', up: true },
} as const;
export type Metric = keyof typeof METRICS;
