import type { Locator, Page } from 'playwright-core';

/** More stops of the Tab key than any page has. */
const MOST_STOPS = 60;

/** A user of a page who has a keyboard and nothing else. */
export class Hands {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Types into the field with a label, over what it holds. */
  async type(label: string, text: string): Promise<void> {
    await this.#reach(this.page.getByLabel(label, { exact: true }));
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** Presses a button or follows a link, and waits for the page that it leads to. */
  async press(name: string | RegExp): Promise<void> {
    const target = this.page
      .getByRole('button', { name })
      .or(this.page.getByRole('link', { name }));
    await this.#reach(target);
    const loaded = this.page.waitForEvent('load');
    await this.page.keyboard.press('Enter');
    await loaded;
  }

  /** Unfolds what stands behind a heading. */
  async unfold(name: string | RegExp): Promise<void> {
    await this.#reach(this.page.locator('summary').filter({ hasText: name }));
    await this.page.keyboard.press('Enter');
  }

  async signIn(url: string, email: string): Promise<void> {
    await this.page.goto(url);
    await this.type('Email address', email);
    await this.press('Sign in');
  }

  async #reach(target: Locator): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) {
        return;
      }
      await this.page.keyboard.press('Tab');
    }
    throw new Error('The Tab key does not lead there.');
  }
}
