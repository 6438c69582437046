import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** What a `package.json` says about where its project is. */
export interface PackageFile {
  readonly repository?: string | { readonly url: string };
  /** An https URL. */
  readonly homepage?: string;
}

let own: PackageFile | undefined;

/** The `package.json` of this package, read once. */
export function ownPackage(): PackageFile {
  if (own === undefined) {
    const file = createRequire(import.meta.url).resolve('agent-auth/package.json');
    own = JSON.parse(readFileSync(file, 'utf8')) as PackageFile;
  }
  return own;
}
