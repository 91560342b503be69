import type { Assumption } from './assumption.ts';

/** ANC and bulk. */
export const SPECIAL_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'A-50',
    text: 'items of additionalData are name and value; the names are macAddress, ipAddress and policyName; a name that comes again begins the next endpoint',
    reason: 'six independent clients send this form',
    source: 'real clients, published definitions',
  },
  {
    id: 'A-51',
    text: 'an IP address stands for the endpoint that has a session with it; without a session it is refused. A MAC address needs no session',
    reason: 'policies can be put on endpoints that are not connected',
    source: 'real clients',
  },
  {
    id: 'A-52',
    text: 'another policy takes the place of the one an endpoint holds; its record keeps the id',
    reason: 'one endpoint holds one policy',
    source: 'our choice',
  },
  {
    id: 'A-53',
    text: 'a second apply of the same policy is 400 and says already associated; a clear of an endpoint without one is 400 and says not associated',
    reason: 'clients look for these words',
    source: 'real clients (C20)',
  },
  {
    id: 'A-54',
    text: 'a policy named in a clear is not compared with the one the endpoint holds',
    reason: 'clients send it, and it is documented as tolerated',
    source: 'real clients',
  },
  {
    id: 'A-55',
    text: 'a request on several endpoints is done whole or not at all',
    reason: 'a half-done request could not be told from a done one',
    source: 'our choice',
  },
  {
    id: 'A-56',
    text: 'the name of an ANC endpoint is its MAC address in capitals',
    reason: 'it is what documented filters on name give',
    source: 'published definitions (C19)',
  },
  {
    id: 'A-57',
    text: 'only the policies that serve prints exist; a policy that does not exist is 400',
    reason: 'an unknown policy must not look applied',
    source: 'our choice',
  },
  {
    id: 'A-60',
    text: 'one bulk request runs at a time for the whole deployment; a further one is 503 with Retry-After; the work is done after the answer',
    reason: 'documented rule',
    source: 'vendor documentation',
  },
  {
    id: 'A-61',
    text: 'a bulk request holds at most 500 resources or 5000 ids; resourcesList and idList are read in XML and in JSON, and without them nothing is done',
    reason: 'documented limits; the listed JSON body has two members only',
    source: 'vendor documentation, specification',
  },
  {
    id: 'A-62',
    text: 'operationType is create, update or delete, in any case, with the suffix ById or without',
    reason: 'documented values',
    source: 'vendor documentation',
  },
  {
    id: 'A-63',
    text: 'the id of a bulk request is a text of epoch milliseconds, and BulkStatus carries it as bulkId, or bulkID for ANC endpoints',
    reason: 'recorded form',
    source: 'published definitions (C5)',
  },
  {
    id: 'A-64',
    text: 'the session table has a record for each session: endpoint n has MAC 02:00:nn:nn:nn:nn and IP 10.n.n.n',
    reason: 'sessions are not among the resources of the API',
    source: 'our choice',
  },
];
