/**
 * npm run package:weight: packs, installs into an empty project what a user gets, and writes `docs/package.md`.
 * With `-- --check` it writes nothing and fails where the page is more than a tenth off. It needs a registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedIn } from './installed.js';
import { packedFiles } from './packed-files.js';
import { readTotals, weightPage } from './weight-page.js';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/package.md');
const TOLERANCE = 0.1;

const project = mkdtempSync(join(tmpdir(), 'agent-auth-weight-'));
try {
  const npm = (/** @type {string} */ cwd, /** @type {readonly string[]} */ ...words) =>
    execFileSync('npm', words, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', project];
  const [packed] = JSON.parse(npm(root, ...packing));
  writeFileSync(join(project, 'package.json'), '{"name":"somebody","private":true}\n');
  const alone = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund'];
  npm(project, 'install', ...alone, `./${packed.filename}`);
  const markdown = weightPage({
    manifest: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    installed: installedIn(project),
    ours: installedIn(root),
    files: packedFiles(root),
    tarball: packed.size,
  });
  if (process.argv.includes('--check')) check(markdown);
  else writeFileSync(page, markdown);
  const { packages, megabytes } = readTotals(markdown);
  process.stdout.write(`${packages} packages, ${megabytes} MB\n`);
} finally {
  rmSync(project, { recursive: true });
}

function check(/** @type {string} */ measured) {
  const [said, seen] = [readTotals(readFileSync(page, 'utf8')), readTotals(measured)];
  for (const key of /** @type {const} */ (['packages', 'megabytes'])) {
    if (Math.abs(seen[key] - said[key]) <= said[key] * TOLERANCE) continue;
    process.stderr.write(
      `docs/package.md says ${said[key]} ${key}, it is ${seen[key]}: npm run package:weight\n`,
    );
    process.exitCode = 1;
  }
}
