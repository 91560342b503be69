import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explainLines, mayAccuse, requirementsOf } from '../../../cli/commands/explain.ts';
import ERROR_CODES from '../../../cli/output/error-codes.json' with { type: 'json' };
import { GLOSSARY } from '../../../cli/output/glossary.ts';
import { checks } from '../../../conformance/catalog.ts';
import { FAMILIES } from '../../../lib/contract/families.ts';
import { HEADED } from '../../../lib/judge/answer/answer-of.ts';
import { RULES } from '../../../lib/judge/cell/rules/rule.ts';
import type { ConformanceResult } from '../../../lib/records/conformance.ts';
import type { Report } from '../../../lib/records/report.ts';
import { CellVerdict, Depth, DifferenceKind, Level, Mode, Verdict } from '../../../lib/records/vocabulary.ts';
import { verdictWord } from '../../../lib/text.ts';
import { compareRuns, OUTCOMES } from '../../../reports/compare/comparison.ts';
import { comparisonSections } from '../../../reports/compare/document.ts';
import { resultSections } from '../../../reports/summary/sections.ts';
import { aLoadRun } from '../../helpers/a-load-run.ts';
import { aResult } from '../../helpers/a-run.ts';
import { ENDINGS } from '../../helpers/endings.ts';

const text = (id: string) => explainLines(id)?.join('\n') ?? '';

describe('explain', () => {
  it('knows every rule of a load cell', () => {
    const known = new Set(GLOSSARY.flatMap(({ kind, id }) => (kind === 'rule' ? [id] : [])));
    expect(Object.keys(RULES).filter((id) => !known.has(id))).toEqual([]);
  });

  it('names of a requirement each check that has failed for it, and of a check what it accuses', () => {
    const faults = readFileSync('tests/unit/judge/conformance/single-faults.ndjson', 'utf8').trim().split('\n');
    const failed = faults.flatMap((line) => (JSON.parse(line) as { results: readonly ConformanceResult[] }).results);
    const isTold = ({ checkId, requirement }: ConformanceResult) => {
      const check = checks.find(({ id }) => id === checkId);
      return check === undefined || requirementsOf(check).has(requirement) || mayAccuse(check, requirement);
    };
    expect(failed.length).toBeGreaterThan(200);
    const also = { 'record/long-text': 'SVC-1', 'xml/text': 'PAY-U', 'filter/or': 'LST-FILT' };
    failed.push(...Object.entries(also).map(([checkId, requirement]) => aResult({ checkId, requirement })));
    expect(failed.filter((one) => !isTold(one)).map(({ checkId, requirement }) => `${checkId} ${requirement}`)).toEqual(
      [],
    );
    expect(text('VIEW-PORTAL')).toMatch(/fail for it too[\s\S]*survey\/pages/);
    expect(text('survey/pages')).toMatch(/what else it finds broken: .*VIEW-PORTAL/);
  });

  it('knows every code of an error, with how the command ends and what to do', () => {
    expect(ERROR_CODES).toMatchObject({ tls: {}, redirected: {}, 'no-permission': {}, 'bad-baseline': {} });
    expect(Object.keys(ERROR_CODES).filter((code) => explainLines(code) === undefined)).toEqual([]);
    expect(text('no-run')).toMatch(/exit 3[\s\S]*what to do:\n {2}name the run folder/);
    expect(text('two-runs')).toMatch(/exit 2\n {2}two runs are compared/);
    expect(text('disruptive-policy')).toMatch(/exit 2[\s\S]*what to do:\n.*--allow-disruptive-policy/);
    expect(text('segment-doubled')).toMatch(/exit 3/);
    expect(text('client-certificate')).toMatch(/the passphrase does not open it[\s\S]*pkcs12[\s\S]*ERS_KEY_PASSPHRASE/);
    // Of a command that makes its errors in a place of their own.
    expect(text('foreign-prefix')).toMatch(/exit 2\n {2}names of this program start with/);
  });

  it('knows every word that a run or a comparison is headed with, and the head of each column of their tables', () => {
    const reports = Object.values(ENDINGS).map((make) => make() as Report);
    const [first, second] = [aLoadRun(1), aLoadRun(2, 1.5)];
    const sections = [...reports.flatMap(resultSections), ...comparisonSections(compareRuns([first], [second]))];
    const blocks = sections.flatMap((section) => section.blocks);
    const heads = blocks.flatMap((block) => (block.kind === 'table' ? block.head : []));
    const words = [
      ...Object.values(HEADED).map(([word]) => word),
      ...Object.values(OUTCOMES).map(({ words }) => words.replace(/;.*| in what could be compared$/, '')),
      ...[...Verdict.options, ...CellVerdict.options].map(verdictWord),
      ...heads.map((head) => head.replace(/ (ms|\/s)$/, '')),
    ];
    expect(words.length).toBeGreaterThan(60);
    const plain = new Set(['What', 'Before', 'After']);
    expect([...new Set(words)].filter((word) => !plain.has(word) && explainLines(word) === undefined)).toEqual([]);
  });

  it('knows every word of the records, every family, and headings; nothing of what is no id', () => {
    const lists = [Verdict, CellVerdict, Mode, Depth, Level, DifferenceKind].flatMap(({ options }) => [...options]);
    const headings = ['really tested', 'not proven', 'pairs of conditions', 'Left as found'];
    const words = [...lists, ...Object.keys(FAMILIES), ...headings, 'nothing'];
    expect(words.filter((word) => explainLines(word) === undefined)).toEqual(['nothing']);
  });

  it.each([
    ['rate-held', /rule.*violated/],
    ['M54', /seeded defect/],
    ['v20', /allowed variation/],
    ['N01', /null target/],
    ['witness', /word/],
    ['warnings', /^warning \(verdict\)/],
    ['Paging/Size', /^paging\/size/],
    // As a failure, its cause and a family are printed.
    ['exit-4', /^exit 4/],
    ['filter/operator|sgt|name.EQ', /^filter\/operator[\s\S]*^sgt \(family\)/m],
    ['FOP-EQ list records: filter', /^FOP-EQ[\s\S]*^records \(kind of a failure\)/m],
    ['OP-*-U update no-effect: record', /^OP-sgt-U \(stated\)[\s\S]*^no-effect/m],
    ['2026.11', /set of requirements/],
  ])('says what %s is', (id, expected) => {
    expect(text(id)).toMatch(expected);
  });
});
