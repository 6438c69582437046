import { ID_JAG_TOKEN_TYPE } from '../../../protocol/index.ts';
import { CannotTest, type Judge, type Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import { openJwt } from '../../jwt/open.ts';
import { readClaimBlock } from '../claim-block.ts';
import type { ServiceWorld, Subject } from '../service-world.ts';
import type { MintOptions, TestProvider } from '../test-provider.ts';
import { notLimited } from './answers.ts';
import { connectionFor, expectRefused, orNoAnswer, type Reply } from './expect-refused.ts';

interface Presented extends Subject {
  readonly assertion: string;
  readonly answer: Answer;
}

/** Registers with a JWT, right or wrong. @throws CannotTest where a rate limit hides the answer. */
export async function present(world: ServiceWorld, assertion: string): Promise<Answer> {
  return notLimited(await world.client.registerByIdJag(assertion));
}

/** The same for what a service may refuse to read to its end. */
export async function presentRaw(world: ServiceWorld, assertion: string): Promise<Reply> {
  const body = { type: 'identity_assertion', assertion_type: ID_JAG_TOKEN_TYPE, assertion };
  const sent = world.client.identity(body, connectionFor(assertion)).then(notLimited);
  return orNoAnswer(sent, assertion);
}

/** Presents an ID-JAG of a new user, right but for the options. */
export async function presentNew(
  world: ServiceWorld,
  options: MintOptions = {},
  provider?: TestProvider,
): Promise<Presented> {
  const whom = world.freshSubject();
  const assertion = world.idJag(whom, options, provider);
  return { ...whom, assertion, answer: await present(world, assertion) };
}

/** Whether an ID-JAG was taken: of a wrong one, an answer with 2xx is enough to say so. */
export function isAccepted(reply: Reply): boolean {
  return !(reply instanceof NoAnswer) && (reply.ok || isRegistered(reply));
}

/**
 * Whether it led anywhere: to a registration at once, or to a claim for its user. A service that asks each
 * new user is as right as one that does not; one that answers 200 and gives nothing has taken nothing.
 */
export function isRegistered(answer: Answer): boolean {
  const isGiven = (member: string) => answer.string(member) !== undefined;
  return (
    isGiven('identity_assertion') || isGiven('claim_token') || readClaimBlock(answer) !== undefined
  );
}

/** A row for an answer to an ID-JAG. */
export const accepted = (answer: Answer): Reading => ({ ok: isRegistered(answer) });

/**
 * Presents a right ID-JAG, before and after wrong ones: a service that refuses everything proves nothing.
 * @throws CannotTest when it is refused.
 */
export async function mustBeAccepted(
  world: ServiceWorld,
  options: MintOptions = {},
  provider?: TestProvider,
): Promise<Presented> {
  const presented = await presentNew(world, options, provider);
  if (isRegistered(presented.answer)) return presented;
  throw new CannotTest(
    `A right ID-JAG of the suite's provider led to nothing (${presented.answer.describe()}).`,
  );
}

/** Presents a right ID-JAG that is answered with an assertion at once. @throws CannotTest */
export async function mustRegister(
  world: ServiceWorld,
  whom: Subject = world.freshSubject(),
  options: MintOptions = {},
  provider?: TestProvider,
): Promise<Presented & { readonly identityAssertion: string }> {
  const assertion = world.idJag(whom, options, provider);
  const answer = await present(world, assertion);
  const what = 'a registration with an ID-JAG';
  const identityAssertion = world.must(answer, 'identity_assertion', what);
  return { ...whom, assertion, answer, identityAssertion };
}

/** Judges that an ID-JAG, or what was sent in place of one, was refused. */
export function expectIdJagRefused<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  reply: Reply,
  what?: string,
  reading?: string,
): boolean {
  return expectRefused(judge, name, reply, isAccepted, { case: what, reading });
}

/** An ID-JAG that differs from a right one: the check that it decides, how it differs, how it is minted. */
export type IdJagVariant<Name extends string> = readonly [
  check: Name,
  what: string,
  options: MintOptions,
  // Whose reading allows the opposite: never more than a warning.
  reading?: string | undefined,
];

/** Presents each, for a new user, and judges that it is refused. */
export async function expectEachRefused<Name extends string>(
  judge: Judge<Name>,
  world: ServiceWorld,
  variants: readonly IdJagVariant<Name>[],
  provider?: TestProvider,
): Promise<void> {
  for (const [check, what, options, reading] of variants) {
    const { answer } = await world.recorder.oddly(`an ID-JAG: ${what}`, () =>
      presentNew(world, options, provider),
    );
    expectIdJagRefused(judge, check, answer, what, reading);
  }
}

/** Presents each, for a new user, and judges that it is accepted. */
export async function expectEachAccepted<Name extends string>(
  judge: Judge<Name>,
  world: ServiceWorld,
  variants: readonly IdJagVariant<Name>[],
): Promise<void> {
  for (const [check, what, options, reading] of variants) {
    const { answer } = await presentNew(world, options);
    judge.expect(check, isRegistered(answer), answer, { case: what, reading });
  }
}

/** What identifies a registration: its id, or the subject of its assertion. */
export function registrationOf(answer: Answer): string | undefined {
  const id = answer.string('registration_id');
  if (id !== undefined) return id;
  const assertion = answer.string('identity_assertion');
  const sub = assertion === undefined ? undefined : openJwt(assertion)?.claims['sub'];
  return typeof sub === 'string' ? sub : undefined;
}

/** Whether the service trusts the suite's second provider too. */
export async function trustsOther(world: ServiceWorld): Promise<boolean> {
  const { answer } = await presentNew(world, {}, world.providers.other);
  return isRegistered(answer);
}

export const NO_OTHER = "The service does not trust the suite's second provider.";
