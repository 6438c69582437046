import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { CannotTest } from '../engine/judge.ts';
import { NoDenial } from './own-reading.ts';
import type { ClaimReport, ClaimTask, User } from './user.ts';
import { CODE_WORDS, DENY_WORDS, LEAVE_WORDS } from './words.ts';

/** Which browser, and how patient. */
export interface BrowserUserOptions {
  /** A Chromium. Default: the first one on the search path. */
  readonly executable?: string | undefined;
  /** The search path, as `PATH` has it. */
  readonly searchPath: string;
  /** Milliseconds for one step of a page. Default: 10 seconds. */
  readonly within?: number;
  /** Further arguments for it. */
  readonly flags?: readonly string[];
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const QUIET = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const MAX_STEPS = 8;

/** Acts in a real browser, and finds fields and buttons by role and label. */
export class BrowserUser implements User {
  readonly kind = 'browser';
  readonly #options: BrowserUserOptions;
  #browser: Promise<Browser> | undefined;

  constructor(options: BrowserUserOptions) {
    this.#options = options;
  }

  async claim(task: ClaimTask): Promise<ClaimReport> {
    this.#browser ??= launch(this.#options);
    const context = await (await this.#browser).newContext();
    context.setDefaultTimeout(this.#options.within ?? 10_000);
    try {
      const page = await context.newPage();
      let status: number | undefined;
      page.on('response', (response) => {
        if (response.frame() === page.mainFrame() && response.request().isNavigationRequest()) {
          status = response.status();
        }
      });
      await page.goto(task.verificationUri);
      await signIn(page, task.email);
      await decide(page, task);
      return { status, text: await page.locator('body').innerText(), exchange: undefined };
    } catch (error) {
      if (error instanceof CannotTest || error instanceof NoDenial) throw error;
      const name = error instanceof Error ? error.name : 'unknown problem';
      throw new CannotTest(`The browser did not complete the pages (${name}).`);
    } finally {
      await context.close();
    }
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
    this.#browser = undefined;
  }
}

async function launch({
  executable,
  searchPath,
  flags = [],
}: BrowserUserOptions): Promise<Browser> {
  const executablePath = executable ?? findChromium(searchPath);
  if (executablePath === undefined) {
    throw new CannotTest(
      `No Chromium is on the PATH (${NAMES.join(', ')}): name one, or use --user form.`,
    );
  }
  // An optional peer dependency.
  const { chromium } = await import('playwright-core').catch(() => {
    throw new CannotTest(
      'The package playwright-core is not installed: npm install playwright-core.',
    );
  });
  try {
    return await chromium.launch({ executablePath, args: [...QUIET, ...flags] });
  } catch {
    throw new CannotTest(`The browser ${executablePath} cannot be started.`);
  }
}

function findChromium(searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Signs in until a page asks for a code, or is no longer part of a sign-in. */
async function signIn(page: Page, email: string): Promise<void> {
  let given = false;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await isThere(codeField(page))) return;
    if (await isThere(page.locator('input[type=password]'))) {
      throw new CannotTest('The sign-in asks for a password: use --user manual or command.');
    }
    const emailField = page.locator('input[type=email], input[autocomplete=username]').first();
    const asked = await isThere(emailField);
    const button = await buttonBeside(page, asked ? emailField : undefined);
    if (button === undefined || (!asked && !given)) return;
    if (asked) await emailField.fill(email);
    given = true;
    await press(page, button);
  }
  throw new CannotTest('The sign-in does not end.');
}

async function decide(page: Page, { decision, userCode }: ClaimTask): Promise<void> {
  const field = codeField(page);
  if (!(await isThere(field))) return;
  if (decision === 'approve') await field.fill(userCode);
  const buttons =
    decision === 'deny' ? page.getByRole('button') : formOf(field).getByRole('button');
  for (const button of await buttons.all()) {
    if (DENY_WORDS.test(await nameOf(button)) === (decision === 'deny')) {
      await press(page, button);
      return;
    }
  }
  if (decision === 'deny') throw new NoDenial();
  throw new CannotTest('The form with the code has no button to approve: use --user manual.');
}

function codeField(page: Page): Locator {
  return page
    .getByRole('textbox', { name: CODE_WORDS })
    .or(page.locator('input[autocomplete=one-time-code], input[name*=code i]:not([type=hidden])'))
    .first();
}

function formOf(field: Locator): Locator {
  return field.page().locator('form').filter({ has: field });
}

/** The button that continues. */
async function buttonBeside(page: Page, field: Locator | undefined): Promise<Locator | undefined> {
  const within = field === undefined ? page.locator('body') : formOf(field);
  for (const button of await within.getByRole('button').all()) {
    const name = await nameOf(button);
    if (!LEAVE_WORDS.test(name) && !DENY_WORDS.test(name)) return button;
  }
  return undefined;
}

async function nameOf(button: Locator): Promise<string> {
  const value = await button.getAttribute('value');
  return `${await button.innerText()} ${value ?? ''}`;
}

async function press(page: Page, button: Locator): Promise<void> {
  const loaded = page.waitForEvent('load');
  await button.click();
  await loaded;
}

async function isThere(locator: Locator): Promise<boolean> {
  return (await locator.count()) > 0;
}
