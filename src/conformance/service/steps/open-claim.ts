import type { Answer } from '../../http/answer.ts';
import type { Page } from '../../pages/visitor.ts';
import { asksForCode, decide } from '../../user/form-user.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { ClaimBlock } from './claim-block.ts';
import { Hops } from './hops.ts';
import { pollPatiently } from './polls.ts';

/** A claim that waits for its user. */
export interface OpenClaim {
  /** Undefined where the answers name none. */
  readonly id: string | undefined;
  readonly email: string;
  readonly claimToken: string;
  readonly claim: ClaimBlock;
}

/** By whatever registration the service offers. @throws NotApplicable, CannotTest */
export async function openClaim(
  world: ServiceWorld,
  email = world.freshEmail(),
): Promise<OpenClaim> {
  if (world.facts.identityTypes.includes('service_auth')) {
    const { answer, claim, claimToken } = await world.byEmail(email);
    return { id: answer.string('registration_id'), email, claimToken, claim };
  }
  // First of all: a service without claims has no claim token to miss.
  world.client.endpoint('claimEndpoint');
  const { answer, claimToken } = await world.anonymous();
  const id = answer.string('registration_id');
  return { id, email, claimToken, claim: await world.openClaim(claimToken, email) };
}

/** What its user does about it, in a browser that stays signed in, and what a poll says then. */
export async function complete(
  world: ServiceWorld,
  { claim, claimToken, email }: OpenClaim,
): Promise<{ readonly hops: Hops; readonly page: Page; readonly polled: Answer }> {
  const hops = new Hops(world);
  const asked = await hops.toCode(claim.verificationUri, email);
  const form = asked.forms.find(asksForCode);
  const { userCode } = claim;
  const page =
    form === undefined
      ? asked
      : await decide(hops.visitor, asked, form, { userCode, decision: 'approve' });
  return { hops, page, polled: await pollPatiently(world, claimToken) };
}
