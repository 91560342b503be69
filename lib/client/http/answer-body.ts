import { finished, type Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pLimit from 'p-limit';

/** Bytes of an answer that are kept in memory; the rest is not read. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** Bytes of a body that are read as they come. Longer bodies take turns: ten of 4 MiB at once fill the memory faster than it is freed. */
const OWN_TURN_BYTES = 1024 * 1024;
/** A body as no real answer has it; after so many bytes of such bodies, what was read is given back. */
const LONG_BYTES = 128 * 1024;
const COLLECT_BYTES = 16 * 1024 * 1024;

/** Told while a body waits for its turn: that time is not the target's. */
export interface Waiting {
  readonly pause: () => void;
  readonly resume: () => void;
}

/** Collects garbage at once: left to itself, the heap grows by hundreds of megabytes of texts that nobody holds any more. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

/** Characters that hold the first line of XML. */
const PROLOG = 200;

/** A body as a text, without a byte order mark: JSON in UTF-8 (RFC 8259, 8.1), XML in what its type says, or else its first line (RFC 7303, 3). */
function textOf(bytes: Buffer, contentType = ''): string {
  const label = /xml/i.test(contentType)
    ? (/;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ??
      /^<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(bytes.toString('latin1', 0, PROLOG))?.[1])
    : undefined;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Reads bodies; those above 1 MiB one after the other. Rejects if a body breaks off. */
export function bodyReader() {
  const turn = pLimit(1);
  const collect = collector();
  let uncollected = 0;
  return (body: Readable, waiting: Waiting, contentType?: string) => {
    // Grown as it is needed: a body of a million small pieces costs no more than its bytes.
    let held = Buffer.alloc(0);
    let bytes = 0;
    let inTurn = false;
    return new Promise<{ text: string; bytes: number; cut: boolean }>((resolve, reject) => {
      const end = () => {
        const text = textOf(held.subarray(0, Math.min(bytes, BODY_LIMIT_BYTES)), contentType);
        held = Buffer.alloc(0);
        if (bytes > LONG_BYTES) uncollected += bytes;
        if (uncollected > COLLECT_BYTES) {
          uncollected = 0;
          collect();
        }
        resolve({ text, bytes, cut: bytes > BODY_LIMIT_BYTES });
      };
      const goOnInTurn = () => {
        inTurn = true;
        const over = new Promise<void>((done) => finished(body, () => done()));
        body.pause();
        waiting.pause();
        void turn(() => {
          if (body.destroyed) return;
          waiting.resume();
          body.resume();
          return over;
        });
      };
      body
        .on('error', reject)
        .on('end', end)
        .on('close', () => reject(new Error('the answer broke off')));
      body.on('data', (chunk: Buffer) => {
        if (bytes > BODY_LIMIT_BYTES) return;
        if (bytes + chunk.length > held.length) {
          const grown = Buffer.allocUnsafe(Math.max(2 * held.length, bytes + chunk.length));
          held.copy(grown, 0, 0, bytes);
          held = grown;
        }
        chunk.copy(held, bytes);
        bytes += chunk.length;
        if (bytes > BODY_LIMIT_BYTES) {
          end();
          body.destroy();
        } else if (bytes > OWN_TURN_BYTES && !inTurn) goOnInTurn();
      });
    });
  };
}
