import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { LiveAssets } from '../../../mock/live/live-view.ts';

/** What the build makes of the page of the live view; undefined where it is missing. Read once it is there. */
export function liveAssets(): () => Promise<LiveAssets | undefined> {
  let assets: LiveAssets | undefined;
  return async () => {
    assets ??= await readAssets();
    return assets;
  };
}

async function readAssets(): Promise<LiveAssets | undefined> {
  const root = dirname(createRequire(import.meta.url).resolve('agent-auth/package.json'));
  const read = (name: string) => readFile(join(root, 'dist/live', name), 'utf8');
  try {
    const [script, style] = await Promise.all([read('app.js'), read('app.css')]);
    return { script, style };
  } catch {
    return undefined;
  }
}
