// Builds etcd, kube-apiserver, kube-controller-manager and kube-scheduler from their Go modules, and the stand-in for the
// kubelets from ./kubelet, into the user's cache, for `npm run test:cluster`. Needs Go and a Go module proxy, 4 GB of disk and about 10 minutes.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [KUBERNETES, ETCD] = ['1.34.4', '3.6.6'];
const minor = KUBERNETES.replace(/^1/, '0');
const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ers-harness', 'kubernetes', KUBERNETES);
const source = join(folder, 'source');
mkdirSync(source, { recursive: true });

function go(...args) {
  const { status, stdout } = spawnSync('go', args, {
    cwd: source,
    env: { ...process.env, GOFLAGS: '-mod=mod' },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`go ${args[0]} ended with ${status}`);
  return stdout;
}

const kubernetes = `k8s.io/kubernetes@v${KUBERNETES}`;
writeFileSync(join(source, 'go.mod'), 'module cluster-parts\n');
const { GoMod } = JSON.parse(go('mod', 'download', '-json', kubernetes));
const { Replace = [], Go } = JSON.parse(go('mod', 'edit', '-json', GoMod));
// Its own parts are replaced by folders that the module does not have: they are published as modules of their own.
const staged = Replace.filter(({ New }) => New.Path.startsWith('./staging/')).map(({ Old }) => Old.Path);
const replaced = staged.map((path) => `\t${path} => ${path} v${minor}\n`).join('');
writeFileSync(
  join(source, 'go.mod'),
  `module cluster-parts\n\ngo ${Go}\n\nrequire (\n\tk8s.io/kubernetes v${KUBERNETES}\n\tgo.etcd.io/etcd/server/v3 v${ETCD}\n)\n\nreplace (\n${replaced})\n`,
);
const commands = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map(
  (name) => `k8s.io/kubernetes/cmd/${name}`,
);
const imports = [...commands, 'go.etcd.io/etcd/server/v3/etcdmain'].map((path) => `import _ "${path}"\n`).join('');
writeFileSync(join(source, 'parts.go'), `//go:build parts\n\npackage parts\n\n${imports}`);
cpSync(join(import.meta.dirname, 'kubelet'), join(source, 'kubelet'), { recursive: true });
go('mod', 'tidy');
const version = 'k8s.io/component-base/version';
const flags = [
  '-s -w',
  `-X ${version}.gitVersion=v${KUBERNETES}`,
  `-X ${version}.gitMajor=1 -X ${version}.gitMinor=${KUBERNETES.split('.')[1]}`,
].join(' ');
for (const path of ['go.etcd.io/etcd/server/v3', ...commands]) {
  console.log(`builds ${path}`);
  go('build', '-trimpath', `-ldflags=${flags}`, '-o', `${folder}/`, path);
}
console.log('builds the stand-in for the kubelets');
go('build', '-trimpath', '-ldflags=-s -w', '-o', join(folder, 'kubelet-stand-in'), './kubelet');
renameSync(join(folder, 'server'), join(folder, 'etcd'));
console.log(folder);
