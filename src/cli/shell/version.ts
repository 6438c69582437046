import description from '../../../package.json' with { type: 'json' };
import { SCHEMAS } from './schemas.ts';

export function readVersion(): string {
  return description.version;
}

/** What `--version` prints. */
export function versionText(json: boolean): string {
  const version = readVersion();
  return json
    ? JSON.stringify({ schema: SCHEMAS.version, version, node: process.versions.node })
    : version;
}

/** The Node that is needed, as in `^20.19.0 || >=24`. */
export function readEngine(): string {
  return description.engines.node;
}
