import { readFileSync } from 'node:fs';
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

/** It lies two folders up both in the sources and in the build. */
function readPackage(): Package {
  return JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as Package;
}
