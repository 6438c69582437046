import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { afterEach, beforeEach } from 'vitest';
import { describeWithChromium } from '../support/chromium.ts';
import { Terminal } from './terminal.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Desk {
  readonly browser: BrowserContext;
  readonly terminal: Terminal;
}

/** A `describe` whose tests have a real browser with a fresh profile, and a terminal beside it. */
export function describeAtDesk(name: string, body: (desk: () => Desk) => void): void {
  describeWithChromium(name, (executablePath) => {
    let profile: string;
    let desk: Desk;

    beforeEach(async () => {
      profile = mkdtempSync(join(tmpdir(), 'agent-auth-chromium-'));
      const browser = await chromium.launchPersistentContext(profile, {
        executablePath,
        args: FLAGS,
      });
      desk = { browser, terminal: new Terminal() };
    });

    afterEach(async () => {
      await desk.browser.close();
      await desk.terminal.close();
      rmSync(profile, { recursive: true, force: true });
    });

    body(() => desk);
  });
}
