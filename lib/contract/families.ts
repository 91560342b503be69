import { ownRows } from './own-rows.ts';
import { BYOD_SETTINGS } from './samples.ts';
import type { Family, FamilyTable, Field } from './types.ts';

const text = { type: 'string' } as const satisfies Field;
const idOnUpdate = { type: 'string', sentOn: 'update', form: 'uuid' } as const satisfies Field;

const PORTAL_TYPES = ['BYOD', 'HOTSPOTGUEST', 'MYDEVICE', 'SELFREGGUEST', 'SPONSOR', 'SPONSOREDGUEST'] as const;

const portalFields = {
  id: idOnUpdate,
  name: text,
  description: text,
  portalType: { type: { oneOf: PORTAL_TYPES } },
  portalTestUrl: { type: 'string', form: 'url' },
  settings: { type: 'object' },
  customizations: { type: 'object' },
} as const satisfies Record<string, Field>;

const CRUD = ['read', 'update', 'delete', 'list', 'create', 'version'] as const;

/** The twelve families by path segment: tables of families, fields and operations, and version groups. A further one is one more entry. */
export const FAMILIES = ownRows({
  portaltheme: {
    name: 'portaltheme',
    title: 'Portal theme',
    versions: ['3.1.1'],
    ops: CRUD,
    fields: { id: idOnUpdate, name: text, description: text, themeData: text },
    filters: ['name'],
    sorts: ['name', 'description'],
    roots: { resource: 'PortalTheme' },
  },
  hotspotportal: {
    name: 'hotspotportal',
    title: 'Hotspot portal',
    versions: ['3.0.0'],
    ops: CRUD,
    fields: portalFields,
    filters: ['name'],
    sorts: ['name', 'description'],
    roots: { resource: 'HotspotPortal' },
  },
  mydeviceportal: {
    name: 'mydeviceportal',
    title: 'My device portal',
    versions: ['3.0.0', '3.1.0'],
    ops: CRUD,
    fields: portalFields,
    filters: ['name', 'description'],
    sorts: ['name', 'description'],
    roots: { resource: 'MyDevicePortal' },
  },
  byodportal: {
    name: 'byodportal',
    title: 'BYOD portal',
    versions: ['3.1.1'],
    ops: CRUD,
    fields: {
      ...portalFields,
      id: { type: 'string', sentOn: 'create+update', form: 'uuid' },
      settings: { type: 'object', samples: BYOD_SETTINGS },
    },
    filters: ['name', 'description'],
    sorts: ['name', 'description'],
    roots: { resource: 'BYODPortal' },
  },
  portal: {
    name: 'portal',
    title: 'Portal (generic)',
    versions: ['3.0.0'],
    ops: ['read', 'list', 'version'],
    fields: 'unspecified',
    filters: ['name', 'description'],
    sorts: ['name', 'description'],
    roots: {},
    viewOf: ['hotspotportal', 'mydeviceportal', 'byodportal'],
  },
  smsprovider: {
    name: 'smsprovider',
    title: 'SMS provider',
    versions: ['3.1.1'],
    ops: ['list', 'version'],
    fields: 'unspecified',
    filters: ['name'],
    sorts: ['name', 'description'],
    roots: {},
  },
  telemetryinfo: {
    name: 'telemetryinfo',
    title: 'Telemetry information',
    versions: ['3.0.0'],
    ops: ['read', 'list', 'version'],
    fields: {
      name: { type: 'string', required: true, sentOn: 'never' },
      id: { type: 'string', sentOn: 'never', form: 'uuid' },
      description: { type: 'string', sentOn: 'never' },
      status: { type: 'string', sentOn: 'never' },
      deploymentId: { type: 'string', sentOn: 'never', form: 'uuid' },
      udiSN: { type: 'string', sentOn: 'never' },
    },
    filters: ['deploymentId'],
    sorts: [],
    roots: {},
  },
  node: {
    name: 'node',
    title: 'Node details',
    versions: ['3.0.0'],
    ops: ['read', 'readByName', 'list', 'version'],
    fields: 'unspecified',
    filters: ['nodeservicetypes'],
    sorts: [],
    roots: {},
  },
  sgt: {
    name: 'sgt',
    title: 'Security group',
    versions: ['3.0.0', '3.1.0'],
    ops: [...CRUD, 'bulkSubmit', 'bulkMonitor'],
    fields: {
      id: idOnUpdate,
      name: text,
      description: text,
      value: { type: { range: [2, 65519], or: [-1] } },
      generationId: { type: 'integer' },
      isReadOnly: { type: 'boolean' },
      propogateToApic: { type: 'boolean' },
      defaultSGACLs: { type: 'object[]' },
    },
    filters: ['propogateToApic', 'name', 'description', 'value'],
    sorts: ['name', 'description', 'value'],
    roots: { resource: 'Sgt', bulk: 'SgtBulkRequest' },
  },
  sgtvnvlan: {
    name: 'sgtvnvlan',
    title: 'Security group to virtual network',
    versions: ['3.0.0'],
    ops: [...CRUD, 'bulkSubmit', 'bulkMonitor'],
    fields: { id: idOnUpdate, name: text, description: text, sgtId: text, virtualnetworklist: { type: 'object[]' } },
    filters: ['sgtId'],
    sorts: [],
    roots: { resource: 'SgtVNVlanContainer', bulk: 'SgtVNVlanContainerBulkRequest' },
  },
  sxpvpns: {
    name: 'sxpvpns',
    title: 'SXP VPN',
    versions: ['3.1.1'],
    ops: ['read', 'delete', 'list', 'create', 'version', 'bulkSubmit', 'bulkMonitor'],
    fields: { sxpVpnName: text },
    filters: ['name', 'description'],
    sorts: ['name', 'description'],
    roots: { resource: 'ERSSxpVpn', bulk: 'VpnBulkRequest' },
  },
  ancendpoint: {
    name: 'ancendpoint',
    title: 'ANC endpoint',
    versions: ['3.1.1'],
    ops: ['read', 'list', 'version', 'bulkSubmit', 'bulkMonitor', 'apply', 'clear'],
    fields: {
      name: { type: 'string', required: true, sentOn: 'never' },
      id: { type: 'string', sentOn: 'never', form: 'uuid' },
      description: { type: 'string', sentOn: 'never' },
      macAddress: { type: 'string', required: true, sentOn: 'never', form: 'mac' },
      policyName: { type: 'string', required: true, sentOn: 'never' },
    },
    filters: ['name'],
    sorts: ['name'],
    roots: { bulk: 'ErsAncEndpointBulkRequest', anc: 'OperationAdditionalData' },
  },
} as const satisfies Readonly<Record<string, Family>>);

export const familyNames = <T extends FamilyTable>(table: T): readonly (keyof T & string)[] => Object.keys(table);
