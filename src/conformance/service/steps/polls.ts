import { MINUTE, SECOND } from '../../../protocol/index.ts';
import { CannotTest, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { toldEnd } from '../claim-block.ts';
import type { ServiceWorld } from '../service-world.ts';

/** How often a poll at the service's own interval may still come too early. */
const RETRIES = 4;

/**
 * A poll that is repeated, later, while it is answered `slow_down`: a service may look at the interval
 * before the state, so that answer never shows what became of a claim.
 * @throws CannotTest when even polls at the interval are answered `slow_down`.
 */
export async function pollPatiently(world: ServiceWorld, claimToken: string): Promise<Answer> {
  const { client, time } = world;
  let answer = await client.poll(claimToken);
  for (let retry = 0; retry < RETRIES && answer.errorCode === 'slow_down'; retry += 1) {
    await time.pass(client.pause(claimToken) * SECOND);
    answer = await client.poll(claimToken);
  }
  if (answer.errorCode === 'slow_down') {
    throw new CannotTest('Polls at the interval that the service set are answered slow_down.');
  }
  return answer;
}

/**
 * The same for a claim that should still be open: a poll in time, as an early one would only have the next
 * ones wait longer.
 */
export async function pollOpen(world: ServiceWorld, claimToken: string): Promise<Answer> {
  await world.time.pass(world.client.untilPoll(claimToken));
  return pollPatiently(world, claimToken);
}

/**
 * @param ms From now.
 * @throws CannotTest when the attempt of a claim, as it was told, ends before: what is refused then proves nothing.
 */
export function mustLast({ client, time }: ServiceWorld, claimToken: string, ms = 0): void {
  if (time.now() + ms < client.attemptEnd(claimToken)) return;
  throw new CannotTest('A claim attempt ends before the suite could try all of it.');
}

/** @throws NotApplicable when the service's documents offer no claim. */
export function needClaim({ client, facts }: ServiceWorld): void {
  client.endpoint('claimEndpoint');
  if (facts.claimGrant === undefined) {
    throw new NotApplicable('The service lists no claim grant in grant_types_supported.');
  }
}

/**
 * When the window ends, in milliseconds since the epoch, and a while before it: a minute, or less in a short one.
 * @throws NotApplicable when the service does not say.
 */
export function claimWindow(
  registered: Answer,
  { time }: ServiceWorld,
): { readonly end: number; readonly nearly: number } {
  const token = registered.string('claim_token');
  const end = toldEnd(registered, 'claim_token_expires', { now: time.now(), token });
  if (end === undefined) {
    throw new NotApplicable(
      'The service does not say in claim_token_expires when its window ends, nor does its claim_token.',
    );
  }
  return { end, nearly: end - Math.min(MINUTE, Math.floor((end - time.now()) / 4)) };
}
