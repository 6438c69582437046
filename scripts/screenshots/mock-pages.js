import { importSource } from '../docs/import-source.js';

/**
 * The pages of both mocks, in each of their outcomes: the scenes of the browser tests.
 *
 * @param {string} root of the project
 */
export async function mockPages(root) {
  const module = /** @type {typeof import('../../test/browser/scenes/index.ts')} */ (
    await importSource(root, 'test/browser/scenes/index.ts')
  );
  const { FLAGS, play, SCENES, World } = module;
  const world = await World.start();
  return {
    flags: FLAGS,
    shots: SCENES.map((scene) => ({
      name: scene.name,
      /** @param {import('playwright-core').Page} page */
      open: (page) => play(scene, page, world),
    })),
    close: () => world.close(),
  };
}
