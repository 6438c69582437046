import { ID_JAG_TOKEN_TYPE } from '../../../protocol/index.ts';
import { CannotTest, type Judge } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { type HeaderList, NoAnswer } from '../../http/http-client.ts';
import { openJwt } from '../../jwt/open.ts';
import type { ServiceWorld, Subject } from '../service-world.ts';
import type { MintOptions, TestProvider } from '../test-provider.ts';
import { readClaimBlock } from './claim-block.ts';

/** What came back; a service may also break off what it does not want to read. */
export type Reply = Answer | NoAnswer;

export interface Presented extends Subject {
  readonly assertion: string;
  readonly answer: Answer;
}

/** Sends what stands for an ID-JAG. @throws CannotTest where a rate limit hides the answer. */
export async function present(world: ServiceWorld, assertion: string): Promise<Answer> {
  return notLimited(await world.client.registerByIdJag(assertion));
}

/** The same for what a service may refuse to read to its end. */
export async function presentRaw(world: ServiceWorld, assertion: string): Promise<Reply> {
  const body = { type: 'identity_assertion', assertion_type: ID_JAG_TOKEN_TYPE, assertion };
  const sent = world.client.identity(body, connectionFor(assertion)).then(notLimited);
  return orNoAnswer(sent, assertion);
}

/** A server that answers before it has read everything may close: nothing else should ride along. */
export function connectionFor(body: string): HeaderList {
  return body.length > LARGE ? [['connection', 'close']] : [];
}

const LARGE = 50_000;

/**
 * Closing in the middle of what is too large is an answer too. Any other silence refuses nothing: a
 * service that died would refuse everything.
 * @throws CannotTest
 */
export async function orNoAnswer(answer: Promise<Answer>, body: string): Promise<Reply> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.kind === 'broken' && body.length > LARGE) return error;
    throw new CannotTest(`What must be refused was not answered: ${error.message}`);
  }
}

export function notLimited(answer: Answer): Answer {
  if (answer.status !== 429) return answer;
  throw new CannotTest('The service limits the rate (429): lift its limits for this run.');
}

/** Presents an ID-JAG of somebody new, right but for the options. */
export async function presentNew(
  world: ServiceWorld,
  options: MintOptions = {},
  provider?: TestProvider,
): Promise<Presented> {
  const whom = world.freshSubject();
  const assertion = world.idJag(whom, options, provider);
  return { ...whom, assertion, answer: await present(world, assertion) };
}

/**
 * Whether an ID-JAG did anything: a registration at once, or the question to its user. A service that
 * asks each new user is as right as one that does not.
 */
export function isTaken(reply: Reply): boolean {
  if (reply instanceof NoAnswer) return false;
  return (
    reply.ok || reply.string('claim_token') !== undefined || readClaimBlock(reply) !== undefined
  );
}

/**
 * A right ID-JAG, before and after wrong ones: what refuses everything proves nothing.
 * @throws CannotTest when it is not taken.
 */
export async function mustBeTaken(
  world: ServiceWorld,
  options: MintOptions = {},
  provider?: TestProvider,
): Promise<Presented> {
  const presented = await presentNew(world, options, provider);
  if (!isTaken(presented.answer)) {
    throw new CannotTest(
      `A right ID-JAG of the suite's provider was refused (${presented.answer.describe()}).`,
    );
  }
  return presented;
}

/** A right ID-JAG that is answered with an assertion at once. @throws CannotTest */
export async function mustRegister(
  world: ServiceWorld,
  whom: Subject = world.freshSubject(),
  options: MintOptions = {},
  provider?: TestProvider,
): Promise<Presented & { readonly identityAssertion: string }> {
  const assertion = world.idJag(whom, options, provider);
  const answer = await present(world, assertion);
  const identityAssertion = world.must(
    answer,
    'identity_assertion',
    'a registration with an ID-JAG',
  );
  return { ...whom, assertion, answer, identityAssertion };
}

export interface Wrong {
  /** What is wrong with it, as the beginning of a sentence: `an ID-JAG without iss`. */
  readonly what: string;
  /** Another reading allows it: never more than a warning. */
  readonly warn?: boolean;
}

/** Judges that it was refused. A service that breaks over it does not let it in, but is warned. */
export function expectRefused<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  { what, warn = false }: Wrong,
  reply: Reply,
): boolean {
  if (reply instanceof NoAnswer) {
    return judge.expect(name, true, reply.message);
  }
  const failed = reply.status >= 500 && reply.status !== 503;
  return judge.expect(name, !isTaken(reply) && !failed, reply, {
    expected: `${what} is refused with a 4xx status`,
    warn: warn || failed,
  });
}

/** What a registration is known by: its id, or the subject of its assertion. */
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
  return isTaken(answer);
}

export const NO_OTHER = "The service does not trust the suite's second provider.";

/**
 * Publishes a key set and has the service fetch it: a right ID-JAG under a key that is new to it is
 * tried at once and, should it wait between fetches, after that wait.
 * @throws CannotTest when it never takes the new key; NotApplicable when no time can pass.
 */
export async function publish(
  world: ServiceWorld,
  keys: readonly Readonly<Record<string, unknown>>[],
  fresh: NonNullable<MintOptions['key']>,
  provider: TestProvider = world.providers.provider,
): Promise<void> {
  provider.published = [...provider.keys.map(({ jwk }) => jwk), fresh.jwk, ...keys];
  if (isTaken((await presentNew(world, { key: fresh }, provider)).answer)) return;
  await world.time.pass(KEY_SET_PATIENCE);
  if (isTaken((await presentNew(world, { key: fresh }, provider)).answer)) return;
  throw new CannotTest('The service did not take a new key of the provider within ten minutes.');
}

/** How long a key set may be cached, and unknown `kid`s be refused. Milliseconds. */
export const KEY_SET_PATIENCE = 10 * 60_000;
