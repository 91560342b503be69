import type { OpSpec } from './types.ts';

/** Every path starts with this, relative to the base URL: section "Conventions", point 1. */
export const PATH_PREFIX = '/ers/config';

/** Sections "Operations per family" and "Special paths": the eleven wire operations, and two by name that imported families have. */
export const OPS = {
  read: { code: 'R', method: 'GET', path: '/{id}', body: null, headers: 'all', mutates: false },
  readByName: { code: 'RN', method: 'GET', path: '/name/{name}', body: null, headers: 'all', mutates: false },
  update: { code: 'U', method: 'PUT', path: '/{id}', body: 'resource', headers: 'all', mutates: true },
  updateByName: { code: 'UN', method: 'PUT', path: '/name/{name}', body: 'resource', headers: 'all', mutates: true },
  delete: { code: 'D', method: 'DELETE', path: '/{id}', body: null, headers: 'all', mutates: true },
  deleteByName: { code: 'DN', method: 'DELETE', path: '/name/{name}', body: null, headers: 'all', mutates: true },
  list: { code: 'L', method: 'GET', path: '', body: null, headers: 'all', mutates: false },
  create: { code: 'C', method: 'POST', path: '', body: 'resource', headers: 'all', mutates: true },
  version: { code: 'V', method: 'GET', path: '/versioninfo', body: null, headers: 'content', mutates: false },
  bulkSubmit: { code: 'BS', method: 'PUT', path: '/bulk/submit', body: 'bulk', headers: 'content', mutates: true },
  bulkMonitor: { code: 'BM', method: 'GET', path: '/bulk/{bulkid}', body: null, headers: 'content', mutates: false },
  apply: { code: 'APPLY', method: 'PUT', path: '/apply', body: 'anc', headers: 'all', mutates: true },
  clear: { code: 'CLEAR', method: 'PUT', path: '/clear', body: 'anc', headers: 'all', mutates: true },
} as const satisfies Readonly<Record<string, OpSpec>>;

/** The optional request headers, as spelled in section "Conventions", point 2. */
export const REQUEST_HEADERS = {
  contentType: 'Content-Type',
  accept: 'Accept',
  ersMediaType: 'ERS-Media-Type',
  csrfToken: 'X-CSRF-TOKEN',
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers an operation accepts: point 2 of "Conventions" and section "Authentication". */
export const HEADERS_ALLOWED: Readonly<Record<OpSpec['headers'], readonly RequestHeader[]>> = {
  all: ['contentType', 'accept', 'ersMediaType', 'csrfToken'],
  content: ['contentType', 'accept'],
};

/** Members of every bulk request body: table "Bulk request body". */
export const BULK_FIELDS = { operationType: 'string', resourceMediaType: 'string' } as const;

/** The member that carries the list of objects of an apply or clear: table "ANC endpoint". */
export const ANC_DATA_FIELD = 'additionalData';
