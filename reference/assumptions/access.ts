import type { Assumption } from './assumption.ts';

/** Answers in general, errors, login and headers. */
export const ACCESS_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'A-01',
    text: 'statuses of success are 200 for reads, lists and updates, 201 for a create, 204 for a delete, an apply and a clear, 202 for a bulk submit',
    reason: 'strict clients accept nothing else',
    source: 'published definitions, recorded answers, real clients (C1 to C5)',
  },
  {
    id: 'A-02',
    text: 'a create answers without a body, with the address of the record in Location',
    reason: 'clients read the new id off the end of that address',
    source: 'recorded answers, real clients (C1)',
  },
  {
    id: 'A-03',
    text: 'an update answers with UpdatedFieldsList: the changed members with their values before and after, as texts',
    reason: 'clients parse this form',
    source: 'recorded answers, real clients (C2)',
  },
  {
    id: 'A-04',
    text: 'a single read is one object under the recorded root key of its family, with a link to itself',
    reason: 'clients of several makers agree on these root keys',
    source: 'published definitions, real clients (C6)',
  },
  {
    id: 'A-05',
    text: 'login is HTTP Basic on every request, checked before anything else; a refusal is 401 with a page of HTML',
    reason: 'the specification shows no scheme; this is the documented one',
    source: 'vendor documentation, recorded answers (C13)',
  },
  {
    id: 'A-06',
    text: 'ERS-Media-Type, where sent, names the media type of the family in a supported version; anything else is 415',
    reason: 'documented answer to an unsupported version',
    source: 'vendor documentation',
  },
  {
    id: 'A-07',
    text: 'with CSRF switched on, create, update, delete, apply and clear need a token; it is fetched by any GET with X-CSRF-TOKEN: fetch and forgotten after 60 idle seconds',
    reason:
      'documented handshake; the specification gives bulk and versioninfo no such header, so it is not demanded there',
    source: 'vendor documentation, real clients (C16)',
  },
  {
    id: 'A-08',
    text: 'versioninfo below families that do not exist answers a client that fetches a CSRF token, and nobody else',
    reason: 'clients fetch their token at endpoint and deploymentinfo',
    source: 'real clients (C16)',
  },
  {
    id: 'A-09',
    text: 'a missing or stale CSRF token is answered 403 with the text CSRF nonce validation failed',
    reason: 'recorded answer',
    source: 'recorded answers',
  },
  {
    id: 'A-10',
    text: 'a body of more than 1 MiB is refused with 413',
    reason: 'a limit is needed, and no resource is near it',
    source: 'our choice',
  },
  {
    id: 'A-11',
    text: 'an error is an ERSResponse with the operation, one message of title, type and code, and a link; the title names the field or parameter',
    reason: 'clients show the title to people',
    source: 'recorded answers, real clients (C12)',
  },
  {
    id: 'A-12',
    text: 'the code of a message is a short text, not a constant',
    reason: 'answers on record hold prose where the documentation lists constants',
    source: 'recorded answers',
  },
  {
    id: 'A-13',
    text: 'an unknown id or path is 404, a method the path does not have is 405 with Allow, a body that cannot be read is 400',
    reason: 'usual meaning of the statuses',
    source: 'our choice',
  },
  {
    id: 'A-14',
    text: 'an Accept header that admits neither JSON nor XML is 415; an absent one means JSON',
    reason: 'recorded status; the specification calls the header optional, so its absence is no error',
    source: 'recorded answers, specification',
  },
  {
    id: 'A-15',
    text: 'paths are taken with and without a slash at their end',
    reason: 'clients of newer versions send it',
    source: 'real clients (C15)',
  },
  {
    id: 'A-16',
    text: 'query parameters that are not listed are ignored, and kept in the links of a list',
    reason: 'extra parameters are passed through',
    source: 'specification, real clients (C18)',
  },
  {
    id: 'A-17',
    text: 'links are absolute and built from the scheme and the Host header of the request',
    reason: 'clients refuse links to another origin',
    source: 'real clients (C9)',
  },
  {
    id: 'A-18',
    text: 'versioninfo answers VersionInfo with currentServerVersion, supportedVersions as one comma-joined text, and a link',
    reason: 'recorded form',
    source: 'recorded answers (C10)',
  },
];
