import { describe, expect, it } from 'vitest';
import { usableCores } from '../../../../load/k6/proc.ts';

const files = (texts: Readonly<Record<string, string>>) => (path: string) => texts[path];

describe('processors that may be used', () => {
  it('are those of the machine where no quota is set', () => {
    expect(usableCores(files({}), 8)).toBe(8);
    const free = files({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' });
    expect(usableCores(free, 8)).toBe(8);
  });

  it('are bounded by the quota of the container, and by that of any group above it', () => {
    const own = { '/proc/self/cgroup': '0::/pods/mine\n', '/sys/fs/cgroup/pods/mine/cpu.max': '150000 100000\n' };
    expect(usableCores(files(own), 8)).toBe(1.5);
    expect(usableCores(files({ ...own, '/sys/fs/cgroup/pods/cpu.max': '50000 100000' }), 8)).toBe(0.5);
    expect(usableCores(files(own), 1)).toBe(1);
  });

  it('are bounded by a quota of version 1', () => {
    const first = files({
      '/proc/self/cgroup': '4:cpu,cpuacct:/mine\n',
      '/sys/fs/cgroup/cpu/mine/cpu.cfs_quota_us': '200000',
      '/sys/fs/cgroup/cpu/mine/cpu.cfs_period_us': '100000',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    });
    expect(usableCores(first, 8)).toBe(2);
  });
});
