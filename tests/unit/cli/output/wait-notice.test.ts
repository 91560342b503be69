import { describe, expect, it } from 'vitest';
import { waitNotice } from '../../../../cli/output/progress.ts';

describe('a wait that the target asks for', () => {
  it('is told at once, and not again for each request that waits beside it', () => {
    const said: string[] = [];
    const waits = waitNotice((line) => said.push(line));
    waits(503, 30_000);
    waits(503, 30_000);
    expect(said).toEqual(['waiting 30 s: the target answers 503']);
  });

  it('is told of a target that gives no answer too', () => {
    const said: string[] = [];
    waitNotice((line) => said.push(line))(0, 3000);
    expect(said).toEqual(['waiting 3 s: the target gives no answer']);
  });
});
