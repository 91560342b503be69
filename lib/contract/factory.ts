import { PORTAL_DEFAULTS } from './factory-portals.ts';

/** Rows that the embedded deployment starts with, where generated ones would say little: members by name. */
type SeedRow = Readonly<Record<string, unknown>>;

/** Records of the nodes of a deployment, one for each text of the services that it runs. */
const nodeRows = (
  services: readonly string[],
  prefix: string,
  firstHost: number,
  passWord: string,
): readonly SeedRow[] =>
  services.map((nodeServiceTypes, index) => {
    const name = `${prefix}-${index + 1}`;
    const ipAddress = `192.0.2.${firstHost + index}`;
    return {
      ...{ name, gateWay: '192.0.2.1', userName: 'admin', passWord, displayName: name, inDeployment: true },
      ...{ papNode: index < 2, primaryPapNode: index === 0, pxGridNode: index === 3 },
      ...{ ipAddress, ipAddresses: [ipAddress], nodeServiceTypes, fqdn: `${name}.example.com` },
    };
  });

/** Name, description, value and whether it is propagated. */
const SEED_GROUPS = [
  ['Auditors', 'read access', 9, false],
  ['BYOD', 'own devices', 15, true],
  ['Contractors', 'guests with work', 10, false],
  ['Developers', 'build machines', 100, true],
  ['Employees', 'everybody else', 99, false],
  ['Quarantined_Systems', 'kept apart', 1000, false],
] as const;

/** End of the name, description, status, deployment and end of the serial number. */
const TELEMETRY = [
  ['primary', 'primary deployment', 'SCHEnable', '1c1a2b30-8c01-4f6e-996c-525400b48521', 'AA'],
  ['secondary', 'secondary deployment', 'SCHDisable', '5d9e77c2-14a7-4d1c-8a60-0f3f6bb0a9d4', 'BB'],
  ['laboratory', 'laboratory', 'SCHEnable', 'b07f3a11-5b2e-4c8d-9d7f-7a1e2c3d4e5f', 'CC'],
] as const;

/**
 * Keyed like the family table; a family without rows gets generated ones. Every listed filter field has values that
 * each operator keeps and values that it drops, and every sort field has distinct ones.
 */
export const SEED_ROWS: Readonly<Record<string, readonly SeedRow[]>> = {
  smsprovider: [
    { name: 'Global Default', description: 'used where no other is chosen' },
    { name: 'ATT', description: 'mail to text' },
    { name: 'Click A Tell', description: 'HTTP interface' },
    { name: 'Orange', description: 'text by mail' },
    { name: 'Sprint', description: 'another mail to text' },
    { name: 'Verizon', description: 'zoned mail' },
  ],
  telemetryinfo: TELEMETRY.map(([name, description, status, deploymentId, serial]) => ({
    name: `telemetry-${name}`,
    description,
    status,
    deploymentId,
    udiSN: `FCH2047V1${serial}`,
  })),
  node: nodeRows(
    ['PDP', 'PDP,PROFILER', 'DEVICE ADMIN', 'PASSIVEID', 'PDP,SXP'],
    'ise-node',
    11,
    'not-a-real-password',
  ),
  sgt: SEED_GROUPS.map(([name, description, value, propogateToApic]) => ({
    ...{ name, description, value, propogateToApic },
    ...{ isReadOnly: name === 'Quarantined_Systems', defaultSGACLs: [] },
  })),
};

/** Members of a record, by name; one without an id gets a new one. */
export type FactoryRecord = Readonly<Record<string, unknown>>;

/** Name, first digits of the id, value, and word of the description. The last has the value 0, which the rule `members` puts there. */
const GROUPS = [
  ['Auditors', '934557f0', 9, 'Auditor'],
  ['BYOD', '935d4cc0', 15, 'BYOD'],
  ['Contractors', '9370d4c0', 5, 'Contractor'],
  ['Developers', '93837260', 8, 'Developer'],
  ['Development_Servers', '9396d350', 12, 'Development Servers'],
  ['Employees', '93ad6890', 4, 'Employee'],
  ['Guests', '93c66ed0', 6, 'Guest'],
  ['Network_Services', '93e1bf00', 3, 'Network Services'],
  ['PCI_Servers', '93f91790', 14, 'PCI Servers'],
  ['Point_of_Sale_Systems', '940facd0', 10, 'Point of Sale'],
  ['Production_Servers', '9423aa00', 11, 'Production Servers'],
  ['Production_Users', '9437a730', 7, 'Production User'],
  ['Quarantined_Systems', '944b2f30', 255, 'Quarantine'],
  ['Test_Servers', '94621290', 13, 'Test Servers'],
  ['TrustSec_Devices', '947832a0', 2, 'TrustSec Devices'],
  ['Unknown', '92adf9f0', 16, 'Unknown'],
] as const;

/** Ids of factory records end alike on all deployments. */
const ENDING = '-8c01-11e6-996c-525400b48521';

const GROUP_RECORDS: readonly FactoryRecord[] = GROUPS.map(([name, start, value, word]) => ({
  id: start + ENDING,
  name,
  description: `${word} Security Group`,
  value,
  propogateToApic: false,
  isReadOnly: false,
  defaultSGACLs: [],
}));

/** Style sheets in Base64, by the first digits of the id and the word of the name: a comment with the name, and three rules. */
const STYLE_SHEETS = {
  '9eb421c0 Blue':
    'LyogRGVmYXVsdCBCbHVlIHRoZW1lICovCi51aS1wYWdlIHsgYmFja2dyb3VuZC1jb2xvcjogI2ZmZmZmZjsgfQouY2lzY28taXNlLWJhbm5lciB7IGJhY2tncm91bmQ6ICMwMDUwNzM7IGNvbG9yOiAjZmZmZmZmOyB9Ci51aS1idG4tYWN0aXZlIHsgYm9yZGVyOiAxcHggc29saWQgIzAwNTA3MzsgfQo=',
  '9eb89e10 Olive':
    'LyogRGVmYXVsdCBPbGl2ZSB0aGVtZSAqLwoudWktcGFnZSB7IGJhY2tncm91bmQtY29sb3I6ICNmNWY2ZjA7IH0KLmNpc2NvLWlzZS1iYW5uZXIgeyBiYWNrZ3JvdW5kOiAjNmI3YTNhOyBjb2xvcjogI2ZmZmZmZjsgfQoudWktYnRuLWFjdGl2ZSB7IGJvcmRlcjogMXB4IHNvbGlkICM2YjdhM2E7IH0K',
  '9ebcc8b0 Dark Blue':
    'LyogRGVmYXVsdCBEYXJrIEJsdWUgdGhlbWUgKi8KLnVpLXBhZ2UgeyBiYWNrZ3JvdW5kLWNvbG9yOiAjMGQyNzRkOyB9Ci5jaXNjby1pc2UtYmFubmVyIHsgYmFja2dyb3VuZDogIzAwMzM1ZjsgY29sb3I6ICNmZmZmZmY7IH0KLnVpLWJ0bi1hY3RpdmUgeyBib3JkZXI6IDFweCBzb2xpZCAjMDAzMzVmOyB9Cg==',
  '9ec14550 High Contrast':
    'LyogRGVmYXVsdCBIaWdoIENvbnRyYXN0IHRoZW1lICovCi51aS1wYWdlIHsgYmFja2dyb3VuZC1jb2xvcjogIzAwMDAwMDsgfQouY2lzY28taXNlLWJhbm5lciB7IGJhY2tncm91bmQ6ICNmZmZmMDA7IGNvbG9yOiAjZmZmZmZmOyB9Ci51aS1idG4tYWN0aXZlIHsgYm9yZGVyOiAxcHggc29saWQgI2ZmZmYwMDsgfQo=',
};

const THEMES: readonly FactoryRecord[] = Object.entries(STYLE_SHEETS).map(([key, themeData]) => {
  const [start = '', ...words] = key.split(' ');
  const word = words.join(' ');
  return {
    ...{ id: start + ENDING, name: `Default ${word} theme` },
    ...{ description: `Default ${word.toLowerCase()} theme for all portals`, themeData },
  };
});

function portal(family: keyof typeof PORTAL_DEFAULTS, id: string, name: string, description: string): FactoryRecord {
  const { kind: portalType, settings, customizations } = PORTAL_DEFAULTS[family];
  return { id, name, description, portalType, settings, customizations };
}

const PROVIDERS = [
  ...['ATT', 'Clickatell', 'Global Default', 'Inmobile', 'Orange'],
  ...['Sprint', 'T-Mobile', 'TheSMSWorks', 'Twilio', 'Verizon'],
];

const SERVICES = ['SESSION', 'SESSION,PROFILER', 'SESSION,PROFILER,DEVICE ADMIN', 'PASSIVEID', 'SXP'];

export const FACTORY_RECORDS: Readonly<Record<string, readonly FactoryRecord[]>> = {
  portaltheme: THEMES,
  hotspotportal: [
    portal(
      'hotspotportal',
      'cc7fa3a2-1eda-4cc6-a9ad-3f8b5c6a0b11',
      'Hotspot Guest Portal (default)',
      'Guests do not require username and password credentials to access the network, but you can optionally require an access code',
    ),
  ],
  mydeviceportal: [
    portal(
      'mydeviceportal',
      '901f1b37-4a2f-46d9-8653-d925d2dde3aa',
      'My Devices Portal (default)',
      'Default portal used by employees to register and manage their personal devices',
    ),
  ],
  byodportal: [
    portal(
      'byodportal',
      '9a9b910c-54d3-44a4-a3c3-dd007c171599',
      'BYOD Portal (default)',
      'Default portal and user experience used when employees register a personal device on the network',
    ),
  ],
  portal: [
    {
      id: '40963c00-2e02-11e8-ba71-005056872c7f',
      name: 'Sponsored Guest Portal (default)',
      description: 'Sponsors create guest accounts, and guests access the network using their assigned credentials',
      portalType: 'SPONSOREDGUEST',
    },
    {
      id: '7e7e6a80-2e02-11e8-ba71-005056872c7f',
      name: 'Self-Registered Guest Portal (default)',
      description: 'Guests may create their own accounts and be assigned a username and password',
      portalType: 'SELFREGGUEST',
    },
    {
      id: 'f10871e0-7159-11e7-a355-005056aba474',
      name: 'Sponsor Portal (default)',
      description: 'Default portal used by sponsors to create and manage accounts for authorized visitors',
      portalType: 'SPONSOR',
    },
  ],
  smsprovider: PROVIDERS.map((name) => ({ name })),
  telemetryinfo: [
    {
      name: 'telemetry',
      status: 'SCHEnable',
      deploymentId: '1c1a2b30-8c01-4f6e-996c-525400b48521',
      udiSN: 'FCH2047V1AA',
    },
  ],
  node: nodeRows(SERVICES, 'ise', 21, ''),
  sgt: GROUP_RECORDS,
  sgtvnvlan: [],
  sxpvpns: [{ id: '3d3f4b20-8c01-11e6-996c-525400b48521', sxpVpnName: 'default' }],
  ancendpoint: [
    { name: '00:11:22:33:44:55', macAddress: '00:11:22:33:44:55', policyName: 'Quarantine' },
    { name: '66:77:88:99:AA:BB', macAddress: '66:77:88:99:AA:BB', policyName: 'Shut_Down' },
  ],
};
