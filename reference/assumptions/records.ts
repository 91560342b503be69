import type { Assumption } from './assumption.ts';

/** Bodies and records. */
export const RECORD_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'A-30',
    text: 'an id in the body of an update must be that of the path; it may be absent',
    reason: 'the specification asks for both; clients send the one or both',
    source: 'specification, real clients',
  },
  {
    id: 'A-31',
    text: 'members left out of an update keep their values',
    reason: 'clients send only what they set',
    source: 'our choice',
  },
  {
    id: 'A-32',
    text: 'names and security group values must differ within a family; a second one is 400',
    reason: 'recorded answer to a duplicate name',
    source: 'recorded answers',
  },
  {
    id: 'A-33',
    text: 'integers are taken as numbers and as texts of digits',
    reason: 'deployed clients send generationId as text',
    source: 'real clients',
  },
  {
    id: 'A-34',
    text: 'null and link in a body mean nothing; any other member that is not known is 400',
    reason: 'recorded answer to an unrecognized member; clients send back the link they read',
    source: 'recorded answers',
  },
  {
    id: 'A-38',
    text: 'a create needs the members that published definitions mark required',
    reason: 'the specification does not show which are',
    source: 'published definitions',
  },
  {
    id: 'A-39',
    text: 'an id in the body of a create is taken where the family lists it there and ignored elsewhere',
    reason: 'only one family accepts it',
    source: 'specification',
  },
  {
    id: 'A-40',
    text: 'a body under any type but application/xml is read as JSON; where it is no JSON object and the type is not one of JSON, it is 415',
    reason: 'the specification says otherwise it is a JSON object',
    source: 'specification',
  },
  {
    id: 'A-41',
    text: 'in XML a member may be an attribute of the root or a child element, namespaces are not compared, and the root is the element of the family or its root key',
    reason: 'both forms are documented',
    source: 'vendor documentation',
  },
  {
    id: 'A-42',
    text: 'inside objects whose members are not shown, XML texts true, false and canonical integers become booleans and numbers',
    reason: 'XML has no types, and the same record by JSON has them',
    source: 'our choice',
  },
  {
    id: 'A-43',
    text: 'XML answers have id, name and description as attributes of the root and one child element for each other member; lists are searchResult',
    reason: 'recorded form',
    source: 'recorded answers',
  },
  {
    id: 'A-44',
    text: '-1 as the value of a security group takes a free value, on update as well as on create',
    reason: 'the specification says auto-generate and no more',
    source: 'specification',
  },
  {
    id: 'A-45',
    text: 'generationId is shown only where a client set it, as an integer',
    reason: 'the specification says integer, deployed clients fail to parse one',
    source: 'specification, real clients',
  },
  {
    id: 'A-46',
    text: 'the generic portal shows the records of the three portal families under their own ids, and takes no writes',
    reason: 'view of all portals',
    source: 'specification',
  },
  {
    id: 'A-47',
    text: 'every family starts with a few records, so that each listed filter and sort has something to tell apart',
    reason: 'a check without a witness proves nothing',
    source: 'our choice',
  },
  {
    id: 'A-48',
    text: 'a second delete of the same record is 404',
    reason: 'it no longer exists',
    source: 'our choice',
  },
];
