import { groupBy } from '../../lib/group-by.ts';
import { SPECIAL_PATHS } from '../../lib/judge/conformance/coverage.ts';
import { rollup } from '../../lib/judge/conformance/rollup.ts';
import type { ConformanceResult } from '../../lib/records/conformance.ts';
import type { Report } from '../../lib/records/report.ts';
import type { Catalogue } from '../../lib/records/run.ts';

/** Columns of requirements that belong to no single operation and no single operator, by the start of their ids. */
const BY_REQUIREMENT: readonly (readonly [string, readonly string[]])[] = [
  ['and/or', ['LST-FILT', 'LST-FTYPE', 'NEG-FILTER']],
  ['sort', ['LST-SORT', 'LST-NOSORT']],
  ['paging', ['LST-PAGE', 'LST-SIZE', 'LST-NEXT', 'LST-ENV']],
  ['fields', ['RES-', 'PAY-', 'FLD-', 'LIM-']],
  ['headers, XML', ['CNV-', 'AUTH-']],
];
const REST = 'other';
type ColumnOf = (result: ConformanceResult) => string;

function columnFinder(catalogue: Catalogue): ColumnOf {
  const operators = new Set(catalogue.operators);
  const byCode = new Map(catalogue.operations?.map(({ name, code }) => [code, name]));
  return ({ requirement, variant, family, covers }) => {
    const operator = variant?.split('.').at(-1) ?? '';
    if (operators.has(operator)) return operator;
    if (requirement.startsWith('FOP-')) return requirement.slice(4);
    if (covers?.some(({ kind }) => kind === 'sort')) return 'sort';
    const prefix = `OP-${family}-`;
    const operation = requirement.startsWith(prefix)
      ? byCode.get(requirement.slice(prefix.length))
      : SPECIAL_PATHS[requirement]?.[0];
    if (operation !== undefined) return operation;
    return BY_REQUIREMENT.find(([, starts]) => starts.some((start) => requirement.startsWith(start)))?.[0] ?? REST;
  };
}

/** What one family shows of one capability; `worst` are the results behind it that are as bad as its verdict. */
function cellOf(column: string, has: boolean, results: readonly ConformanceResult[]) {
  const verdict = rollup(results.map((result) => result.verdict)) ?? ('not-tested' as const);
  const worst = results.filter((result) => result.verdict === verdict);
  const first = worst[0];
  const reason = verdict === 'pass' ? '' : (first?.reason ?? first?.observed ?? '');
  return { column, has: has || results.length > 0, verdict, results: results.length, worst: worst.length, reason };
}

/** Families × capabilities: operations, operators, and what concerns the list and the record as a whole. */
export function matrixOf(report: Report) {
  const { catalogue, conformance } = report;
  const results = conformance?.results ?? [];
  const operations = [...new Set(catalogue.families.flatMap((family) => family.operations))];
  const writes = new Set(catalogue.operations?.filter(({ mutates }) => mutates).map(({ name }) => name));
  const whole = [...BY_REQUIREMENT.map(([name]) => name), REST];
  const columnOf = columnFinder(catalogue);
  const byFamily = groupBy(results, ({ family }) => family);
  const judged = new Map(conformance?.families.map(({ name, verdict }) => [name, verdict]));
  const rows = catalogue.families
    .filter(({ name }) => judged.has(name))
    .map(({ name, versions, operations: own, filters, sorts }) => {
      const byColumn = groupBy(byFamily.get(name) ?? [], columnOf);
      const ofOperators = filters.length > 0 ? ['and/or', ...catalogue.operators] : [];
      const has = new Set([...own, ...ofOperators, ...(sorts.length > 0 ? ['sort'] : []), 'paging']);
      return {
        ...{ name, versions, readOnly: !own.some((operation) => writes.has(operation)) },
        verdict: judged.get(name) ?? 'not-tested',
        cells: [...operations, ...catalogue.operators, ...whole].map((column) =>
          cellOf(column, has.has(column), byColumn.get(column) ?? []),
        ),
      };
    });
  return {
    groups: [
      { title: 'Operations', columns: operations },
      { title: 'Filter operators', columns: catalogue.operators },
      { title: 'List and record', columns: whole },
    ],
    rows,
  };
}
export type MatrixRow = ReturnType<typeof matrixOf>['rows'][number];
export type MatrixCell = ReturnType<typeof cellOf>;
