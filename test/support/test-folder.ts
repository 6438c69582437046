import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder for the test that runs; it goes with all that is in it after the `afterEach` of the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
