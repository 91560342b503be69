/** Rows that the embedded deployment starts with, where generated ones would say little: members by name. */
type SeedRow = Readonly<Record<string, unknown>>;

/** Records of the nodes of a deployment, one for each text of the services that it runs. */
export const nodeRows = (
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
const GROUPS = [
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
  sgt: GROUPS.map(([name, description, value, propogateToApic]) => ({
    ...{ name, description, value, propogateToApic },
    ...{ isReadOnly: name === 'Quarantined_Systems', defaultSGACLs: [] },
  })),
};
