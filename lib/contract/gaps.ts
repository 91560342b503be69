/** What the specification says it does not show: observed and recorded, never judged. */
export const GAPS = {
  'G-01': {
    section: 'Gaps in the field model',
    text: 'fields of node details, generic portal and SMS provider records',
  },
  'G-02': { section: 'Gaps in the field model', text: 'inner structure of settings and customizations' },
  'G-03': {
    section: 'Gaps in the field model',
    text: 'item structure of additionalData, virtualnetworklist and defaultSGACLs',
  },
  'G-04': { section: 'Gaps in the field model', text: 'allowed values of the telemetry status' },
  'G-05': {
    section: 'Gaps in the field model',
    text: 'which body fields of portals, themes, security groups, mappings and SXP VPNs are required',
  },
  'G-06': { section: 'States and transitions', text: 'states of a resource and the transitions between them' },
  'G-07': {
    section: 'Gaps in the endpoint contract',
    text: 'response bodies and success status codes, the list envelope excepted',
  },
  'G-08': { section: 'Gaps in the endpoint contract', text: 'allowed values of operationType and resourceMediaType' },
  'G-09': { section: 'Authentication', text: 'authentication scheme, credentials and token lifetime' },
  'G-10': { section: 'Authentication', text: 'permissions each operation needs' },
  'G-11': { section: 'Events', text: 'events' },
  'G-12': { section: 'Errors', text: 'error status codes, the shape of an error body and its codes' },
  'G-13': { section: 'Limits', text: 'default and largest page and size' },
  'G-14': { section: 'Limits', text: 'rate limits of operations other than ANC' },
  'G-15': { section: 'Versioning', text: 'how a request selects a version' },
  'G-16': { section: 'Versioning', text: 'body of the version information' },
} as const;

export type GapId = keyof typeof GAPS;
