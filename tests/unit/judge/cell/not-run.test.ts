import { describe, expect, it } from 'vitest';
import type { AncOperationName } from '../../../../lib/contract/anc.ts';
import { judgeCell } from '../../../../lib/judge/cell/judge-cell.ts';
import { judge } from '../../../../lib/judge/judge.ts';
import { statementText } from '../../../../lib/records/answer.ts';
import { emptySamples } from '../../../../lib/records/load/load.ts';
import { renderMarkdown } from '../../../../reports/render/markdown.ts';
import { renderCtrf, renderJunit } from '../../../../reports/render/test-results.ts';
import { type ACell, aCell } from '../../../helpers/a-cell.ts';
import { aHeader, aRun, given } from '../../../helpers/a-run.ts';

const reason = 'applying by the IP address 10.0.0.7 was answered 400 "Session lookup failure"';

const [REFUSED, NO_SPEED] = ['60k apply-by-ip was refused', 'Not a question of speed'];

/** A cell that the target lacks something for, as a load records it. */
const lacking = (): ACell => {
  const { facts } = aCell(() => ({}), { id: '60k-apply-by-ip-1', operation: 'apply-by-ip', notRun: reason });
  return { facts, samples: emptySamples(0) };
};

function report(operations: readonly AncOperationName[], cells: readonly ACell[]) {
  const options = given({ profiles: ['60k'], operations: [...operations] });
  return judge(aRun({ header: aHeader({ command: 'load', options }), cells }), judgeCell);
}

describe('a cell that was not run because the target lacks what it needs', () => {
  const both = report(['apply-by-mac', 'apply-by-ip'], [aCell(), lacking()]);

  it('leaves the verdict to the others, is named with its reason, and is no success of the run', () => {
    const [cells, text] = [[{ operation: 'apply-by-mac', verdict: 'met' }], `${REFUSED}: ${reason}. ${NO_SPEED}`];
    const notRun = [{ profile: '60k', operation: 'apply-by-ip', reason }];
    expect(both.load).toMatchObject({ verdict: 'met', cells, notRun });
    expect(both.exit).toMatchObject({ code: 7, reasons: [{ code: 7, text }] });
    expect(statementText(both.answer.sentence)).toBe(`Refused: 1 of 2 hold 250/s; ${text}`);
    expect(both.answer).toMatchObject({
      ending: 'refused',
      tone: 'open',
      reasons: [],
      next: [{ args: ['doctor', '--base-url', both.run.target.baseUrl] }],
    });
  });

  it('is skipped in the files for CI servers, and a line of the summary', () => {
    expect(renderJunit(both)).toContain('<skipped message="applying by the IP address');
    expect(JSON.parse(renderCtrf(both)).results.summary).toMatchObject({ passed: 1, skipped: 1 });
    expect(renderMarkdown(both)).toContain('60k apply-by-ip was refused: applying by the IP address 10.0.0.7');
  });

  it('does not hide a violated one, nor one that left no record', () => {
    const bad = aCell((tick) => (tick % 5 === 0 ? { status: 500 } : {}), { readBack: { totalBefore: null } });
    const violated = report(['apply-by-mac', 'apply-by-ip'], [bad, lacking()]);
    expect([violated.load?.verdict, violated.exit.code]).toEqual(['violated', 1]);
    const missing = report(['apply-by-mac', 'apply-policy', 'apply-by-ip'], [aCell(), lacking()]);
    expect([missing.load?.verdict, missing.exit.code]).toEqual(['invalid', 4]);
  });

  it('leaves the load untested where there is no other', () => {
    const alone = report(['apply-by-ip'], [lacking()]);
    expect([alone.load?.verdict, alone.exit.code]).toEqual(['not-tested', 3]);
    expect(alone.exit.reasons[0]?.text).toBe('load: nothing was measured');
  });
});

it('a cell in which each answer was one and the same refusal is refused and not too slow, and quotes the target', () => {
  const kind = { kind: 'client-error', status: 400, errorCode: 'other' } as const;
  const failures = [{ ...kind, count: 1250, example: 'No session' }];
  const refused = aCell(() => ({ status: 400 }), { id: '60k-apply-by-ip-1', operation: 'apply-by-ip', failures });
  const judged = report(['apply-by-mac', 'apply-by-ip'], [aCell(), refused]);
  expect([judged.load?.verdict, judged.exit.code, judged.answer.ending]).toEqual(['met', 7, 'refused']);
  const said = statementText(judged.answer.sentence);
  expect(said).toBe(`Refused: 1 of 2 hold 250/s; ${REFUSED}: 400 "No session". ${NO_SPEED}`);
});
