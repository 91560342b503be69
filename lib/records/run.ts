import * as z from 'zod';
import { defined } from '../defined.ts';
import { duration } from '../text.ts';
import { ints, Level, Mode, textLists, texts } from './vocabulary.ts';

/** Version of the record formats; readers refuse any other. */
export const RECORD_VERSION = 2;

/** `run.json`: written first, before anything is sent. */
export const RunHeader = z.object({
  recordVersion: z.literal(RECORD_VERSION),
  ...texts('runId'),
  /** It and the names of options stand in commands that people paste. */
  command: z.string().regex(/^[a-z]+(?: [a-z]+)*$/),
  tool: z.object({ name: z.literal('ers-harness'), version: z.string() }),
  startedAt: z.iso.datetime(),
  seed: z.int(),
  mode: Mode,
  target: z.object({
    /** Base URL without user information. */
    baseUrl: z.string(),
    embedded: z.boolean(),
    insecure: z.boolean(),
  }),
  /** Options as given, credentials never among them. */
  options: z.record(z.string().regex(/^[\w-]+$/), z.unknown()),
  /** Node version, operating system, processor, cores: facts about the generator's machine. */
  environment: z.record(z.string(), z.string()),
  specDigest: z.string(),
});
export type RunHeader = z.infer<typeof RunHeader>;

const CatalogueRequirement = z.object({
  ...texts('id', 'section', 'text'),
  level: Level,
  untestable: z.string().optional(),
});

/** `catalogue.json`: what the tables said when the run was made, so that an old run renders as it was judged. */
export const Catalogue = z.object({
  requirements: z.array(CatalogueRequirement),
  families: z.array(z.object({ name: z.string(), ...textLists('versions', 'operations', 'filters', 'sorts') })),
  operators: z.array(z.string()),
  /** Wire operations by name, with the code that ids of requirements use. */
  operations: z
    .array(z.object({ name: z.string(), code: z.string(), path: z.string(), mutates: z.boolean() }))
    .optional(),
  /** The ANC limits table, with what a reader of the figures has to know about a row. */
  anc: z
    .object({
      operations: z.array(z.object({ name: z.string(), specName: z.string(), note: z.string().optional() })),
      profiles: z.array(z.object({ name: z.string(), perSecond: z.number(), note: z.string().optional() })),
    })
    .optional(),
  checks: z.array(z.string()),
});
export type Catalogue = z.infer<typeof Catalogue>;

/** A record that could not be removed, with the command that removes it. */
export const ResidueRecord = z.object({
  ...texts('family', 'id'),
  name: z.string().optional(),
  command: z.string(),
  why: z.string().optional(),
  /** How many records it stands for; absent: one. */
  number: z.int().optional(),
  /**
   * `removed`: its delete was answered with success, and no look could show that it is gone. `unknown`: a write
   * was answered with an error, or not at all, and its record could not be looked for. `doubtful`: it is there,
   * and nobody can tell if the run made it. Absent: it is there, as far as the last look or answer tells.
   */
  standing: z.enum(['removed', 'unknown', 'doubtful']).optional(),
});
type ResidueRecord = z.infer<typeof ResidueRecord>;

export const leftOf = (residue: readonly ResidueRecord[]): number =>
  residue.reduce((sum, { number = 1 }) => sum + number, 0);

/** Stands for a family of a fingerprint whose list could not be read to its end. */
export const NOT_KNOWN = 'not-known';

/** A record that was not touched because it is not proven to be of the run, with the reason and the command that reads it. */
const LeftAloneRecord = ResidueRecord.omit({ standing: true }).extend({ why: z.string() });

/** An answer after which a request was sent again and taken: its status and words, how often it came, and the first such request. */
const TakenLater = z.object({ answer: z.string(), count: z.int(), request: z.string() });
export type TakenLater = z.infer<typeof TakenLater>;

/** `end.json`: written last; without it the run is incomplete. */
export const RunEnd = z.object({
  finishedAt: z.iso.datetime(),
  durationMs: z.number(),
  signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP']).optional(),
  faults: z.array(
    z.object({
      kind: z.enum(['harness', 'target', 'usage', 'generator', 'refused']),
      ...texts('code', 'message'),
      hint: z.string().optional(),
    }),
  ),
  requests: z.record(z.string(), z.int()),
  takenLater: z.array(TakenLater).optional(),
  /** Records written before this one, counted by the writer itself: a file cut between two lines shows by it. */
  recorded: z.object({ ...ints('results', 'exchanges', 'journal', 'cells'), histories: z.int().default(0) }).optional(),
  cleanup: z.object({
    ...ints('created', 'removed'),
    /** What could not be removed or not be proven gone, each with the command that removes it or looks for it. */
    residue: z.array(ResidueRecord),
    /** Records that an answer gave for ones of this run and that are not proven to be: nothing was sent to them. */
    leftAlone: z.array(LeftAloneRecord).optional(),
    /** Creates whose answer left open if they were done, and of which no look found anything. Absent if there are none. */
    unsettled: z.int().optional(),
    /** Endpoints whose policy `--take-over` cleared: what they held is lost. Absent if there are none. */
    takenOver: z.int().optional(),
    /** Count and digest of foreign records per family before and after; absent if not taken. */
    fingerprint: z.object({ before: z.string(), after: z.string(), equal: z.boolean() }).optional(),
  }),
});
export type RunEnd = z.infer<typeof RunEnd>;

export function mergeCleanup(a: RunEnd['cleanup'], b: RunEnd['cleanup']): RunEnd['cleanup'] {
  const prints = [a.fingerprint, b.fingerprint].filter((print) => print !== undefined);
  const fingerprint = prints.find((print) => !print.equal) ?? prints[0];
  const leftAlone = [...(a.leftAlone ?? []), ...(b.leftAlone ?? [])];
  const takenOver = (a.takenOver ?? 0) + (b.takenOver ?? 0);
  const unsettled = (a.unsettled ?? 0) + (b.unsettled ?? 0);
  return {
    created: a.created + b.created,
    removed: a.removed + b.removed,
    residue: [...a.residue, ...b.residue],
    ...(leftAlone.length === 0 ? {} : { leftAlone }),
    ...(takenOver === 0 ? {} : { takenOver }),
    ...(unsettled === 0 ? {} : { unsettled }),
    ...defined({ fingerprint }),
  };
}

/** How long a run took, in words; null: it was cut. */
export const tookWords = (end: Pick<RunEnd, 'durationMs'> | null): string =>
  end === null ? 'cut before its end' : duration(end.durationMs);

export const machineWords = ({ environment }: Pick<RunHeader, 'environment'>): string =>
  Object.entries(environment)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
