/** Rows that the embedded deployment starts with, where generated ones would say little: members by name. */
type SeedRow = Readonly<Record<string, unknown>>;

const SERVICE_MIXES = ['PDP', 'PDP,PROFILER', 'DEVICE ADMIN', 'PASSIVEID', 'PDP,SXP'] as const;

function nodeRow(services: string, index: number): SeedRow {
  const name = `ise-node-${index + 1}`;
  return {
    name,
    gateWay: '192.0.2.1',
    userName: 'admin',
    passWord: 'not-a-real-password',
    displayName: name,
    inDeployment: true,
    papNode: index < 2,
    primaryPapNode: index === 0,
    pxGridNode: index === 3,
    ipAddress: `192.0.2.${11 + index}`,
    ipAddresses: [`192.0.2.${11 + index}`],
    nodeServiceTypes: services,
    fqdn: `${name}.example.com`,
  };
}

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
  telemetryinfo: [
    {
      name: 'telemetry-primary',
      description: 'primary deployment',
      status: 'SCHEnable',
      deploymentId: '1c1a2b30-8c01-4f6e-996c-525400b48521',
      udiSN: 'FCH2047V1AA',
    },
    {
      name: 'telemetry-secondary',
      description: 'secondary deployment',
      status: 'SCHDisable',
      deploymentId: '5d9e77c2-14a7-4d1c-8a60-0f3f6bb0a9d4',
      udiSN: 'FCH2047V1BB',
    },
    {
      name: 'telemetry-laboratory',
      description: 'laboratory',
      status: 'SCHEnable',
      deploymentId: 'b07f3a11-5b2e-4c8d-9d7f-7a1e2c3d4e5f',
      udiSN: 'FCH2047V1CC',
    },
  ],
  node: SERVICE_MIXES.map(nodeRow),
  sgt: [
    {
      name: 'Auditors',
      description: 'read access',
      value: 9,
      propogateToApic: false,
      isReadOnly: false,
      defaultSGACLs: [],
    },
    {
      name: 'BYOD',
      description: 'own devices',
      value: 15,
      propogateToApic: true,
      isReadOnly: false,
      defaultSGACLs: [],
    },
    {
      name: 'Contractors',
      description: 'guests with work',
      value: 10,
      propogateToApic: false,
      isReadOnly: false,
      defaultSGACLs: [],
    },
    {
      name: 'Developers',
      description: 'build machines',
      value: 100,
      propogateToApic: true,
      isReadOnly: false,
      defaultSGACLs: [],
    },
    {
      name: 'Employees',
      description: 'everybody else',
      value: 99,
      propogateToApic: false,
      isReadOnly: false,
      defaultSGACLs: [],
    },
    {
      name: 'Quarantined_Systems',
      description: 'kept apart',
      value: 1000,
      propogateToApic: false,
      isReadOnly: true,
      defaultSGACLs: [],
    },
  ],
};
