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

/** What may be said of a body to a request that reads and has none: the form of its body is not that of the answer. */
const OTHER_TYPES = [
  { kind: 'xml', value: 'application/xml' },
  { kind: 'charset', value: 'application/json;charset=UTF-8' },
] as const;

/** What a body is, is said by its Content-Type: those of bodies have checks of their own (body/*). */
const isOfBody = (op: Op, header: RequestHeader): boolean => header === 'contentType' && OPS[op].body !== null;

/** Each header of an operation off if it is usually sent, or on if it is not; a Content-Type that says of no body what it is, in its other forms too. */
export function cases(family: Family, ops: readonly Op[], headers: readonly RequestHeader[]): Case[] {
  const values: Readonly<Record<RequestHeader, string | null>> = {
    contentType: null,
    accept: null,
    ersMediaType: vendorFacts(family.name).mediaType,
    csrfToken: 'fetch',
  };
  return ops
    .filter((op) => hasOp(family, op))
    .flatMap((op) =>
      HEADERS_ALLOWED[OPS[op].headers]
        .filter((header) => headers.includes(header) && !isOfBody(op, header))
        .flatMap((header): Case[] => [
          { op, header, value: values[header] },
          ...(header === 'contentType' && OPS[op].method === 'GET'
            ? OTHER_TYPES.map((one) => ({ op, header, ...one }))
            : []),
          ...(header === 'csrfToken'
            ? [
                { op, header, value: MADE_UP, kind: 'made-up' as const },
                { op, header, value: values[header], kind: 'alone' as const },
              ]
            : []),
        ]),
    );
}

/** The cases, as variants of a check. */
export const variantsOf = (all: readonly Case[]) =>
  all.map((data) => ({
    name: [data.op, data.header, ...(data.kind === undefined ? [] : [data.kind])].join('.'),
    data,
  }));

type Headers = NonNullable<RequestInput['headers']>;

/** What a case changes of the other headers: one that comes alone leaves out those that are usual and that the target was not found to need. */
export function headersBeside({ run }: Pick<CheckContext, 'run'>, { op, kind }: Case): Headers {
  const usual: readonly RequestHeader[] = kind === 'alone' ? ['contentType', 'accept'] : [];
  const off = usual.filter((each) => !isOfBody(op, each) && run.habit(op)[each] === undefined);
  return Object.fromEntries(off.map((each) => [each, null]));
}

/** The headers of a case. */
export const headersOf = (context: Pick<CheckContext, 'run'>, one: Case): Headers => ({
  ...headersBeside(context, one),
  [one.header]: one.value,
});
