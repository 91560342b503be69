import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { messageOf, ResultsError } from '../../errors.ts';
import { Baseline } from '../baseline.ts';
import { ConformanceResult, Dialect, ExchangeRecord, JournalEntry } from '../conformance.ts';
import { CellFacts } from '../load/load.ts';
import { decodeSamples, type Samples } from '../load/samples.ts';
import { Catalogue, RunEnd, RunHeader } from '../run.ts';
import { FILES } from './files.ts';

/** Everything a run left, as read from its folder; input of the judge. */
export interface RunRecords {
  readonly header: RunHeader;
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  readonly results: readonly ConformanceResult[];
  readonly exchanges: readonly ExchangeRecord[];
  readonly journal: readonly JournalEntry[];
  /** Samples are null where their file is missing or cut. */
  readonly cells: readonly { readonly facts: CellFacts; readonly samples: Samples | null }[];
  /** Failures that the run was told to expect. */
  readonly baseline?: Baseline;
  /** Null where the run was cut. */
  readonly end: RunEnd | null;
  /** Lines or files that could not be read; the run is incomplete where there are any. */
  readonly damage: readonly string[];
}

const EMPTY_CATALOGUE: Catalogue = { requirements: [], assumptions: [], families: [], operators: [], checks: [] };

/** Reads a run folder. Throws `ResultsError` where there is no readable header. */
export function readRunFolder(folder: string): RunRecords {
  const damage: string[] = [];
  const whole = <T>(name: string, schema: z.ZodType<T>): T | null => {
    const path = join(folder, name);
    if (!existsSync(path)) return null;
    try {
      return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (fault) {
      damage.push(`${name}: ${messageOf(fault)}`);
      return null;
    }
  };
  const lines = <T>(name: string, schema: z.ZodType<T>): T[] => {
    const path = join(folder, name);
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (line === '') return [];
        try {
          return [schema.parse(JSON.parse(line))];
        } catch (fault) {
          damage.push(`${name}, line ${index + 1}: ${messageOf(fault)}`);
          return [];
        }
      });
  };
  const header = whole(FILES.header, RunHeader);
  if (header === null) {
    throw new ResultsError(
      'no-run',
      `${folder} holds no readable ${FILES.header}${damage.map((text) => ` (${text})`).join('')}`,
      {
        hint: 'name the folder of a run, such as runs/latest',
      },
    );
  }
  const cellsFolder = join(folder, FILES.cells);
  const cells = (existsSync(cellsFolder) ? readdirSync(cellsFolder).sort() : []).flatMap(
    (id): RunRecords['cells'][number][] => {
      const facts = whole(join(FILES.cells, id, FILES.facts), CellFacts);
      if (facts === null) {
        damage.push(`${FILES.cells}/${id}: no facts`);
        return [];
      }
      try {
        return [{ facts, samples: decodeSamples(readFileSync(join(cellsFolder, id, FILES.samples))) }];
      } catch (fault) {
        damage.push(`${FILES.cells}/${id}: ${messageOf(fault)}`);
        return [{ facts, samples: null }];
      }
    },
  );
  const baseline = whole(FILES.baseline, Baseline);
  return {
    header,
    catalogue: whole(FILES.catalogue, Catalogue) ?? EMPTY_CATALOGUE,
    dialect: whole(FILES.dialect, Dialect) ?? {},
    results: lines(FILES.results, ConformanceResult),
    exchanges: lines(FILES.exchanges, ExchangeRecord),
    journal: lines(FILES.journal, JournalEntry),
    cells,
    ...(baseline === null ? {} : { baseline }),
    end: whole(FILES.end, RunEnd),
    damage,
  };
}
