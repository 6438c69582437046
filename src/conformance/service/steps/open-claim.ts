import type { Answer } from '../../http/answer.ts';
import type { Page } from '../../pages/visitor.ts';
import { asksForCode } from '../../user/form-fields.ts';
import { decide } from '../../user/form-user.ts';
import type { ClaimTask } from '../../user/user.ts';
import type { ClaimBlock } from '../claim-block.ts';
import type { ServiceWorld } from '../service-world.ts';
import { ClaimPageSession, openClaimPage } from './claim-page-session.ts';
import { Hops } from './hops.ts';
import { pollOpen, pollPatiently } from './polls.ts';

/** A claim that its user has not decided yet. */
export interface OpenClaim {
  /** Undefined where the answers name none. */
  readonly id: string | undefined;
  /** The answer that opened it: of the registration, or of the claim endpoint. */
  readonly answer: Answer;
  readonly email: string;
  readonly claimToken: string;
  readonly claim: ClaimBlock;
}

/** Opened by whatever registration the service offers. @throws NotApplicable, CannotTest */
export async function openClaim(
  world: ServiceWorld,
  email = world.freshEmail(),
): Promise<OpenClaim> {
  if (world.facts.identityTypes.includes('service_auth')) {
    const { answer, claim, claimToken } = await world.byEmail(email);
    return { id: answer.string('registration_id'), answer, email, claimToken, claim };
  }
  // First: a service without claims has no claim token to miss.
  world.client.endpoint('claimEndpoint');
  const { answer: registered, claimToken } = await world.anonymous();
  const id = registered.string('registration_id');
  const answer = await world.client.startClaim(claimToken, email);
  return { id, answer, email, claimToken, claim: world.mustClaim(answer) };
}

/** Its user approves it in a browser, which stays signed in, and the agent polls. */
export async function approveClaim(
  world: ServiceWorld,
  { claim, claimToken, email }: Pick<OpenClaim, 'claim' | 'claimToken' | 'email'>,
): Promise<{ readonly hops: Hops; readonly page: Page; readonly polled: Answer }> {
  const { userCode } = claim;
  const hops = new Hops(world);
  const asked = await hops.toCode(claim.verificationUri, email);
  const form = asked.forms.find(asksForCode);
  const approval = { userCode, decision: 'approve', email } as const;
  const page = form === undefined ? asked : await decide(hops.visitor, asked, form, approval);
  return { hops, page, polled: await pollPatiently(world, claimToken) };
}

/**
 * Makes the user approve or deny a claim.
 * @throws CannotTest when the page with the code is not reached: what a poll answers then proves nothing.
 */
export async function decideClaim(world: ServiceWorld, task: ClaimTask): Promise<void> {
  if (world.user.kind !== 'form') {
    await world.user.claim(task);
    return;
  }
  const session = await ClaimPageSession.open(world, task, task.email);
  await (task.decision === 'deny' ? session.deny() : session.approve(task.userCode));
}

type Attempt = Pick<ClaimBlock, 'userCode' | 'verificationUri'>;

/** Opens a link, signs in and types the code: the page that follows; undefined where no code is asked for. */
export async function approveAt(
  world: ServiceWorld,
  { userCode, verificationUri }: Attempt,
  email: string,
): Promise<Page | undefined> {
  const { form, page, visitor } = await openClaimPage(world, verificationUri, email);
  return form && decide(visitor, page, form, { userCode, decision: 'approve', email });
}

/** The same, and polls: whether it is claimed. */
export async function tryToClaim(
  world: ServiceWorld,
  claim: Attempt & { readonly claimToken: string },
  email: string,
): Promise<Answer> {
  await approveAt(world, claim, email);
  return pollOpen(world, claim.claimToken);
}
