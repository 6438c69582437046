import type { Scene } from './scene.ts';
import { ALICE, openClaim } from './service-scenes.ts';

/** A host that leads to the mocks and is none of theirs: the browser has to be told where it leads. */
export const FOREIGN_HOST = 'elsewhere.test';

/** The start pages, and what a browser is told that asks for something else. */
export const ERROR_SCENES: readonly Scene[] = [
  {
    name: 'service-start',
    heading: 'A mock service for tests',
    open: async ({ page, world }) => {
      await page.goto(world.service.url);
    },
  },
  {
    name: 'provider-start',
    heading: 'A mock agent provider for tests',
    open: async ({ page, world }) => {
      await page.goto(world.provider.url);
    },
  },
  {
    name: 'error-404',
    heading: 'Not found',
    open: async ({ page, world }) => {
      await page.goto(`${world.service.url}/no/such/page`);
    },
  },
  {
    name: 'error-404-link',
    heading: 'Not found',
    open: async ({ hands, world }) => hands.signIn(`${world.service.url}/c/cat_unknown`, ALICE),
  },
  {
    name: 'error-405',
    heading: 'Method not allowed',
    open: async ({ page, world }) => {
      await page.goto(`${world.service.url}/agent/identity`);
    },
  },
  {
    name: 'error-413',
    heading: 'Too much was sent',
    open: async ({ hands, page, world }) => {
      await page.goto(`${world.service.url}/login`);
      // No form of ours sends so much: this is what another program made of it.
      await page.locator('input[name=return_to]').evaluate((field) => {
        field.setAttribute('value', 'x'.repeat(70_000));
      });
      await hands.type('Email address', ALICE);
      await hands.press('Sign in');
    },
  },
  {
    name: 'error-out-of-date',
    heading: 'The form was not accepted',
    open: async ({ hands, page, world }) => {
      await page.goto(`${world.service.url}/login`);
      await page.context().clearCookies();
      await hands.type('Email address', ALICE);
      await hands.press('Sign in');
    },
  },
  {
    name: 'error-429',
    heading: 'Too many attempts',
    open: async ({ hands, page, world: { service } }) => {
      const { code, link } = await openClaim(service);
      const other = service.otherBrowser();
      let at = await other.openSignedIn(link, ALICE);
      const wrong = code === '111111' ? '222222' : '111111';
      for (let tries = 0; tries < 5; tries += 1) {
        at = await other.submit(at, '/agent/identity/claim/complete', { user_code: wrong });
      }
      await hands.signIn(link, ALICE);
      await page.waitForLoadState();
    },
  },
  {
    name: 'error-421',
    heading: 'Wrong host',
    open: async ({ page, world }) => {
      await page.goto(`http://${FOREIGN_HOST}:${new URL(world.service.url).port}/`);
    },
  },
];
