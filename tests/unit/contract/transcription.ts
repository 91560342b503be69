/**
 * The tables of the specification, copied by hand from its text and from nothing else.
 * They repeat lib/contract on purpose: the reference deployment and the checks both read those tables, so a mistake
 * there would agree with itself. It cannot agree with this file.
 */

/** Family | path segment | version group. */
export const FAMILY_ROWS = [
  ['Portal theme', 'portaltheme', '3.1.1'],
  ['Hotspot portal', 'hotspotportal', '3.0.0'],
  ['My device portal', 'mydeviceportal', '3.0.0 and 3.1.0'],
  ['BYOD portal', 'byodportal', '3.1.1'],
  ['Portal (generic)', 'portal', '3.0.0'],
  ['SMS provider', 'smsprovider', '3.1.1'],
  ['Telemetry information', 'telemetryinfo', '3.0.0'],
  ['Node details', 'node', '3.0.0'],
  ['Security group', 'sgt', '3.0.0 and 3.1.0'],
  ['Security group to virtual network', 'sgtvnvlan', '3.0.0'],
  ['SXP VPN', 'sxpvpns', '3.1.1'],
  ['ANC endpoint', 'ancendpoint', '3.1.1'],
] as const;

const SGT_FIELDS = 'name, description, value';

/** Family | operations | list filter fields | list sort fields | resource root | bulk root | apply and clear root. */
export const OPERATION_ROWS = [
  ['portaltheme', 'R U D L C V', 'name', 'name, description', 'PortalTheme', '', ''],
  ['hotspotportal', 'R U D L C V', 'name', 'name, description', 'HotspotPortal', '', ''],
  ['mydeviceportal', 'R U D L C V', 'name, description', 'name, description', 'MyDevicePortal', '', ''],
  ['byodportal', 'R U D L C V', 'name, description', 'name, description', 'BYODPortal', '', ''],
  ['portal', 'R L V', 'name, description', 'name, description', '', '', ''],
  ['smsprovider', 'L V', 'name', 'name, description', '', '', ''],
  ['telemetryinfo', 'R L V', 'deploymentId', '', '', '', ''],
  ['node', 'R RN L V', 'nodeservicetypes', '', '', '', ''],
  ['sgt', 'R U D L C V B', `propogateToApic, ${SGT_FIELDS}`, SGT_FIELDS, 'Sgt', 'SgtBulkRequest', ''],
  ['sgtvnvlan', 'R U D L C V B', 'sgtId', '', 'SgtVNVlanContainer', 'SgtVNVlanContainerBulkRequest', ''],
  ['sxpvpns', 'R D L C V B', 'name, description', 'name, description', 'ERSSxpVpn', 'VpnBulkRequest', ''],
  ['ancendpoint', 'R L V B APPLY CLEAR', 'name', 'name', '', 'ErsAncEndpointBulkRequest', 'OperationAdditionalData'],
] as const;

/** Code | method and path below the family path, for each of the requests a code stands for. */
export const CODE_ROWS = {
  R: ['GET /{id}'],
  RN: ['GET /name/{name}'],
  U: ['PUT /{id}'],
  D: ['DELETE /{id}'],
  L: ['GET '],
  C: ['POST '],
  V: ['GET /versioninfo'],
  B: ['PUT /bulk/submit', 'GET /bulk/{bulkid}'],
  APPLY: ['PUT /apply'],
  CLEAR: ['PUT /clear'],
} as const;

const PORTAL_FIELDS =
  'id string, name string, description string, portalType string: BYOD HOTSPOTGUEST MYDEVICE SELFREGGUEST SPONSOR SPONSOREDGUEST, portalTestUrl string, settings object, customizations object';

/** Field | type, with the value rules of the notes column; "yes" where the Required column says so. */
export const FIELD_ROWS = {
  portaltheme: 'id string, name string, description string, themeData string',
  hotspotportal: PORTAL_FIELDS,
  mydeviceportal: PORTAL_FIELDS,
  byodportal: PORTAL_FIELDS,
  sgt: 'id string, name string, description string, value integer: 2 to 65519 or -1, generationId integer, isReadOnly boolean, propogateToApic boolean, defaultSGACLs list of objects',
  sgtvnvlan: 'id string, name string, description string, sgtId string, virtualnetworklist list of objects',
  sxpvpns: 'sxpVpnName string',
  ancendpoint: 'name string yes, id string, description string, macAddress string yes, policyName string yes',
  telemetryinfo: 'name string yes, id string, description string, status string, deploymentId string, udiSN string',
} as const;

/** Families whose record fields are not shown. */
export const FIELDS_NOT_SHOWN = ['node', 'portal', 'smsprovider'] as const;

/** Families whose create carries an id: the note at the end of "Special paths". */
export const ID_ON_CREATE = ['byodportal'] as const;

/** Parameter | type of the list query. */
export const LIST_PARAMETER_ROWS = [
  ['page', 'integer'],
  ['size', 'integer'],
  ['sortasc', 'string'],
  ['sortdsc', 'string'],
  ['filter', 'string, may be repeated'],
  ['filterType', 'string'],
] as const;

/** Families whose lists take only page, size, filter and filterType. */
export const LISTS_WITHOUT_SORT = ['telemetryinfo', 'node', 'sgtvnvlan'] as const;

/** The sentence "Filter operators". */
export const OPERATOR_ROW = 'EQ NEQ GT LT STARTSW NSTARTSW ENDSW NENDSW CONTAINS NCONTAINS';

/** Conventions, point 2: headers of every operation, and those of versioninfo, bulk submit and bulk monitor. */
export const HEADER_ROWS = {
  all: ['Content-Type', 'Accept', 'ERS-Media-Type', 'X-CSRF-TOKEN'],
  narrow: ['Content-Type', 'Accept'],
  narrowOperations: ['version', 'bulkSubmit', 'bulkMonitor'],
} as const;

/** Bulk request body. */
export const BULK_ROWS = ['operationType string', 'resourceMediaType string'] as const;

/** Limits: the sentence above the table, and its rows deployment | sessions | ANC transactions per second. */
export const ANC_OPERATION_ROW = [
  ...['apply by MAC address', 'clear by MAC address', 'apply by IP address', 'apply policy', 'clear policy'],
];
export const LIMIT_ROWS = [
  ['5 nodes', '60k', 250],
  ['9 nodes', '200k', 250],
  ['5 nodes', '500k', 250],
] as const;

/** Heading | how often "not shown" is said under it. */
export const GAP_ROWS = {
  'Gaps in the field model': 5,
  'States and transitions': 1,
  'Gaps in the endpoint contract': 2,
  Authentication: 2,
  Events: 1,
  Errors: 1,
  Limits: 2,
  Versioning: 2,
} as const;
