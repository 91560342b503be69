import { HEADERS_ALLOWED, OPS, type RequestHeader } from '../../lib/contract/operations.ts';
import { type Family, hasOp, type Op } from '../../lib/contract/types.ts';
import { vendorFacts } from '../../lib/contract/vendor.ts';
import type { RequestInput } from '../../lib/wire/request.ts';
import type { CheckContext } from '../kit/check.ts';

/** A request of an operation with a header on that is usually off, or off (null) that is usually on. */
export interface Case {
  readonly op: Op;
  readonly header: RequestHeader;
  readonly value: string | null;
  /** What tells it from the other cases of the header, for its name. */
  readonly kind?: 'made-up' | 'alone' | 'xml' | 'charset';
}

/** A token that no target has given: one that checks none takes it. */
const MADE_UP = 'CFM0123456789ABCDEF';

/** What a body is, is said by its Content-Type: those of bodies have checks of their own (body/*). */
const isOfBody = (op: Op, header: RequestHeader): boolean => header === 'contentType' && OPS[op].body !== null;

type Value = Pick<Case, 'value' | 'kind'>;

/** What a header of an operation is tried with; null is off. */
function valuesOf(family: Family, op: Op): Readonly<Record<RequestHeader, readonly Value[]>> {
  const isRead = OPS[op].method === 'GET';
  const otherTypes: readonly Value[] = [
    { kind: 'xml', value: 'application/xml' },
    { kind: 'charset', value: 'application/json;charset=UTF-8' },
  ];
  return {
    // The form of the body that a read does not have is not that of its answer.
    contentType: [{ value: null }, ...(isRead ? otherTypes : [])],
    accept: [{ value: null }],
    ersMediaType: [{ value: vendorFacts(family.name).mediaType }],
    csrfToken: [{ value: 'fetch' }, { value: MADE_UP, kind: 'made-up' }, { value: 'fetch', kind: 'alone' }],
  };
}

const nameOf = ({ op, header, kind }: Case) => [op, header, ...(kind === undefined ? [] : [kind])].join('.');

/** Each header of each operation, off if usually sent, else on; the Content-Type of a request without a body in its other forms too. */
export const casesOf = (ops: readonly Op[], headers: readonly RequestHeader[]) => (family: Family) =>
  ops
    .filter((op) => hasOp(family, op))
    .flatMap((op) =>
      HEADERS_ALLOWED[OPS[op].headers]
        .filter((header) => headers.includes(header) && !isOfBody(op, header))
        .flatMap((header) => valuesOf(family, op)[header].map((value): Case => ({ op, header, ...value }))),
    )
    .map((data) => ({ name: nameOf(data), data }));

type Headers = NonNullable<RequestInput['headers']>;

/** What a case changes of the other headers: one that comes alone leaves out the usual ones that the target does not need. */
export function headersBeside({ run }: Pick<CheckContext, 'run'>, { op, kind }: Case): Headers {
  const usual: readonly RequestHeader[] = kind === 'alone' ? ['contentType', 'accept'] : [];
  const off = usual.filter((each) => !isOfBody(op, each) && run.habit(op)[each] === undefined);
  return Object.fromEntries(off.map((each) => [each, null]));
}

export const headersOf = (context: Pick<CheckContext, 'run'>, one: Case): Headers => ({
  ...headersBeside(context, one),
  [one.header]: one.value,
});
