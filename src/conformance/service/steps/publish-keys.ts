import { HOUR, MINUTE } from '../../../protocol/index.ts';
import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { TestKey } from '../../jwt/forge.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { TestProvider } from '../test-provider.ts';
import { isRegistered, mustBeAccepted, presentNew } from './present-id-jag.ts';

/** How long a key set may be cached, and unknown `kid`s be refused. Milliseconds. */
export const KEY_SET_PATIENCE = 10 * MINUTE;

/**
 * Makes the service take a new key that is published: a right ID-JAG under it is tried at once and, should the service
 * wait between fetches, in growing steps.
 * @throws CannotTest when it never accepts the new key, or no ID-JAG at all; NeedsOption where more time has to pass.
 */
export async function untilTaken(
  world: ServiceWorld,
  key: TestKey,
  provider: TestProvider,
): Promise<void> {
  const isTaken = async () => isRegistered((await presentNew(world, { key }, provider)).answer);
  if (await isTaken()) return;
  // Where no ID-JAG is taken, there is nothing to wait for.
  await mustBeAccepted(world, {}, provider);
  if (await world.time.until(KEY_SET_PATIENCE, isTaken)) return;
  throw new CannotTest('The service did not accept a new key of the provider within ten minutes.');
}

/** How often the key set of a provider was fetched so far. */
export function keyFetches({ hits }: TestProvider): number {
  return hits.filter(({ path }) => path.endsWith('/jwks.json')).length;
}

/** What a service answers while the key set of a provider cannot be fetched. */
export async function withoutKeys<T>(provider: TestProvider, ask: () => Promise<T>): Promise<T> {
  provider.down = true;
  try {
    return await ask();
  } finally {
    provider.down = false;
  }
}

/**
 * Repeats what needs a key that the service does not have until it tries to fetch the key set: it may wait
 * between fetches. Resolves to the last answer, after two hours whether it has tried or not.
 * @throws NeedsOption where more time has to pass.
 */
export function untilFetched(
  world: ServiceWorld,
  provider: TestProvider,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let before = 0;
  const counted = () => {
    before = keyFetches(provider);
    return ask();
  };
  return world.time.askUntil(2 * HOUR, counted, () => keyFetches(provider) > before);
}
