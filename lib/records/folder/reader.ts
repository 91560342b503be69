import { join } from 'node:path';
import type * as z from 'zod';
import { ownCommand } from '../../curl.ts';
import { messageOf, ResultsError } from '../../errors.ts';
import { excerpt } from '../../text.ts';
import { Baseline } from '../baseline.ts';
import { ConformanceResult, Dialect, ExchangeRecord, JournalEntry } from '../conformance.ts';
import { HistoryRecord } from '../histories.ts';
import { CellFacts, decodeSamples, SAMPLES_HEAD, type Samples, samplesCount } from '../load/load.ts';
import { Catalogue, RunEnd, RunHeader } from '../run.ts';
import { FILES } from './files.ts';
import { foreignFolder, MOST_BYTES, parseForeign } from './foreign.ts';

/** Everything a run left, as read from its folder; input of the judge. */
export interface RunRecords {
  readonly header: RunHeader;
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  readonly results: readonly ConformanceResult[];
  readonly exchanges: readonly ExchangeRecord[];
  /** Grounds of failures; absent in runs of before. */
  readonly histories?: readonly HistoryRecord[];
  readonly journal: readonly JournalEntry[];
  /** Samples are null if their file is missing or cut. They are read each time they are asked for: hours of them are large. */
  readonly cells: readonly { readonly facts: CellFacts; readonly samples: Samples | null }[];
  readonly baseline?: Baseline;
  /** Null if the run was cut. */
  readonly end: RunEnd | null;
  /** Lines or files that could not be read; the run is incomplete where there are any. */
  readonly damage: readonly string[];
}

/** Lines of a file that cannot be read, after which it is no file of records. */
const MOST_BAD = 100;

/** The end of a run with the commands that this program makes, and no others: people paste them. */
function inOwnWords(end: RunEnd | null, { target }: RunHeader): RunEnd | null {
  if (end === null) return null;
  const { residue, leftAlone } = end.cleanup;
  const inOwnCommand = <T extends { readonly command: string }>(one: T): T => ({
    ...one,
    command: ownCommand(one.command, target.embedded ? undefined : target.baseUrl),
  });
  const alone = leftAlone === undefined ? {} : { leftAlone: leftAlone.map(inOwnCommand) };
  return { ...end, cleanup: { ...end.cleanup, residue: residue.map(inOwnCommand), ...alone } };
}

/** Reads a run folder. Throws `ResultsError` if there is no readable header. */
export function readRunFolder(folder: string): RunRecords {
  const damage: string[] = [];
  const tell = (where: string, fault: unknown) => void damage.push(`${where}: ${excerpt(messageOf(fault), 500)}`);
  const tried = <T>(where: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (fault) {
      tell(where, fault);
      return undefined;
    }
  };
  const held = tried(folder, () => foreignFolder(folder));
  const whole = <T>(name: string, schema: z.ZodType<T>): T | null =>
    tried(name, () => {
      const bytes = held?.file(name, MOST_BYTES.whole);
      return bytes === undefined ? null : schema.parse(parseForeign(bytes.toString('utf8')));
    }) ?? null;
  const lines = <T>(name: string, schema: z.ZodType<T>): T[] => {
    const values: T[] = [];
    let bad = 0;
    const take = (line: string, number: number) => {
      const value = tried(`${name}, line ${number}`, () => schema.parse(parseForeign(line)));
      if (value !== undefined) values.push(value);
      else bad += 1;
      if (bad > MOST_BAD) damage.push(`${name}: more than ${MOST_BAD} lines cannot be read; the rest is not looked at`);
      return bad <= MOST_BAD;
    };
    tried(name, () => held?.lines(name, MOST_BYTES.lines, take));
    return values;
  };
  const header = whole(FILES.header, RunHeader);
  if (header === null)
    throw new ResultsError(
      'no-run',
      `${folder} holds no readable ${FILES.header}${damage.map((text) => ` (${text})`).join('')}`,
      { hint: 'name the run folder, such as runs/latest' },
    );
  const ids = tried(FILES.cells, () => held?.names(FILES.cells)) ?? [];
  const cells = ids.flatMap((id): RunRecords['cells'][number][] => {
    const facts = whole(join(FILES.cells, id, FILES.facts), CellFacts);
    if (facts === null) {
      damage.push(`${FILES.cells}/${id}: no facts`);
      return [];
    }
    const name = join(FILES.cells, id, FILES.samples);
    const count = tried(`${FILES.cells}/${id}`, () => {
      const found = held?.head(name, MOST_BYTES.samples, SAMPLES_HEAD);
      if (found === undefined) throw new Error('no samples');
      return samplesCount(found.head, found.size);
    });
    return [
      {
        facts,
        get samples() {
          const bytes = count === undefined ? undefined : held?.file(name, MOST_BYTES.samples);
          return bytes === undefined ? null : decodeSamples(bytes);
        },
      },
    ];
  });
  const baseline = whole(FILES.baseline, Baseline);
  return {
    header,
    catalogue: whole(FILES.catalogue, Catalogue) ?? { requirements: [], families: [], operators: [], checks: [] },
    dialect: whole(FILES.dialect, Dialect) ?? {},
    results: lines(FILES.results, ConformanceResult),
    exchanges: lines(FILES.exchanges, ExchangeRecord),
    histories: lines(FILES.histories, HistoryRecord),
    journal: lines(FILES.journal, JournalEntry),
    cells,
    ...(baseline === null ? {} : { baseline }),
    end: inOwnWords(whole(FILES.end, RunEnd), header),
    damage,
  };
}
