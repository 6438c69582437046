import { SECOND } from '../../../protocol/index.ts';
import { CannotTest, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';

/** Whether a poll or an exchange gave a token. */
export function isGranted(answer: Answer): boolean {
  return answer.status === 200 && answer.string('access_token') !== undefined;
}

/** The claim is open: `slow_down` says so too (RFC 8628 §3.5). */
export function isPending(answer: Answer): boolean {
  return answer.errorCode === 'authorization_pending' || answer.errorCode === 'slow_down';
}

/** How often a poll at the pace that was told may still come too soon. */
const AGAIN = 4;

/**
 * A poll of a claim that something may have become of: asked again, later, when it came too soon. A
 * service may look at the pace before the state, so slow_down never tells what became of a claim.
 * @throws CannotTest when it slows down even what keeps its pace.
 */
export async function pollPatiently(world: ServiceWorld, claimToken: string): Promise<Answer> {
  const { client, time } = world;
  let answer = await client.poll(claimToken);
  for (let again = 0; again < AGAIN && answer.errorCode === 'slow_down'; again += 1) {
    await time.pass(client.pause(claimToken) * SECOND);
    answer = await client.poll(claimToken);
  }
  if (answer.errorCode === 'slow_down') {
    throw new CannotTest('Polls at the pace that was told are answered slow_down.');
  }
  return answer;
}

/** Words of a `scope` member; undefined when there is none. */
export function scopesOf(answer: Answer): readonly string[] | undefined {
  return answer.string('scope')?.split(' ').filter(Boolean);
}

/** A member that is a list of strings. */
export function listOf(answer: Answer, member: string): readonly string[] | undefined {
  const value = answer.member(member);
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}

/** @throws NotApplicable when the service's documents offer no claim. */
export function needClaim({ client, facts }: ServiceWorld): void {
  client.endpoint('claimEndpoint');
  if (facts.claimGrant === undefined) {
    throw new NotApplicable('The service lists no claim grant in grant_types_supported.');
  }
}
