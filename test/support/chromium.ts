import { describeWithProgram, findOnPath } from './on-path.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The first Chromium on a search path, or `undefined`. */
export function findChromium(path: string): string | undefined {
  return findOnPath(NAMES, path);
}

/**
 * A `describe` for tests that drive a browser. Without a Chromium it is skipped and says so; with
 * AGENT_AUTH_REQUIRE_BROWSER=1 that is an error.
 */
export function describeWithChromium(name: string, body: (executablePath: string) => void): void {
  describeWithProgram({ label: 'Chromium', variable: 'BROWSER', names: NAMES }, name, body);
}
