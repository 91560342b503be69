import type { RequestHeader } from '../../lib/contract/operations.ts';

/**
 * What a failure is about, in words that are the same in every run: the first word says what sort of thing, the rest which
 * one. Failures of different subjects are never taken for one cause, so that a baseline entry covers no more than it names.
 */
export type Subject =
  /** A valid request of the operation, with nothing particular about it. */
  | 'request'
  | 'record'
  | 'other records'
  | 'parallel requests'
  /** The list as a whole, its pages, its envelope, its links, and what a view shows. */
  | 'list'
  | 'pages'
  | 'envelope'
  | 'links'
  | 'view'
  | 'version'
  | `member ${string}`
  | `header ${RequestHeader}`
  /** Content-Type, by the name of its variant. */
  | `media type ${string}`
  /** Form of a body: `body root key`, `body malformed`. */
  | `body ${string}`
  | 'parameter unknown'
  /** A class of texts or numbers: `text umlaut`, `number high+1`. */
  | `text ${string}`
  | `number ${string}`
  /** `filter name.EQ`, `filters and`, `sort name.asc`. */
  | `filter ${string}`
  | `filters ${'and' | 'or'}`
  | `sort ${string}`
  | `id ${'unknown' | 'given' | 'unique'}`
  /** ANC: the policy and the address of an endpoint. */
  | 'policy'
  | 'address'
  | `bulk ${'id' | 'status' | 'end' | 'records'}`
  /** A refusal: its status, its body. */
  | `refusal ${string}`;
