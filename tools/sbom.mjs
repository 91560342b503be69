// Writes what the package stands on: sbom.cdx.json (CycloneDX, by npm itself) and THIRD-PARTY-NOTICES.md with every licence text.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NOTICE = /^(licen[cs]e|notice|copying)/i;

/** Bill of materials of what is installed with the package; throws if npm cannot make one. */
export function billOfMaterials(folder = root) {
  // With --omit=dev npm leaves out packages that the development needs too: zod, undici. So they are told apart here.
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`);
  const bill = JSON.parse(stdout);
  const installed = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const isShipped = (component) => {
    // npm names no path of a package that lies within another one of the development.
    const isOfDevelopment = component.properties?.some(({ name }) => name === 'cdx:npm:package:development');
    const { dev, devOptional, optional } = installed[pathOf(component)] ?? { dev: isOfDevelopment };
    return !dev && !devOptional && !optional;
  };
  const components = bill.components.filter(isShipped);
  const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  // npm calls a project after its folder.
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const component = { ...bill.metadata.component, name };
  return { ...bill, metadata: { ...bill.metadata, component }, components, dependencies };
}

const pathOf = (component) =>
  component.properties?.find(({ name }) => name === 'cdx:npm:package:path')?.value ?? `node_modules/${component.name}`;

function notice(component, folder) {
  const where = join(folder, pathOf(component));
  const { license = 'see its text' } = JSON.parse(readFileSync(join(where, 'package.json'), 'utf8'));
  const files = existsSync(where) ? readdirSync(where).filter((name) => NOTICE.test(name)) : [];
  const texts = files.map((name) => readFileSync(join(where, name), 'utf8').trim());
  const title = `## ${component.name} ${component.version}\n\nLicence: ${license}`;
  return [title, ...texts.map((text) => `\`\`\`text\n${text.replaceAll('\r\n', '\n')}\n\`\`\``)].join('\n\n');
}

/** The page of third-party notices for the components of a bill of materials. */
export function notices({ components }, folder = root) {
  const sorted = [...components].sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'));
  const head =
    '# Third-party notices\n\nThe packages that are installed with ers-harness. Made by `npm run sbom`: do not edit.';
  const pinned = /go\.k6\.io\/k6\/v2 v(\S+)/.exec(readFileSync(join(folder, 'tools', 'k6', 'go.mod'), 'utf8'))?.[1];
  const k6 = [
    `## k6 ${pinned}`,
    'Licence: AGPL-3.0-only',
    'k6 is no part of ers-harness and is not in its npm package. It is a program of its own that ers-harness starts, unmodified: the one ' +
      'on your machine, or one that Go builds from the published modules that `tools/k6/go.mod` and `go.sum` name. The container image ' +
      'holds one that was built in this way, with its licence in `/usr/share/licenses/k6`.',
    `Source: https://github.com/grafana/k6/tree/v${pinned}`,
  ].join('\n\n');
  return `${[head, k6, ...sorted.map((component) => notice(component, folder))].join('\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bill = billOfMaterials();
  writeFileSync(join(root, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), notices(bill));
  process.stdout.write(`${bill.components.length} packages in sbom.cdx.json and THIRD-PARTY-NOTICES.md\n`);
}
