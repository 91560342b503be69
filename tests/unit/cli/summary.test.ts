import { execFileSync } from 'node:child_process';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { leftFindings } from '../../../cli/output/finding.ts';
import { firstContactFindings } from '../../../cli/output/first-contact-findings.ts';
import { courseOf } from '../../../cli/output/load-progress.ts';
import { asTyped, programName } from '../../../cli/output/output.ts';
import { failureLines, summaryLines } from '../../../cli/output/summary.ts';
import { cleanupLimit } from '../../../cli/session/client.ts';
import { conformancePlan } from '../../../cli/stages/conformance.ts';
import type { FirstContact } from '../../../cli/stages/first-contact.ts';
import { openLearned } from '../../../conformance/kit/values/learned.ts';
import type { AncOperationName } from '../../../lib/contract/anc.ts';
import { judge } from '../../../lib/judge/judge.ts';
import { type ExchangeRecord, OUT_OF_TIME } from '../../../lib/records/conformance.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import { runPrefix } from '../../../lib/run-name.ts';
import { loadPhases, phasesText } from '../../../load/plan/phases.ts';
import { cellOf } from '../../helpers/a-cell-report.ts';
import { aPlan } from '../../helpers/a-load-context.ts';
import { aMixedReport, aMixedRun, judgedRun } from '../../helpers/a-report.ts';
import { aHeader, anEnd, anExchange, aResult, aRun, fullResults, given } from '../../helpers/a-run.ts';

const paint = pc.createColors(false);
const residue = [{ family: 'sgt', id: '1', name: 'cfm-1', command: 'DELETE' }];
const LEFT = anEnd({ cleanup: { created: 1, removed: 0, residue } });
const nextOf = (folder: string, header = aHeader(), more: Partial<RunRecords> = {}) =>
  summaryLines(judgedRun({ header, results: fullResults(), ...more }), folder, paint)
    .at(-1)
    ?.replace('next: npx ers-harness ', '');

describe('the next command after a run', () => {
  const { runId } = aHeader();

  it('names the run by its id where report open looks for it, and else by its folder', () => {
    const places = [`runs/${runId}`, 'runs/nightly', `/elsewhere/${runId}`];
    const named = [runId, 'runs/nightly', `/elsewhere/${runId}`].map((name) => `report open ${name}`);
    expect(places.map((place) => nextOf(place))).toEqual(named);
  });

  it('repeats what is unclear with what leads to the deployment, unless it was not reached', () => {
    const header = aHeader({ mode: 'own-data', options: given({ ca: 'ca.pem', insecure: true, allowHttp: false }) });
    const results = [...fullResults(), aResult({ checkId: 'list/few', verdict: 'inconclusive', reason: 'few' })];
    const where = `--base-url ${header.target.baseUrl} --ca ca.pem --insecure`;
    const replay = 'report replay runs/nightly list/few --family alpha --mode own-data';
    expect(nextOf('runs/nightly', header, { results })).toBe(`${replay} ${where}`);
    const late = [...results, aResult({ checkId: 'list/late', verdict: 'inconclusive', reason: OUT_OF_TIME })];
    for (const more of [{ results, end: anEnd({ signal: 'SIGINT' }) }, { results: late }])
      expect(nextOf('runs/nightly', header, more)).toBe('report open runs/nightly');
    const faults = [{ kind: 'target', code: 'refused', message: 'connect ECONNREFUSED' }] as const;
    expect(nextOf('runs/nightly', header, { results: [], end: anEnd({ faults: [...faults] }) })).toBe(
      `doctor ${where}`,
    );
  });

  it('removes what was left, with the endpoints and the policy that the run was given', () => {
    const header = aHeader({ options: given({ endpoints: 'pool.txt', policies: ['Load-Test'] }) });
    const pool = '--endpoints pool.txt --policy Load-Test';
    const sweep = `sweep --journal runs/nightly --base-url ${header.target.baseUrl} ${pool}`;
    expect(nextOf('runs/nightly', header, { end: LEFT })).toBe(sweep);
  });

  it('is one command of a shell, whatever a record from elsewhere says of target, endpoints and policy', () => {
    const [baseUrl, endpoints, policy] = ['https://x; touch FILE', '02:00:00:00:00:00+1`id`', "$(touch 'FILE')"];
    const given3 = aHeader({ options: given({ endpoints, policies: [policy] }) });
    const header = { ...given3, target: { ...given3.target, baseUrl } };
    const line = nextOf('runs/a b', header, { end: LEFT });
    const words = execFileSync('sh', ['-c', `set -- ${line}; printf '%s\\n' "$@"`], { encoding: 'utf8' });
    expect(words.split('\n')).toEqual(expect.arrayContaining(['runs/a b', baseUrl, endpoints, policy]));
  });
});

const failure = { operation: 'list', kind: 'value', subject: 'sort name' } as const;
const wrong = aResult({ checkId: 'sort/field', variant: 'name', verdict: 'fail', failure });
const rowOf = (results: RunRecords['results']) =>
  summaryLines(
    judgedRun({ results, baseline: { file: 'e.yaml', entries: [{ check: 'sort/field', expires: '2099-01-01' }] } }),
    'runs/nightly',
    paint,
  ).find((line) => /^ {2}alpha /.test(line));

it('a resource that fails is as expected in a run whose baseline expects all of it, and failed in any other', () => {
  expect(rowOf([...fullResults(), wrong])).toMatch(/as expected$/);
  expect(rowOf([...fullResults(), wrong, { ...wrong, checkId: 'list/few' }])).toMatch(/failed$/);
});

describe('a run that a fault ended', () => {
  const fault = { kind: 'target', code: 'refused-login', message: 'GET /ers answered 401 "No": refused' } as const;
  const why = 'GET /ers answered 401 "No": refused (refused-login)';
  const linesOf = (records: Partial<RunRecords>) =>
    summaryLines(judge({ ...aRun({}), ...records }, cellOf), 'runs/nightly', paint);

  it.each(['conformance', 'load', 'capacity', 'verify'])('at first says why in its first line (%s)', (command) => {
    const none = { header: aHeader({ command }), results: [], cells: [] };
    const [first, second] = linesOf({ ...none, end: anEnd({ faults: [fault] }) });
    expect([first, second]).toEqual([`Not tested: ${why} (exit 3)`, 'report: runs/nightly/index.html']);
  });

  it('in the middle says why in the sentence, with what is left', () => {
    const endedBy = (kind: 'target' | 'generator', end = anEnd()) =>
      linesOf({ results: fullResults(), end: { ...end, faults: [{ ...fault, kind }] } });
    expect(endedBy('target', LEFT)).toContain(`Left behind: 1 record left on the target; ${why} (exit 5)`);
    expect(endedBy('target')).toContain(`Not tested: ${why} (exit 3)`);
    expect(endedBy('generator')).toContain(`Unclear: ${why} (exit 4)`);
  });
});

const phases = [
  { name: 'search', seconds: 100, requests: 10_000 },
  { name: 'confirm', seconds: 300, requests: 90_000 },
];

it('where a run is is told by phase, with what is left of the whole', () => {
  let ms = 0;
  const made = courseOf(phases, () => ms, 100);
  expect([made.where(), made.left()]).toEqual(['phase 1 of 2: search', 'about 8 min left in all']);
  ms = 100_000;
  made.enter(1);
  expect([made.where(), made.left()]).toEqual(['phase 2 of 2: confirm', 'about 7 min left in all']);
});

describe('what a plan takes', () => {
  it('is one screen of a plan of checks, with what is not run and about how many requests the rest takes', () => {
    const lines = conformancePlan({ mode: 'read-only', seed: 1 }).describe(false).split('\n');
    expect(lines.length).toBeLessThan(25);
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^\d+ results not run: --mode full asks for them$/),
      expect.stringMatching(
        /^[\d\s]+ results, about [\d\s]+ requests: \d+ min at 100 a second; --json lists each result$/,
      ),
    ]);
  });

  it('is one line, with what each phase takes, and clears what no cell clears', () => {
    expect(phasesText(phases)).toBe(
      'about 7 min and 100\u202f000 requests: search 1 min 40 s (10\u202f000), confirm 5 min (90\u202f000)',
    );
    const namesOf = (...operations: AncOperationName[]) => loadPhases(aPlan({ operations })).map(({ name }) => name);
    expect(namesOf('apply-by-mac', 'clear-by-mac')).toEqual(['60k apply-by-mac', '60k clear-by-mac']);
    expect(namesOf('apply-by-mac')).toEqual(['60k apply-by-mac', 'clear']);
  });
});

const NAMED = `${runPrefix(aMixedRun().header.runId)}alpha`;
const GONE = { status: 500, path: '/ers/config/sgt/6f2b7a52-44a3-4a8e-9d0e-2e1e6a1f7a11' };

/** How a run whose failure rests on two exchanges shows how to see it again. */
function again(...two: [Partial<ExchangeRecord>, Partial<ExchangeRecord>]) {
  const exchanges = two.map((one, at) => anExchange({ id: `x${at + 1}`, operation: 'list', status: 200, ...one }));
  const report = aMixedReport(aMixedRun({ exchanges }));
  const { embedded: _, ...target } = report.run.target;
  const deployed = { ...report, run: { ...report.run, target: { ...target, embedded: false } } };
  const lines = failureLines(deployed, exchanges, paint);
  return [lines.some((line) => line.includes('curl -')), lines.some((line) => line.includes('report export'))];
}

it.each([
  ['a list of what is there', {}, {}, [true, false]],
  ['a refused list', {}, { status: 500 }, [true, false]],
  ['a list of what the run made', { method: 'POST', status: 201 }, {}, [false, true]],
  ['a list by the name of what the run made', {}, { path: `/ers/config/sgt?filter=name.EQ.${NAMED}` }, [false, true]],
  ['a refused read of what the run made', { method: 'POST', status: 201 }, GONE, [false, true]],
  ['a refused create', {}, { method: 'POST', status: 400 }, [true, false]],
] as const)('%s is a command, if it shows the failure by itself', (_what, before, last, expected) => {
  expect(again(before, last)).toEqual(expected);
});

it('says what a clean-up left, with exit 5, also what it left alone; nothing only if there is neither', () => {
  const one = { family: 'sgt', id: '7', command: 'curl' };
  const told = (...given: Parameters<typeof leftFindings>) =>
    leftFindings(...given).map(({ subject, found, exit }) => [subject, found, exit]);
  expect(told({ created: 1, removed: 1, residue: [] })).toEqual([['left on the target', 'nothing', 0]]);
  expect(told({ created: 1, removed: 0, residue: [one], leftAlone: [{ ...one, why: 'why' }] })).toEqual([
    ['left on the target', 'sgt 7', 5],
    ['may be of the run, left alone', 'sgt 7: why', 5],
  ]);
});

it('the findings of first contact tell in one line what is the same of several families, and claim nothing that was not tried', () => {
  const families = ['portaltheme', 'sgt'].map((name) => {
    const request = { method: 'POST', path: `/ers/config/${name}` };
    const exchange = { request, status: 403, headers: {}, body: 'read only', json: undefined };
    return [name, { refused: [{ source: 'the usual members', exchange }] }] as const;
  });
  const services = new Map(families.map(([name]) => [name, { state: 'served' }]));
  const known = { learned: { ...openLearned(), families: new Map(families) }, services, closed: new Map() };
  const contact = { ...known, dialect: {}, connections: { asked: 1, served: 1 } } as unknown as FirstContact;
  const [refused, ...others] = firstContactFindings(contact, false, 1);
  expect(refused).toMatchObject({ subject: 'writes to portaltheme, sgt', found: expect.stringContaining('403') });
  expect(others).toContainEqual(
    expect.objectContaining({ subject: 'values', found: expect.stringMatching(/^not tried/) }),
  );
});

it('the clean-up of what ends may take as long as it took, from 50 s to 10 min', () => {
  const times = [0, 1, 90_000, 3_600_000];
  const limit = cleanupLimit(() => times.shift() ?? 0);
  expect([limit(), limit(), limit()]).toEqual([50_000, 90_000, 600_000]);
});

describe('the name of the program in a command that is printed', () => {
  it.each([
    ['/usr/local/bin/ers-harness', {}, 'ers-harness'],
    ['/root/.npm/_npx/1/node_modules/.bin/ers-harness', { npm_command: 'exec' }, 'npx ers-harness'],
    ['/work/a/node_modules/.bin/ers-harness', {}, 'npx ers-harness'],
    [`${process.cwd()}/dist/ers-harness.js`, { npm_command: 'exec' }, 'node dist/ers-harness.js'],
  ])('is how it was started: %s', (file, env, name) => {
    expect(programName(env, ['node', file])).toBe(name);
  });

  it('stands in place of the plain one, in commands alone', () => {
    const name = programName();
    expect(asTyped('next: ers-harness verify')).toBe(`next: ${name} verify`);
    expect(asTyped('`ers-harness config` shows ers-harness.yaml')).toBe(`\`${name} config\` shows ers-harness.yaml`);
    expect(asTyped('ers-harness verify')).toBe('ers-harness verify');
  });
});
