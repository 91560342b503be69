import { describe, expect, it } from 'vitest';
import { aCell, judged } from '../../helpers/a-cell.ts';

const refused = { asked: 101, served: 30 };
/** Four of five transactions lose their connection. */
const lost = (tick: number) => (tick % 5 === 0 ? {} : { status: 0 });
const half = { totalBefore: 0, totalAfter: 250 };

describe('a cell on more connections than the target takes', () => {
  it('decides nothing, and names the number at which connections are refused', () => {
    const { verdict, reasons } = judged(aCell(lost, { sizing: { given: 101, beside: 1, refused }, readBack: half }));
    expect(verdict).toBe('invalid');
    expect(reasons).toMatch(
      /^refused at 30 connections \(71 more were reset or refused while these were open\): the cell used 100 and 1 beside them, and 1.000 transactions got no answer/,
    );
  });

  it('is violated by lost transactions where no trial showed a cap, and where the cell kept to it', () => {
    expect(judged(aCell(lost, { readBack: half })).verdict).toBe('violated');
    const within = { plan: { connections: 29 }, sizing: { beside: 1, refused }, readBack: half };
    expect(judged(aCell(lost, within))).toMatchObject({ verdict: 'violated' });
  });

  it('is met on as many as it takes', () => {
    const within = { plan: { connections: 29 }, sizing: { beside: 1, refused } };
    expect(judged(aCell(() => ({}), within)).verdict).toBe('met');
  });

  it('is violated where so few cannot carry the rate, and the reason begins with the cap', () => {
    const exhausted = (tick: number) => (tick % 50 < 30 ? { serviceUs: 200_000 } : { dropped: true });
    const sizing = { beside: 1, refused: { asked: 101, served: 31 } };
    const { verdict, reasons } = judged(aCell(exhausted, { plan: { connections: 30 }, sizing }));
    expect(verdict).toBe('violated');
    expect(reasons).toMatch(/refused at 31 connections \(70 more .*\); the target is too slow for 30 connections/);
  });
});

describe('a cell whose transactions are carried out and answered with an error', () => {
  const doneDespite = { status: 500, says: 'Radius Failure' };
  const failing = { doneDespite, readBack: { totalBefore: 0, totalAfter: 1250 } };

  it('is never met, accuses nobody, and says what was answered and what was seen', () => {
    const { verdict, reasons, broken } = judged(aCell(() => ({ status: 500 }), failing));
    expect([verdict, broken]).toEqual(['invalid', ['answered-with-success']]);
    expect(reasons).toBe(
      '1000 of 1000 answered 500 "Radius Failure" although the policy was stored or removed (20 of 20 endpoints read back show it): no rate of successes can be proven',
    );
  });

  it('is violated where anything else speaks against the target', () => {
    const some = (tick: number) => ({ status: tick % 100 === 7 ? 0 : 500 });
    expect(judged(aCell(some, failing))).toMatchObject({ verdict: 'violated' });
    const unproven = { ...failing, readBack: { ...failing.readBack, proven: 3 } };
    expect(judged(aCell(() => ({ status: 500 }), unproven))).toMatchObject({ verdict: 'violated' });
  });

  it('is met where every transaction was answered with success after all', () => {
    expect(judged(aCell(() => ({}), { doneDespite })).verdict).toBe('met');
  });
});
