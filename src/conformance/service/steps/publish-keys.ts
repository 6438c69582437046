import { MINUTE } from '../../../protocol/index.ts';
import { CannotTest } from '../../engine/judge.ts';
import type { TestKey } from '../../jwt/key.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { TestProvider } from '../test-provider.ts';
import { isRegistered, presentNew } from './present-id-jag.ts';

/** How long a key set may be cached, and unknown `kid`s be refused. Milliseconds. */
export const KEY_SET_PATIENCE = 10 * MINUTE;

/**
 * Publishes a key set and has the service fetch it: a right ID-JAG under a key that is new to it is
 * tried at once and, should it wait between fetches, after that wait.
 * @throws CannotTest when it never accepts the new key; NotApplicable when no time can pass.
 */
export async function publishKeys(
  world: ServiceWorld,
  keys: readonly Readonly<Record<string, unknown>>[],
  fresh: TestKey,
  provider: TestProvider = world.providers.provider,
): Promise<void> {
  world.publish(provider, [fresh.jwk, ...keys]);
  if (isRegistered((await presentNew(world, { key: fresh }, provider)).answer)) return;
  await world.time.pass(KEY_SET_PATIENCE);
  if (isRegistered((await presentNew(world, { key: fresh }, provider)).answer)) return;
  throw new CannotTest('The service did not accept a new key of the provider within ten minutes.');
}
