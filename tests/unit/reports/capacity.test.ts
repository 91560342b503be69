import * as cheerio from 'cheerio';
import { describe, expect, it } from 'vitest';
import { capacityText, refusalsOf } from '../../../lib/judge/capacity/capacity-answer.ts';
import { judgeCell } from '../../../lib/judge/cell/judge-cell.ts';
import type { CapacityAnswer } from '../../../lib/records/load/capacity.ts';
import type { CellReport } from '../../../lib/records/load/load.ts';
import { millis } from '../../../lib/text.ts';
import { toSamples } from '../../../load/stream/samples.ts';
import { refusalSection } from '../../../reports/capacity/statement.ts';
import { renderHtml } from '../../../reports/html/page/page.tsx';
import { renderCapacity } from '../../../reports/render/capacity.tsx';
import { lineText } from '../../../reports/render/markdown-blocks.ts';
import { renderJunit } from '../../../reports/render/test-results.ts';
import { type ASearch, aCapacityReport, aMeasuredCapacity, SEARCHES } from '../../helpers/a-capacity-report.ts';
import { aCell } from '../../helpers/a-cell.ts';
import { ctrfOf } from '../../helpers/a-report.ts';
import { anEnd } from '../../helpers/a-run.ts';
import { k6Csv, type MadeArrival, readCsv } from '../../helpers/k6-csv.ts';

const [target, generator, below] = SEARCHES as readonly [ASearch, ASearch, ASearch];
const report = aCapacityReport();
const SLOW: ASearch = { profile: '60k', capacityPerSecond: 2, rates: [250, 5, 5] };
const WIDE: ASearch = { ...generator, generatorPerSecond: 9000, rates: [250, 500, 563, 563] };

describe('a run that searched for the capacity', () => {
  const late: ASearch = { profile: '60k', capacityPerSecond: 900, generatorPerSecond: 200, rates: [250, 125, 177] };
  it.each<[string, number, string, readonly ASearch[]]>([
    ['met', 0, 'the published rate is held', [target]],
    ['met', 0, 'it is held, and the generator was the limit', [generator]],
    ['violated', 1, 'one of three searches does not hold it', SEARCHES],
    ['invalid', 4, 'the generator could not offer it', [late]],
    ['invalid', 4, 'a search that was asked for left no step', [target, { ...below, rates: [] }]],
    ['not-tested', 3, 'no search left a step', [{ ...below, rates: [] }]],
  ])('is %s with exit %i if %s', (verdict, code, _why, searches) => {
    const { capacity, exit } = aCapacityReport(searches);
    expect([capacity?.verdict, exit.code]).toEqual([verdict, code]);
  });

  it.each<[RegExp, ASearch]>([
    [/^60k .* holds 1000\/s, .*not confirmed: 4.00 times .*; at 1050\/s offered, the target completed 1000\/s/, target],
    [/ at least 500\.0\/s, .*; 707\.0\/s was not measured validly: lag of 707; the generator was the limit/, generator],
    [/at least 563.*the pool has too few endpoints/, { ...WIDE, poolAllowsPerSecond: 563 }],
    [/at least 563.*no higher rate was offered$/, WIDE],
    [/ does not hold the published 250\/s: it holds 174.0\/s/, below],
    [/ does not hold the published 250\/s: no rate was shown to hold; at 5.0\/s offered, /, SLOW],
  ])('says %s', (sentence, search) => {
    const [answer] = aCapacityReport([search]).capacity?.answers ?? [];
    expect(answer && capacityText(answer).replace(/\u202f/g, '')).toMatch(sentence);
  });

  it('does not blame the generator for a step that an interruption ended', () => {
    const search = { ...generator, capacityPerSecond: 400, generatorPerSecond: 290, rates: [250, 270, 300] };
    const { capacity } = aCapacityReport([search], { end: anEnd({ signal: 'SIGINT' }) });
    expect(capacity?.answers[0]).toMatchObject({ heldPerSecond: 270, failedPerSecond: null, limit: 'end' });
    expect(capacity?.steps).toHaveLength(3);
  });
});

it('the capacity in the files of a run is a case of junit.xml and ctrf.json for each search, with the outcome of its verdict', () => {
  const xml = renderJunit(report);
  expect(xml).toContain('<testsuite name="capacity" tests="3" failures="1" errors="0"');
  expect(xml).toMatch(/name="500k apply-by-mac"[\s\S]*?<failure [^>]*message="500k [^"]* does not hold the published/);
  const { tests } = ctrfOf(report);
  expect(tests.map(({ name, status }) => `${name}: ${status}`)).toEqual([
    'capacity 60k apply-by-mac: passed',
    'capacity 200k apply-by-mac: passed',
    'capacity 500k apply-by-mac: failed',
  ]);
  expect(tests[1]?.labels).toMatchObject({ heldPerSecond: 500, headroom: 2, atLeast: true });
});

const htmlOf = (of: typeof report) => renderCapacity(of)[0]?.content ?? '';
const markdownOf = (of: typeof report) => renderCapacity(of)[1]?.content ?? '';

describe('the capacity statement', () => {
  const measured = aMeasuredCapacity();
  const { target: deployment } = measured.run;
  const on = (more: Partial<typeof deployment>) => ({
    ...measured,
    run: { ...measured.run, target: { ...deployment, ...more } },
  });

  it('answers eight questions of a change board, the same in HTML and in Markdown', () => {
    const $ = cheerio.load(htmlOf(measured));
    const asked = $('h2').map((_, title) => $(title).text());
    expect(asked).toHaveLength(8);
    expect([...markdownOf(measured).matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(asked.get());
  });

  it('links figures to cells that are in the report beside it', () => {
    const page = cheerio.load(renderHtml(measured, []));
    const links = cheerio.load(htmlOf(measured))('a[href^="../index.html#"]').toArray();
    const anchors = links.map((link) => (link.attribs['href'] ?? '').replace('../index.html#', ''));
    expect(anchors.length).toBeGreaterThan(5);
    expect(anchors.filter((id) => page(`[id="${id}"]`).length === 0)).toEqual([]);
  });

  it('doubts the population of a target, and not that of the embedded deployment', () => {
    const doubts = [/does not verify them/, /too few to speak/, /rests on used less than/];
    const isTold = (of: typeof report) => doubts.map((words) => words.test(markdownOf(of)));
    expect([isTold(measured), isTold(on({ embedded: true }))]).toEqual([Array(3).fill(true), Array(3).fill(false)]);
  });

  it('loads nothing, and shows text of the target as text', () => {
    const hostile = on({ baseUrl: 'https://x/<img src=1>' });
    expect(cheerio.load(htmlOf(hostile))('img, script, link, iframe').length).toBe(0);
    expect(markdownOf(hostile).replace(/```[\s\S]*?```/g, '')).not.toContain('<img');
  });
});

type ReadBack = Parameters<typeof aCell>[1] extends { readBack?: infer R } | undefined ? R : never;

/** A judged step at a rate, read from the rows that k6 would have written of its arrivals. */
function step(rate: number, arrivals: (tick: number) => MadeArrival, readBack: ReadBack = {}): CellReport {
  const periodUs = 1e6 / rate;
  const made = Array.from({ length: rate * 5 }, (_, tick) => arrivals(tick));
  const { table } = readCsv(k6Csv(made, periodUs), periodUs * 1000);
  const { samples, failures, counts } = toSamples(table, periodUs * 1000);
  const what = { id: `at-${rate}`, plan: { targetPerSecond: rate, connections: 100 } };
  const facts = { ...what, step: { number: rate, purpose: 'search' as const }, failures, readBack };
  return judgeCell(aCell(() => ({}), { ...facts, counts: { ...counts, exceptions: 0 } }).facts, samples);
}

const ok = (): MadeArrival => ({});
/** Twenty endpoints of refused transactions were looked at, of which so many were done all the same. */
const looked = (done: number) => ({ refused: [{ failure: 0, looked: 20, done }] });
const every = (share: number, failing: MadeArrival) => (tick: number) =>
  tick % Math.round(1 / share) === 0 ? failing : {};
/** All connections wait: the others of the arrivals are dropped. */
const waiting =
  (share: number) =>
  (tick: number): MadeArrival =>
    tick > 200 && tick % Math.round(1 / share) === 0 ? { dropped: true } : { serviceUs: tick > 200 ? 500_000 : 2000 };

const rowsOf = (steps: readonly CellReport[], held: number) => {
  const answer = { refusals: refusalsOf(steps, held) } as unknown as CapacityAnswer;
  const [table] = refusalSection(answer, 0, steps).blocks;
  return table?.kind === 'table' ? table.rows.map((row) => row.map(lineText).join(' | ')) : [];
};

const throttled: MadeArrival = { status: 429, code: 'retry-after', says: 'slow down', serviceUs: 1000 };
const at500 = (arrivals: (tick: number) => MadeArrival, readBack?: ReadBack) => step(500, arrivals, readBack);
const reset: MadeArrival = { status: 0, errorCode: '1220' };
const busy = { status: 503, code: 'other', says: 'busy', serviceUs: 4_000_000 };
const burst = (tick: number) => (tick >= 1500 && tick < 1600 ? { status: 503, code: 'other', says: '' } : {});
const lost = { sampled: 20, proven: 14, mismatches: ['02:00:00:00:00:01 holds nothing after the load'] };
const half = every(0.5, throttled);
const failed = every(0.5, { status: 500, code: 'other', says: 'failed' });
const later = at500(every(0.5, { ...throttled, retryAfter: '7' }));
const first = step(400, every(0.1, { ...throttled, retryAfter: '3' }));
const MORE = 'nothing is refused: answers come later and later, until every connection waits';
it.each<[row: string, ...steps: CellReport[]]>([
  // From the lowest rate at which it came.
  ['429, body JSON: "slow down" | 400.0 | 50 % | 1.00 ms | 7 s | not looked at', step(250, ok), later, first],
  ['429, body JSON: "slow down" | 500.0 | 50 % | 1.00 ms | none | 0 of 20 looked at', at500(half, looked(0))],
  ['503, body empty | 500.0 | 5.0 % | 2.00 ms | none | not looked at', at500(burst)],
  ['connection reset | 500.0 | 20 % | 2.00 ms | — | not looked at', at500(every(0.2, reset))],
  [`${MORE} | 500.0 | 20 % | 500 ms | — | —`, step(250, ok), at500(waiting(0.2))],
  [`503, body JSON: "busy" | 500.0 | 20 % | ${millis(4000)} | none | not looked at`, at500(every(0.2, busy))],
  ['a success that is not in the list afterwards | 500.0 | 30 % | — | — | 14 of 20 looked at', at500(ok, lost)],
  ['500, body JSON: "failed" | 500.0 | 50 % | 2.00 ms | none | 19 of 20 looked at', at500(failed, looked(19))],
])('how a target refuses is told: %s', (row, ...steps) => {
  expect(rowsOf(steps, 250)).toEqual([row]);
});
