import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithChromium } from '../support/chromium.ts';
import { until } from '../support/until.ts';
import { tooWide, violations } from './judge-page.ts';
import { FLAGS, play, SCENES, World } from './scenes/index.ts';

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1920, height: 1000 };

describeWithChromium('the pages of the mocks', (executablePath) => {
  let browser: Browser;
  let world: World;
  /** A page for all that needs no browser of its own: a new one takes as long as a scene. */
  let usual: Page;
  /** What the policy of a page has refused it. */
  const refused: string[] = [];

  beforeAll(async () => {
    world = await World.start();
    const args = ['--no-sandbox', '--disable-gpu', ...FLAGS];
    browser = await chromium.launch({ executablePath, args });
    usual = await browser.newPage();
    usual.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** A page, brought to a scene by keyboard. */
  async function at(
    name: string,
    look: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void> {
    const scene = SCENES.find((each) => each.name === name);
    if (scene === undefined) throw new Error(`There is no scene ${name}.`);
    const context = options && (await browser.newContext({ viewport: NARROW, ...options }));
    const page = (await context?.newPage()) ?? usual;
    await page.context().clearCookies();
    await page.setViewportSize(NARROW);
    refused.length = 0;
    try {
      await play(scene, page, world);
      await look(page);
    } finally {
      await context?.close();
    }
  }

  it.each(SCENES.map(({ name }) => name))(
    '%s: by keyboard, from 320 pixels to wide, light and dark, for everybody',
    (name) =>
      at(name, async (page) => {
        expect(await tooWide(page)).toEqual([]);
        await page.setViewportSize(WIDE);
        expect(await tooWide(page)).toEqual([]);
        expect([refused, await page.locator('script').count()]).toEqual([[], 0]);
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await violations(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violations(page, ['color-contrast'])).toEqual([]);
      }),
  );

  it.each([
    'claim-approved',
    'connections-ended',
    'read-back-code',
    'device-approved',
    'consents-revoked',
  ])('%s: where the browser runs no script', (name) =>
    at(
      name,
      async (page) => {
        expect(await page.title()).not.toBe('');
      },
      { javaScriptEnabled: false },
    ),
  );

  it('counts down without a script, and says when the time is up', () =>
    at('claim', async (page) => {
      const shown = () => secondsShown(page);
      const first = await shown();
      expect(first).toBeGreaterThan(510);
      await until(async () => (await shown()) < first);

      await passTo(page, 519_500);
      expect(await shown()).toBe(1);
      await expectShown(page, { '.running': true, '.over': false });
      await passTo(page, 520_500);
      expect(await shown()).toBe(0);
      await expectShown(page, { '.running': false, '.over': true });
    }));

  it('moves nothing for who wants less motion, and says the time in words', () =>
    at(
      'claim',
      async (page) => {
        await expectShown(page, { '.digits': false, '.words': true });
        expect(await page.locator('.words').innerText()).toBe('8 minutes 40 seconds');
        await passTo(page, 520_500);
        await expectShown(page, { '.running': false, '.over': true });
      },
      { reducedMotion: 'reduce' },
    ));

  it('reads the question, the name that nobody checked and the time to a screen reader', () =>
    at('claim', async (page) => {
      const heard = (await page.locator('main').ariaSnapshot()).replace(/\s+/g, ' ');
      expect(heard).toContain(
        'It calls itself Cleo, a coding agent. Nobody has checked that name.',
      );
      expect(heard).toMatch(/8 minutes 40 seconds left until .* by the server’s clock/);
      expect(heard).not.toContain('8:40');
    }));

  it('ends no access at the first press', () =>
    at('connections-asked', async (page) => {
      const listed = await world.service
        .otherBrowser()
        .openSignedIn(page.url(), 'alice@example.com');
      expect(listed.document.querySelectorAll('.card')).toHaveLength(1);
      expect(await page.getByRole('button', { name: /^End access of/ }).isVisible()).toBe(true);
    }));

  it('says what was ended', () =>
    at('connections-ended', async (page) => {
      expect(await page.getByRole('status').innerText()).toMatch(
        /^Access ended\. Registration reg_/,
      );
      expect(await page.getByText('No agent has access to this account.').count()).toBe(1);
    }));

  it('has an icon that the policy of the pages lets in', () =>
    at('service-start', async (page) => {
      const icon = await page.locator('link[rel=icon]').getAttribute('href');
      const response = await page.request.get(new URL(icon ?? '', page.url()).href);
      expect(response.headers()['content-type']).toBe('image/svg+xml');
    }));
});

async function expectShown(page: Page, wanted: Readonly<Record<string, boolean>>): Promise<void> {
  const seen: Record<string, boolean> = {};
  for (const name of Object.keys(wanted)) seen[name] = await page.locator(name).isVisible();
  expect(seen).toEqual(wanted);
}

/** What the digits of the countdown are made of. */
function secondsShown(page: Page): Promise<number> {
  return page.evaluate(
    "Number(getComputedStyle(document.querySelector('.digits')).getPropertyValue('--t'))",
  );
}

/** Lets the time of the page's animations pass, to so many milliseconds after it was loaded. */
async function passTo(page: Page, ms: number): Promise<void> {
  await page.evaluate(`for (const animation of document.getAnimations()) {
    animation.currentTime = ${ms};
    animation.pause();
  }`);
}
