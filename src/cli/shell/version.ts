import { createRequire } from 'node:module';
import { SCHEMAS } from './schemas.ts';

export function readVersion(): string {
  return readPackage().version;
}

/** What `--version` prints. */
export function versionText(json: boolean): string {
  const version = readVersion();
  return json
    ? JSON.stringify({ schema: SCHEMAS.version, version, node: process.versions.node })
    : version;
}

/** The Node that is needed, as in `>=20.19`. */
export function readEngine(): string {
  return readPackage().engines.node;
}

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** By the package's own name: sources and build lie at different depths. */
function readPackage(): Package {
  return createRequire(import.meta.url)('agent-auth/package.json') as Package;
}
