import { CannotTest, type FindingDetails, type Judge, type Reading } from '../../engine/judge.ts';
import { failing } from '../../engine/rows.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';
import { isGranted, isPending, notLimited } from './answers.ts';
import { ClaimPageSession } from './claim-page-session.ts';
import { someRegistration } from './new-registration.ts';
import { openClaim } from './open-claim.ts';
import { pollPatiently } from './polls.ts';
import { isRegistered, mustBeAccepted } from './present-id-jag.ts';

// A refusal counts only where there was something to refuse: what is refused here when it is wrong is taken
// when it is right. Each of these ends a scenario that would otherwise pass at a service that does nothing.

/** @throws CannotTest when a right registration is not taken. */
export async function mustTakeRegistrations(world: ServiceWorld): Promise<void> {
  const { identityTypes } = world.facts;
  if (identityTypes.every((type) => type === 'identity_assertion'))
    return void (await mustBeAccepted(world));
  const answer = notLimited(await world.client.identity(someRegistration(world)));
  if (isRegistered(answer)) return;
  throw new CannotTest(
    `A right registration led to nothing (${answer.describe()}), so that a refusal of a wrong one says nothing.`,
  );
}

/** What a call with a bad token is answered too, or whatever the token is. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([400, 401, 403, 429]);

/** Judges nothing: a token with which the protected resource is opened. @throws CannotTest */
export async function mustOpen(world: ServiceWorld, token: string): Promise<Answer> {
  const answer = await world.client.call(token);
  if (!SAYS_NOTHING.has(answer.status) && answer.status < 500) return answer;
  throw new CannotTest(
    `A call with a fresh access token was refused (${answer.describe()}), so that a refusal of another says nothing.`,
  );
}

/**
 * A row for a call with what is no valid token: a 4xx, and not for a scope that is missing, nor what the call
 * with a valid token is answered.
 */
export const refusedUnlike =
  (opened: Answer) =>
  (answer: Answer): Reading => ({
    ok: answer.refused && answer.status !== 403 && answer.status !== opened.status,
    ...failing(answer),
  });

/** @throws CannotTest when the poll of an open claim is not pending. */
export async function mustBePending(world: ServiceWorld, claimToken: string): Promise<void> {
  const answer = notLimited(await world.client.poll(claimToken));
  if (isPending(answer)) return;
  throw new CannotTest(
    `A poll of an open claim was not answered authorization_pending (${answer.describe()}).`,
  );
}

/**
 * Once in a run: a claim whose user types the right code is completed.
 * @throws CannotTest when it is not: then nothing that completes no claim was kept from it.
 */
export function mustCompleteClaims(world: ServiceWorld): Promise<void> {
  return world.once('a claim can be completed', async () => {
    const { claim, claimToken, email } = await openClaim(world, world.userEmail());
    const session = await ClaimPageSession.open(world, claim, email);
    const typed = await session.approve(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    if (isGranted(polled)) return;
    throw new CannotTest(
      `A claim whose user typed the right code (the page answered ${typed.status}) is not completed: a poll was answered ${polled.describe()}.`,
    );
  });
}

/**
 * What completed nothing, in a scenario that ends with a completion: it was kept out only if the right code
 * completes the claim in the end. What did complete it fails at once.
 */
export class KeptOut<Name extends string> {
  readonly #judge: Judge<Name>;
  readonly #names = new Set<Name>();

  constructor(judge: Judge<Name>) {
    this.#judge = judge;
  }

  /** @param polled The poll after the try. Returns whether the claim is still open. */
  tried(name: Name, polled: Answer, more: FindingDetails = {}): boolean {
    this.#names.add(name);
    return !isGranted(polled) || this.#judge.expect(name, false, polled, more);
  }

  /** @param polled The poll after the right code. */
  end(polled: Answer): void {
    for (const name of this.#names) {
      if (isGranted(polled)) this.#judge.expect(name, true, polled);
      else {
        const reason = `The right code completes nothing either: the last poll was answered ${polled.describe()}.`;
        this.#judge.untestable(name, reason);
      }
    }
  }
}
