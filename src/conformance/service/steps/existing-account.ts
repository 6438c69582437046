import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { openJwt } from '../../jwt/open.ts';
import type { ServiceWorld } from '../service-world.ts';
import { type ClaimBlock, readClaimBlock } from './claim-block.ts';

/** Somebody with an account here. */
export interface Owner {
  readonly email: string;
  /** With the assertion of the registration that made the account. */
  readonly completed: Answer;
}

/** The address of somebody with an account here. @throws CannotTest, NotApplicable */
export async function makeAccount(world: ServiceWorld): Promise<string> {
  return (await makeOwner(world)).email;
}

/** Made by completing a claim. @throws CannotTest, NotApplicable */
export async function makeOwner(world: ServiceWorld): Promise<Owner> {
  const { identityTypes } = world.facts;
  const email = world.freshEmail();
  if (identityTypes.includes('service_auth')) {
    const { claim, claimToken } = await world.byEmail(email);
    return { email, completed: await complete(world, claimToken, claim, email) };
  } else {
    const { claimToken } = await world.anonymous();
    const claim = await world.openClaim(claimToken, email);
    return { email, completed: await complete(world, claimToken, claim, email) };
  }
}

async function complete(
  world: ServiceWorld,
  claimToken: string,
  { userCode, verificationUri, interval }: ClaimBlock,
  email: string,
): Promise<Answer> {
  await world.user.claim({ verificationUri, userCode, email, decision: 'approve' });
  await world.time.pass((interval ?? 5) * 1000);
  const completed = await world.client.poll(claimToken);
  world.must(completed, 'identity_assertion', 'a completed claim');
  return completed;
}

/** What an answer to an ID-JAG asks its user for. */
export interface Question {
  readonly claimToken: string;
  readonly claim: ClaimBlock;
}

export function questionOf(answer: Answer): Question | undefined {
  const claimToken = answer.string('claim_token');
  const claim = readClaimBlock(answer);
  return claimToken === undefined || claim === undefined ? undefined : { claimToken, claim };
}

/** @throws CannotTest */
export function mustAsk(answer: Answer): Question {
  const question = questionOf(answer);
  if (question !== undefined) return question;
  throw new CannotTest(`An ID-JAG for an existing account gave no claim (${answer.describe()}).`);
}

/**
 * Whether a registration that was made speaks for an address: by its assertion, or by what the
 * protected resource tells of its user.
 */
export async function speaksFor(
  world: ServiceWorld,
  answer: Answer,
  email: string,
): Promise<boolean> {
  const assertion = answer.string('identity_assertion');
  if (!answer.ok || assertion === undefined) return false;
  if (openJwt(assertion)?.claims['email'] === email) return true;
  const token = (await world.client.exchange(assertion)).string('access_token');
  if (token === undefined || world.facts.resource === undefined) return false;
  const { text } = await world.client.call(token);
  return text.includes(JSON.stringify(email));
}
