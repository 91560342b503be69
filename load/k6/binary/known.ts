/** What was built or released under a digest: builds of tools/k6/go.mod are the same to the byte for one Go, system and processor. */
const KNOWN = [
  {
    sha256: '3f081e0f31563f792c47bfe72f93d2bafa1303e36459eff4c86813e3ab44dd71',
    origin: 'k6 2.2.0, built from tools/k6 with Go 1.26.8 for linux/amd64',
  },
];

/** License of k6, and where the source of a version is. It is a program of its own: run as it is, and never linked with ours. */
export const k6License = (version: string) =>
  ({ spdx: 'AGPL-3.0-only', source: `https://github.com/grafana/k6/tree/v${version}` }) as const;

/** What a version is known to measure wrongly on the way to a target; undefined where nothing is known. */
export function measuresWrongly(version: string, proxy: string | undefined): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < 2 || (major === 2 && minor <= 2);
  return isOld && proxy?.startsWith('https:') === true
    ? `k6 ${version} is known to measure wrongly behind an HTTPS proxy`
    : undefined;
}

/** Where a binary with this digest comes from; undefined where that is not known. */
export function originOf(sha256: string): string | undefined {
  return KNOWN.find((binary) => binary.sha256 === sha256)?.origin;
}
