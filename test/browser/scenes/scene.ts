import type { Page } from 'playwright-core';
import { Hands } from './hands.ts';
import type { World } from './world.ts';

/** A page in one of its outcomes, and the way to it by keyboard. */
export interface Scene {
  /** Also names its picture. */
  readonly name: string;
  /** The first heading of the page. */
  readonly heading: string;
  open(stage: { readonly hands: Hands; readonly page: Page; readonly world: World }): Promise<void>;
}

export async function play(scene: Scene, page: Page, world: World): Promise<void> {
  await world.reset();
  await scene.open({ hands: new Hands(page), page, world });
  await page.getByRole('heading', { name: scene.heading, exact: true }).first().waitFor();
}
