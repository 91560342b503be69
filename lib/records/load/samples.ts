/** Service and response time of an arrival that never got a connection. */
export const UNSERVED = 0xffff_ffff;

/** Outcome of a transaction: 0 verified by its status, 1 dropped before it started, above that a failure kind of the cell. */
export const OUTCOME = { success: 0, dropped: 1, firstFailure: 2 } as const;

/** One row per scheduled arrival of a cell, in microseconds, as columns. */
export interface Samples {
  /** Intended start, since the intended start of the first arrival. */
  readonly dueUs: Float64Array;
  /** Request sent to last byte; `UNSERVED` for a dropped arrival. */
  readonly serviceUs: Uint32Array;
  /** Intended start to last byte; `UNSERVED` for a dropped arrival. */
  readonly responseUs: Uint32Array;
  /** Intended start to actual start (lag of the generator); `UNSERVED` for a dropped arrival. */
  readonly lagUs: Uint32Array;
  readonly outcome: Uint8Array;
  /** Number of the arrival among the started ones (which endpoint it was for); `UNSERVED` for a dropped arrival. */
  readonly seq: Uint32Array;
}

const MAGIC = 0x45525331; // "ERS1"
const ROW_BYTES = 8 + 4 + 4 + 4 + 4 + 1;

export function emptySamples(count: number): Samples {
  return {
    dueUs: new Float64Array(count),
    serviceUs: new Uint32Array(count),
    responseUs: new Uint32Array(count),
    lagUs: new Uint32Array(count),
    outcome: new Uint8Array(count),
    seq: new Uint32Array(count),
  };
}

const columnsOf = ({ dueUs, serviceUs, responseUs, lagUs, seq, outcome }: Samples) =>
  [dueUs, serviceUs, responseUs, lagUs, seq, outcome] as const;

/** File form: magic, count, then the columns one after the other, little endian. */
export function encodeSamples(samples: Samples): Uint8Array {
  const count = samples.dueUs.length;
  const bytes = new Uint8Array(16 + count * ROW_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(8, count, true);
  let at = 16;
  for (const column of columnsOf(samples)) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return bytes;
}

/** Bytes of the head of a samples file: magic and count. */
export const SAMPLES_HEAD = 16;

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
  const isAligned = bytes.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset } = isAligned ? bytes : bytes.slice();
  let at = byteOffset + SAMPLES_HEAD;
  const next = (rowBytes: number) => {
    const from = at;
    at += count * rowBytes;
    return from;
  };
  return {
    dueUs: new Float64Array(buffer, next(8), count),
    serviceUs: new Uint32Array(buffer, next(4), count),
    responseUs: new Uint32Array(buffer, next(4), count),
    lagUs: new Uint32Array(buffer, next(4), count),
    seq: new Uint32Array(buffer, next(4), count),
    outcome: new Uint8Array(buffer, next(1), count),
  };
}
