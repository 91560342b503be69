/** Service and response time of an arrival that never got a connection. */
export const UNSERVED = 0xffff_ffff;

/** Outcome of a transaction: 0 verified by its status, 1 dropped before it started, above that a failure kind of the cell. */
export const OUTCOME = { success: 0, dropped: 1, firstFailure: 2 } as const;

/** Columns of a samples file, in order. Those in microseconds but `dueUs`, and `seq`, are `UNSERVED` for a dropped arrival. */
const COLUMNS = {
  /** Intended start, since the intended start of the first arrival. */
  dueUs: Float64Array,
  /** Request sent to last byte. */
  serviceUs: Uint32Array,
  /** Intended start to last byte. */
  responseUs: Uint32Array,
  /** Intended start to actual start (lag of the generator). */
  lagUs: Uint32Array,
  /** Number of the arrival among the started ones (which endpoint it was for). */
  seq: Uint32Array,
  outcome: Uint8Array,
} as const;
type Name = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as readonly Name[];

/** One row per scheduled arrival of a cell, as columns. */
export type Samples = { readonly [Key in Name]: InstanceType<(typeof COLUMNS)[Key]> };

const MAGIC = 0x45525331; // "ERS1"
/** Bytes of the head of a samples file: magic and count. */
export const SAMPLES_HEAD = 16;
const ROW_BYTES = NAMES.reduce((sum, name) => sum + COLUMNS[name].BYTES_PER_ELEMENT, 0);

const samplesOf = (column: (type: (typeof COLUMNS)[Name]) => Samples[Name]) =>
  Object.fromEntries(NAMES.map((name) => [name, column(COLUMNS[name])])) as unknown as Samples;

export const emptySamples = (count: number): Samples => samplesOf((Type) => new Type(count));

/** File form: magic, count, then the columns one after the other, little endian. */
export function encodeSamples(samples: Samples): Uint8Array {
  const count = samples.dueUs.length;
  const bytes = new Uint8Array(SAMPLES_HEAD + count * ROW_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(8, count, true);
  let at = SAMPLES_HEAD;
  for (const { buffer, byteOffset, byteLength } of NAMES.map((name) => samples[name])) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** Number of rows of a samples file, from its head and its size. Throws on a foreign or a cut file. */
export function samplesCount(head: Uint8Array, size: number): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.byteLength < SAMPLES_HEAD || view.getUint32(0) !== MAGIC) throw new Error('not a samples file');
  const count = view.getUint32(8, true);
  if (size !== SAMPLES_HEAD + count * ROW_BYTES) throw new Error('samples file is cut');
  return count;
}

/** Reads `encodeSamples`; the columns are views of the bytes where those lie as numbers need them. Throws on a foreign or a cut file. */
export function decodeSamples(bytes: Uint8Array): Samples {
  const count = samplesCount(bytes, bytes.byteLength);
  const { buffer, byteOffset } = bytes.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
  let at = byteOffset + SAMPLES_HEAD;
  return samplesOf((Type) => {
    const column = new Type(buffer as ArrayBuffer, at, count);
    at += column.byteLength;
    return column;
  });
}
