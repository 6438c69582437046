import { readFileSync } from 'node:fs';

/** From package.json, which lies two folders up both in the sources and in the build. */
export function readVersion(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { readonly version: string };
  return version;
}
