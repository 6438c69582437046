import { type Judge, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { Owner } from './existing-account.ts';
import { registrationOf } from './present-id-jag.ts';

/** What is asked of a world to look whose access it is. */
export type Looking = Pick<ServiceWorld, 'facts'> & {
  readonly client: Pick<ServiceWorld['client'], 'exchange' | 'call'>;
};

/**
 * Judges that an ID-JAG which nobody agreed to did not get at an account. Who is answered with an
 * identity of its own has taken nothing over, and is only warned.
 * @throws NotApplicable then: there is nothing to ask the owner of the account for.
 */
export async function expectNoTakeover<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  world: ServiceWorld,
  { owner, answer, expected }: { owner: Owner; answer: Answer; expected: string },
): Promise<void> {
  const taken = answer.ok && (await reachesAccount(world, answer, owner));
  judge.expect(name, !answer.ok, answer, { expected, warn: !taken });
  if (answer.ok && !taken) {
    throw new NotApplicable(
      'The service gives such an ID-JAG an identity that is not seen to reach the account.',
    );
  }
}

/** Whether what was answered is the owner's registration, or acts for the owner at the resource. */
export async function reachesAccount(
  world: Looking,
  answer: Answer,
  { completed }: Owner,
): Promise<boolean> {
  const registration = registrationOf(answer);
  if (registration !== undefined && registration === registrationOf(completed)) return true;
  const theirs = await userOf(world, answer);
  return theirs !== undefined && theirs === (await userOf(world, completed));
}

/** Where resources say for whom they answer; the first of them counts. */
const USER_MEMBERS = ['user', 'account', 'user_id', 'account_id', 'sub', 'email'];

/** The user, as the protected resource tells it: a text to compare. */
async function userOf({ client, facts }: Looking, answer: Answer): Promise<string | undefined> {
  const assertion = answer.string('identity_assertion');
  if (assertion === undefined || facts.resource === undefined) return undefined;
  const token = (await client.exchange(assertion)).string('access_token');
  const called = token === undefined ? undefined : await client.call(token);
  const member = USER_MEMBERS.find((name) => (called?.member(name) ?? null) !== null);
  return member === undefined ? undefined : JSON.stringify([member, called?.member(member)]);
}
