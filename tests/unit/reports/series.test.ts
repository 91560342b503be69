import { describe, expect, it } from 'vitest';
import { SeriesStrips } from '../../../reports/charts/timeline.tsx';
import { aCell, someFacts } from '../../helpers/a-cell-report.ts';

describe('what was taken beside a cell', () => {
  it('is drawn with its limit on the axis of time, and said where no value came', () => {
    const points: [number, number][] = [
      [1, 3.2],
      [4, 3.9],
    ];
    const facts = someFacts({
      series: [
        { name: 'processor', limit: 4, points },
        { name: 'lock', points: [] },
      ],
    });
    const html = String(SeriesStrips({ cell: aCell({ facts }) }));
    expect(html).toContain('processor, at its end at 4, over 20 seconds');
    expect(html).toContain('lock: no value came');
    expect(html).not.toContain('NaN');
    expect(String(SeriesStrips({ cell: aCell({ facts: someFacts() }) }))).toBe('');
  });
});
