import { describe, expect, it } from 'vitest';
import { touchedWords } from '../../../../lib/judge/cell/touched.ts';
import { someFacts } from '../../../helpers/a-cell-report.ts';

const TOO_FEW = 'too few to speak for a deployment of this size';
const words = (sessions: number, { embedded = false, ...plan }: { embedded?: boolean; resident?: number } = {}) =>
  touchedWords({ ...someFacts(), plan: { ...someFacts().plan, sessions, ...plan } }, { embedded });

describe('how much of a population a cell touched', () => {
  it('stands beside the verdict, and below a tenth it is too few where nobody knows the population', () => {
    expect(words(6000)).toBe('used 5\u202f500 of 6\u202f000 endpoints (92 %)');
    expect(words(500_000)).toBe(`used 5\u202f500 of 500\u202f000 endpoints (1.1 %); ${TOO_FEW}`);
  });

  it('is no doubt where the deployment was started with the population of the profile', () => {
    expect(words(500_000, { embedded: true })).toBe('used 5\u202f500 of 500\u202f000 endpoints (1.1 %)');
  });

  it('counts the endpoints that held a policy meanwhile', () => {
    expect(words(60_000, { resident: 12_000 })).toBe(
      'used 5\u202f500 of 60\u202f000 endpoints (9.2 %); 12\u202f000 more held a policy meanwhile',
    );
    expect(words(60_000, { resident: 100 })).toContain(`100 more held a policy meanwhile; ${TOO_FEW}`);
  });
});
