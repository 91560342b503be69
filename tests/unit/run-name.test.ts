import { describe, expect, it } from 'vitest';
import { namesOfRun, runOfName, runPrefix } from '../../lib/run-name.ts';

const RUN = '20260101-101112-ab3d';

describe('the names of a run', () => {
  it('are of letters and digits alone, and leave room for more within 32 characters', () => {
    for (const id of [RUN, 'doctor', 'sweep of 20260101-101112-ab3d', 'ü'])
      expect(runPrefix(id)).toMatch(/^cfm[a-z0-9]{8}$/);
  });

  it('tell the run that gave them, in any case and in one piece', () => {
    const isOfRun = namesOfRun(RUN);
    for (const name of ['cfm000gzb3dn1', ' CFM000GZB3DN1']) expect(isOfRun(name)).toBe(true);
    for (const name of ['cfm000gzb3en1', 'cfm-000gzb3d-n1', 'office-cfm000gzb3d', 'cfm'])
      expect(isOfRun(name)).toBe(false);
  });

  it('tell what all names of the run start with and when it began, and other names do not', () => {
    const run = { prefix: 'cfm000gzb3d', start: new Date('2026-01-01T10:11:00.000Z') };
    for (const name of ['cfm000gzb3dn1', ' CFM000GZB3DN1']) expect(runOfName(name)).toEqual(run);
    for (const name of ['cfm', 'cfm-office', 'foreign', 'cfm_000gz', 'cfm-01-Berlin', 'cfm-000gzb3d-n1'])
      expect(runOfName(name)).toBeUndefined();
  });
});
