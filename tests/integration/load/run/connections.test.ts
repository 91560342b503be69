import { afterEach, describe, expect, it } from 'vitest';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import type { LoadContext } from '../../../../load/endpoints/context.ts';
import type { PlannedCell } from '../../../../load/plan/plan.ts';
import type { LoadGiven } from '../../../../load/plan/spec.ts';
import { connectionBook } from '../../../../load/run/planned-cell.ts';
import { aCell } from '../../../helpers/a-cell.ts';
import { aClient } from '../../../helpers/a-client.ts';
import { aLoadContext, aPlan, pool } from '../../../helpers/a-load-context.ts';
import { cappedFront } from '../../../helpers/capped-front.ts';

const opened: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** A load at 100/s on a target that takes so many connections, whose probe was answered in so many milliseconds. */
async function aBook(given: LoadGiven, { cap = 1000, ms = 2, isElsewhere = false } = {}) {
  const plan = aPlan({ ratePerSecond: 100, connections: undefined, ...given });
  const made = await aLoadContext({}, plan);
  const front = await cappedFront(made.target.baseUrl, cap);
  opened.push(front);
  const { client } = aClient(front.baseUrl, { mode: 'full', pool, policies: ['Test'] });
  opened.push(client);
  const context: LoadContext = { ...made.context, client, anc: { latenciesMs: [ms, ms, 90 * ms] } };
  const book = connectionBook(context, isElsewhere);
  const [cell] = plan.cells as readonly [PlannedCell];
  return { book, cell, front };
}

const sizes = ({ connections, sizing }: PlannedCell) => ({ connections, ...sizing });

describe('the connections of a load', () => {
  it('are as many as the usual latency of the probe needs', async () => {
    const { book, cell } = await aBook({});
    await book.settle();
    expect(sizes(book.sized(cell))).toEqual({ connections: 15, latencyMs: 2, beside: 1 });
    const slow = await aBook({}, { ms: 200 });
    expect(sizes(slow.book.sized(slow.cell))).toEqual({ connections: 50, latencyMs: 200, beside: 1 });
  });

  it('are never more in all than were set, with the one for looks', async () => {
    const { book, cell } = await aBook({ connections: 30 });
    expect(sizes(book.sized(cell))).toMatchObject({ connections: 29, beside: 1 });
  });

  it('are no more than the target takes, which one trial tells', async () => {
    const { book, cell, front } = await aBook({}, { cap: 9 });
    await book.settle();
    expect(sizes(book.sized(cell))).toMatchObject({ connections: 8, refused: { served: 9 } });
    await expect.poll(front.open).toBe(0);
  });

  it('become more where arrivals were dropped, up to what the answers of that try need, and stay so', async () => {
    const { book, cell } = await aBook({ ratePerSecond: 250 });
    const sized = book.sized(cell);
    expect(sized.connections).toBe(30);
    const exhausted = aCell((tick) => (tick % 50 < 30 ? { serviceUs: 200_000 } : { dropped: true }), {
      plan: { connections: 30 },
    });
    const report = judgeCell(exhausted.facts, exhausted.samples);
    // What a stall dropped that no usual number rides out is the target's: another try may meet none, and hide it.
    expect(book.after(cell, { ...report, stalls: [{ startSeconds: 1, ms: 1500 }] })).toBeUndefined();
    const again = book.after(cell, report);
    expect(again && sizes(again)).toMatchObject({ connections: 100, raised: true });
    expect(book.sized(cell).connections).toBe(100);
    // Where it was set, it stays as it is.
    const set = await aBook({ ratePerSecond: 250, connections: 31 });
    expect(set.book.after(set.cell, report)).toBeUndefined();
  });

  it('become fewer where a try showed a cap', async () => {
    const { book, cell } = await aBook({ connections: 30 });
    const refused = { asked: 30, served: 12 };
    const lost = aCell((tick) => (tick % 3 === 0 ? {} : { status: 0 }), {
      plan: { connections: 29 },
      sizing: { given: 30, beside: 1, refused },
    });
    const again = book.after(cell, judgeCell(lost.facts, lost.samples));
    expect(again && sizes(again)).toEqual({ connections: 11, given: 30, latencyMs: 2, beside: 1, refused });
  });

  it('are as planned where the cells run elsewhere, and nothing is asked', async () => {
    const { book, cell, front } = await aBook({}, { isElsewhere: true });
    await book.settle();
    expect([book.sized(cell), front.most()]).toEqual([cell, 0]);
  });
});
