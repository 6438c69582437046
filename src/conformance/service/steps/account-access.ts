import { CannotTest, type Judge, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { openJwt } from '../../jwt/open.ts';
import { type ClaimBlock, readClaimBlock } from '../claim-block.ts';
import type { ServiceWorld } from '../service-world.ts';
import { pollPatiently } from './polls.ts';
import { registrationOf } from './present-id-jag.ts';

/** Somebody with an account here. */
interface Owner {
  readonly email: string;
  /** The poll with the assertion of the registration that made the account. */
  readonly completed: Answer;
}

/** Makes an account, by completing a claim. @throws CannotTest, NotApplicable */
export async function makeOwner(world: ServiceWorld): Promise<Owner> {
  const email = world.freshEmail();
  const open = await openClaimFor(world, email);
  await decideInteraction(world, open, email, 'approve');
  const completed = await pollPatiently(world, open.claimToken);
  world.must(completed, 'identity_assertion', 'a completed claim');
  return { email, completed };
}

async function openClaimFor(world: ServiceWorld, email: string): Promise<Interaction> {
  if (world.facts.identityTypes.includes('service_auth')) return world.byEmail(email);
  const { claimToken } = await world.anonymous();
  return { claimToken, claim: await world.openClaim(claimToken, email) };
}

/** What an `interaction_required` asks the user of an ID-JAG for. */
export interface Interaction {
  readonly claimToken: string;
  readonly claim: ClaimBlock;
}

export function interactionOf(answer: Answer): Interaction | undefined {
  const claimToken = answer.string('claim_token');
  const claim = readClaimBlock(answer);
  return claimToken === undefined || claim === undefined ? undefined : { claimToken, claim };
}

/** @throws CannotTest */
export function mustRequireInteraction(answer: Answer): Interaction {
  const interaction = interactionOf(answer);
  if (interaction !== undefined) return interaction;
  throw new CannotTest(`An ID-JAG for an existing account gave no claim (${answer.describe()}).`);
}

/** The user approves or denies. What comes of it is polled for patiently: nothing needs to pass before. */
export async function decideInteraction(
  world: ServiceWorld,
  { claim: { userCode, verificationUri } }: Interaction,
  email: string,
  decision: 'approve' | 'deny',
): Promise<void> {
  await world.user.claim({ verificationUri, userCode, email, decision });
}

/** What of a world it takes to see whose account a registration reaches. */
export type AccountReader = Pick<ServiceWorld, 'facts'> & {
  readonly client: Pick<ServiceWorld['client'], 'exchange' | 'call'>;
};

/**
 * Judges whether the owner of an account is asked before an ID-JAG with its email is linked. The row of the
 * specification, read literally, establishes the identity at once, so that this is never more than a
 * warning: its provider is trusted, and has verified the email.
 * @throws NotApplicable when nobody is asked: then nothing can be confirmed or denied.
 */
export function expectOwnerAsked<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  answer: Answer,
): void {
  if (judge.expect(name, !answer.ok, answer, { reading: LITERAL_ROW })) return;
  throw new NotApplicable(NOBODY_IS_ASKED);
}

/** Whose reading a silent link breaks, and whose it follows. */
const LITERAL_ROW =
  'Attack A-20 and the wire contract ask the owner of an existing account first; agent-registration.md, States and transitions, read literally, establishes the identity at once.';

export const NOBODY_IS_ASKED =
  'The service answers an ID-JAG for an existing account with 200 (id-jag-confirmation.never-silent): nobody is asked to confirm it.';

const OF_ITS_OWN = 'It is not seen to reach the account: it may be an identity of its own.';

/**
 * Judges that a service that asks its users has not let an ID-JAG reach an account without being asked. An
 * answer with an identity of its own has taken nothing over, and is only warned.
 */
export async function expectNoTakeover<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  world: ServiceWorld,
  owner: Owner,
  answer: Answer,
): Promise<void> {
  const isTakenOver = answer.ok && (await reachesAccount(world, answer, owner));
  const reading = isTakenOver ? undefined : OF_ITS_OWN;
  judge.expect(name, !answer.ok, answer, { reading });
}

/** Whether an answer gives the owner's registration, or acts for the owner at the resource. */
export async function reachesAccount(
  reader: AccountReader,
  answer: Answer,
  { completed }: Owner,
): Promise<boolean> {
  const registration = registrationOf(answer);
  if (registration !== undefined && registration === registrationOf(completed)) return true;
  const user = await userOf(reader, answer);
  return user !== undefined && user === (await userOf(reader, completed));
}

/** Whether a registration has the access of an email: by its assertion, or by what the resource answers. */
export async function hasAccessOf(
  reader: AccountReader,
  answer: Answer,
  email: string,
): Promise<boolean> {
  const assertion = answer.string('identity_assertion');
  if (!answer.ok || assertion === undefined) return false;
  if (openJwt(assertion)?.claims['email'] === email) return true;
  const called = await callWith(reader, assertion);
  return called?.text.includes(JSON.stringify(email)) ?? false;
}

/** Where resources say for whom they answer; the first of them counts. */
const USER_MEMBERS = ['user', 'account', 'user_id', 'account_id', 'sub', 'email'];

/** The user, as the protected resource shows it: a text to compare. */
async function userOf(reader: AccountReader, answer: Answer): Promise<string | undefined> {
  const assertion = answer.string('identity_assertion');
  const called = assertion === undefined ? undefined : await callWith(reader, assertion);
  const member = USER_MEMBERS.find((name) => (called?.member(name) ?? null) !== null);
  return member === undefined ? undefined : JSON.stringify([member, called?.member(member)]);
}

/** A call of the protected resource by an assertion; undefined where that is not possible. */
async function callWith(
  { client, facts }: AccountReader,
  assertion: string,
): Promise<Answer | undefined> {
  if (facts.resource === undefined) return undefined;
  const token = (await client.exchange(assertion)).string('access_token');
  return token === undefined ? undefined : client.call(token);
}
