import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The first Chromium on a search path, or `undefined`. */
export function findChromium(path: string): string | undefined {
  return path
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(isExecutable);
}

/**
 * A `describe` for tests that drive a browser. Without a Chromium it is skipped and says so; with
 * AGENT_AUTH_REQUIRE_BROWSER=1 that is an error.
 */
export function describeWithChromium(name: string, body: (executablePath: string) => void): void {
  const found = findChromium(process.env['PATH'] ?? '');
  if (found === undefined && process.env['AGENT_AUTH_REQUIRE_BROWSER'] === '1') {
    throw new Error('AGENT_AUTH_REQUIRE_BROWSER=1, but no Chromium is on the PATH');
  }
  if (found === undefined) {
    process.stdout.write(`skipped: ${name}: no Chromium on the PATH\n`);
  }
  describe.skipIf(found === undefined)(name, () => body(found ?? ''));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
