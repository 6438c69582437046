import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const WIDE = { width: 1280, height: 800 };

/**
 * The live view of both mocks while an agent waits for its user, by the built program.
 *
 * @param {string} root of the project
 */
export async function liveView(root) {
  const home = mkdtempSync(join(tmpdir(), 'agent-auth-pictures-'));
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const running = new Set();

  /** @param {string[]} args */
  const start = (...args) => {
    const child = spawn(process.execPath, [join(root, 'bin/agent-auth.js'), ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        AGENT_AUTH_HOME: join(home, 'config'),
        XDG_RUNTIME_DIR: home,
      },
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  /** @param {string[]} args @returns {Promise<Record<string, unknown>>} its first line */
  const ask = async (...args) => {
    const { stdout } = start(...args);
    for await (const line of createInterface({ input: stdout })) return JSON.parse(line);
    throw new Error(`agent-auth ${args.join(' ')} says nothing.`);
  };
  const close = async () => {
    for (const child of running) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(home, { recursive: true });
  };
  /** @param {import('playwright-core').Page} page */
  const look = async (page) => {
    const { url } = await ask('mock', 'open', '--print');
    await page.setViewportSize(WIDE);
    await page.goto(String(url));
    await page.locator('.user-code').waitFor();
    // The agent polls.
    await page.locator('.row.tone-waits').waitFor();
  };
  /** @param {string} tab */
  const at = (tab) => async (/** @type {import('playwright-core').Page} */ page) => {
    await look(page);
    await page.locator(`#tab-${tab}`).click();
  };

  try {
    const { service } = await ask('mock', 'up', '--port', '0');
    const url = String(service);
    await ask('register', url, '--type', 'anonymous');
    await ask('call', '/api/resource', '--service', url);
    start('connect', url, '--claim', '--email', 'carol@example.com', '--agent-name', 'Cleo');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    shots: [
      { name: 'live-mid-flow', open: look },
      {
        name: 'live-exchange',
        open: async (/** @type {import('playwright-core').Page} */ page) => {
          await look(page);
          await page.locator('[role=option]').filter({ hasText: '/agent/identity' }).last().click();
        },
      },
      {
        name: 'live-registration',
        open: async (/** @type {import('playwright-core').Page} */ page) => {
          await look(page);
          await page.locator('.unfold').first().click();
        },
      },
      { name: 'live-controls', open: at('controls') },
    ],
    close,
  };
}
