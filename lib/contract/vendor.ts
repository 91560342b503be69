import { ownRows } from './own-rows.ts';
import type { FieldType } from './types.ts';

/** What published definitions and recordings add where the specification is silent. Never a reason to fail a deployment. */
export interface VendorFacts {
  /** Root key of a single read; the specification shows none. */
  readonly readRoot?: string;
  /** Value of ERS-Media-Type, without its fixed prefix. */
  readonly mediaType: string;
  readonly versionInfo: { readonly current: string; readonly supported: string };
  /** Members of a list entry besides id and link. */
  readonly listMembers: readonly string[];
  /** Name under which the bulk status carries its id. */
  readonly bulkIdMember?: 'bulkId' | 'bulkID';
  /** Filter or sort field → member of the record that holds it, where the names differ. */
  readonly fieldMembers?: Readonly<Record<string, string>>;
  /** Members real answers carry for families whose fields the specification does not show, or beyond those it shows. */
  readonly members?: Readonly<Record<string, FieldType>>;
  /** Members that must differ between the records of a family. */
  readonly unique?: readonly string[];
  /** Body members without which real deployments refuse a create. */
  readonly requiredOnCreate?: readonly string[];
  /** Body members that real deployments fill, change or ignore: what was sent need not come back. */
  readonly serverFilled?: readonly string[];
  /** Truth values that, once set, may keep a record from being changed or removed: a run never sets them. */
  readonly locks?: readonly string[];
  /** Values beyond the listed range that real answers are recorded to hold. */
  readonly toleratedValues?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Members whose type in real answers is recorded to differ from the listed one. */
  readonly toleratedTypes?: Readonly<Record<string, FieldType>>;
  /** Members whose type nobody states: a definition was read as far as it goes. */
  readonly guessedTypes?: readonly string[];
  /** Members the specification marks required and real answers are recorded to lack. */
  readonly toleratedAbsent?: readonly string[];
}

/** What every value of ERS-Media-Type begins with. */
export const MEDIA_TYPE_PREFIX = 'vnd.com.cisco.ise.';

const facts = (mediaType: string, more: Partial<VendorFacts> = {}): VendorFacts => ({
  mediaType,
  versionInfo: { current: '1.0', supported: '1.0' },
  listMembers: ['name', 'description'],
  ...more,
});

const portal = (name: string): VendorFacts =>
  facts(`portal.${name}.1.0`, {
    unique: ['name'],
    requiredOnCreate: ['name', 'portalType'],
    serverFilled: ['portalTestUrl'],
  });

/** Keyed like the family table; a family without an entry gets the common shape of `vendorFacts`. */
export const VENDOR: Record<string, VendorFacts> = ownRows({
  portaltheme: facts('portal.portaltheme.1.0', { unique: ['name'], requiredOnCreate: ['name', 'themeData'] }),
  hotspotportal: portal('hotspotportal'),
  mydeviceportal: portal('mydeviceportal'),
  byodportal: portal('byodportal'),
  portal: facts('identity.portal.2.0', {
    readRoot: 'ERSPortal',
    versionInfo: { current: '2.0', supported: '2.0' },
    members: { id: 'string', name: 'string', description: 'string', portalType: 'string' },
  }),
  smsprovider: facts('identity.smsprovider.1.0', {
    readRoot: 'SmsProviderIdentification',
    listMembers: ['name'],
    members: { id: 'string', name: 'string', description: 'string' },
  }),
  telemetryinfo: facts('telemetry.telemetryinfo.1.0', {
    readRoot: 'TelemetryInfo',
    listMembers: [],
    toleratedAbsent: ['name'],
  }),
  node: facts('deploy.node.1.2', {
    readRoot: 'Node',
    versionInfo: { current: '1.2', supported: '1.0,1.1,1.2,1.3' },
    listMembers: ['name'],
    fieldMembers: { nodeservicetypes: 'nodeServiceTypes' },
    members: {
      ...{ id: 'string', name: 'string', gateWay: 'string', userName: 'string', passWord: 'string' },
      ...{ displayName: 'string', inDeployment: 'boolean', papNode: 'boolean', primaryPapNode: 'boolean' },
      ...{ pxGridNode: 'boolean', ipAddress: 'string', ipAddresses: 'string[]', nodeServiceTypes: 'string' },
      fqdn: 'string',
    },
  }),
  sgt: facts('trustsec.sgt.1.2', {
    versionInfo: { current: '1.3', supported: '1.0,1.1,1.2,1.3' },
    bulkIdMember: 'bulkId',
    unique: ['name', 'value'],
    requiredOnCreate: ['name', 'value'],
    serverFilled: ['generationId', 'isReadOnly', 'defaultSGACLs'],
    locks: ['isReadOnly'],
    toleratedValues: { value: [0, 65535] },
    toleratedTypes: { generationId: 'string', defaultSGACLs: 'string[]' },
  }),
  sgtvnvlan: facts('trustsec.sgtvnvlan.1.0', { bulkIdMember: 'bulkId', requiredOnCreate: ['name', 'sgtId'] }),
  sxpvpns: facts('sxp.sxpvpns.1.0', {
    listMembers: [],
    bulkIdMember: 'bulkId',
    fieldMembers: { name: 'sxpVpnName' },
    members: { id: 'string', description: 'string' },
    unique: ['sxpVpnName'],
    requiredOnCreate: ['sxpVpnName'],
  }),
  ancendpoint: facts('anc.ancendpoint.1.0', {
    readRoot: 'ErsAncEndpoint',
    listMembers: [],
    bulkIdMember: 'bulkID',
    fieldMembers: { name: 'macAddress' },
    toleratedAbsent: ['name'],
  }),
});

/** Vendor facts of a family; a family the table does not know gets the common shape. */
export const vendorFacts = (name: string): VendorFacts => VENDOR[name] ?? facts(`${name}.1.0`);

/** Element and namespace of the XML form, as published definitions give them. */
export const xmlName = (name: string) => ({
  element: name,
  namespace: `${vendorFacts(name).mediaType.split('.')[0]}.ers.ise.cisco.com`,
});

/** Member of a record that a filter or sort field of its family reads: that of its name, if the record shows another value there. */
export function memberOf(familyName: string, field: string, record: Readonly<Record<string, unknown>> = {}): string {
  const usual = vendorFacts(familyName).fieldMembers?.[field] ?? field;
  if (usual === field) return usual;
  // An address in another form, such as without colons, is another text for a filter; the case of its letters is open.
  const shown = record[field];
  return typeof shown === 'string' && shown.toUpperCase() !== String(record[usual]).toUpperCase() ? field : usual;
}
