import { ERROR_SCENES, FOREIGN_HOST } from './error-scenes.ts';
import { PROVIDER_SCENES } from './provider-scenes.ts';
import type { Scene } from './scene.ts';
import { OTHER_WAY_SCENES, SERVICE_SCENES } from './service-scenes.ts';

export { play, type Scene } from './scene.ts';
export { World } from './world.ts';

/** What the browser has to be started with. */
export const FLAGS: readonly string[] = [`--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1`];

/** Every page of the mocks, in each of its outcomes. */
export const SCENES: readonly Scene[] = [
  ...SERVICE_SCENES,
  ...OTHER_WAY_SCENES,
  ...PROVIDER_SCENES,
  ...ERROR_SCENES,
];
