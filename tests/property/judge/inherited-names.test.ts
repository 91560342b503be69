import { expect, it } from 'vitest';
import * as z from 'zod';
import { Baseline } from '../../../lib/records/baseline.ts';
import { ConformanceResult, ExchangeRecord } from '../../../lib/records/conformance.ts';
import type { RunRecords } from '../../../lib/records/folder/reader.ts';
import { Catalogue, RunHeader } from '../../../lib/records/run.ts';
import { compareConformance } from '../../../reports/compare/conformance.ts';
import { lineOf } from '../../../reports/history/record/line-of.ts';
import { renderRun } from '../../../reports/render-run.ts';
import { aMixedRun } from '../../helpers/a-report.ts';

/** What every object answers to, though nobody put it there. */
const INHERITED = ['constructor', '__proto__'];

/** The value with each text under the key, at any depth, replaced. */
function withText(value: unknown, key: string, text: string, isUnder = false): unknown {
  if (typeof value === 'string') return isUnder ? text : value;
  if (Array.isArray(value)) return value.map((item) => withText(item, key, text, isUnder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, withText(held, key, text, name === key)]),
  );
}

function keysOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return Object.entries(value).flatMap(([name, held]) => [name, ...keysOf(held)]);
}

/** Half of the cells are covered by nothing, so that a reason is looked for. */
const mixed = aMixedRun();
const results = mixed.results.map(({ covers, ...result }, index) =>
  index % 2 === 0 || covers === undefined ? result : { ...result, covers },
);
const baseline = { file: 'known.yaml', entries: [{ cause: 'LST-NEXT', family: 'alpha', expires: '2027-01-01' }] };
const run: RunRecords = { ...mixed, results, baseline };
const SCHEMAS = [
  ['header', RunHeader],
  ['catalogue', Catalogue],
  ['results', z.array(ConformanceResult)],
  ['exchanges', z.array(ExchangeRecord)],
  ['baseline', Baseline],
] as const;

/** The run with such a text under each of these keys, wherever the schema lets it be. */
const withTexts = (keys: readonly string[], text: string): RunRecords =>
  keys.reduce(
    (before, key) => {
      const changed = SCHEMAS.flatMap(([part, schema]) => {
        const read = schema.safeParse(withText(before[part], key, text));
        return read.success ? [[part, read.data]] : [];
      });
      return Object.assign(before, Object.fromEntries(changed));
    },
    { ...run },
  );

/** Keys under which the schemas let such a text be. */
const keys = [...new Set(SCHEMAS.flatMap(([part]) => keysOf(run[part])))].filter(
  (key) => JSON.stringify(withTexts([key], 'constructor')) !== JSON.stringify(run),
);
const AT_ONCE = 5;
const groups = keys.flatMap((_, at) => (at % AT_ONCE === 0 ? [keys.slice(at, at + AT_ONCE)] : []));

it.each(groups.map((group) => [group.join(', '), group] as const))(
  'records whose texts are names that every object answers to are judged and shown like any other text: %s',
  (_, group) => {
    for (const name of INHERITED) {
      const { report } = renderRun(withTexts(group, name));
      expect(() => [lineOf(report), compareConformance(report, report)]).not.toThrow();
    }
  },
);
