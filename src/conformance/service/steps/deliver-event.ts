import { MEDIA_TYPE } from '../../../protocol/index.ts';
import { CannotTest, type Judge, type Reading } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import type { ServiceWorld, Subject } from '../service-world.ts';
import { notLimited } from './answers.ts';
import { connectionFor, expectRefused, orNoAnswer, type Reply } from './expect-refused.ts';
import { mustRegister } from './present-id-jag.ts';

/** Delivers a Security Event Token. @throws CannotTest where a rate limit hides the answer. */
export async function deliver(world: ServiceWorld, set: string): Promise<Answer> {
  return notLimited(await world.client.notify(set));
}

/** Delivers what stands for one, which a service may refuse to read to its end. */
export async function deliverRaw(
  world: ServiceWorld,
  body: string,
  type: string = MEDIA_TYPE.securityEvent,
): Promise<Reply> {
  const url = world.client.endpoint('eventsEndpoint');
  const headers: HeaderList = [
    ['content-type', type],
    ['accept', 'application/json'],
    ...connectionFor(body),
  ];
  const sending = { method: 'POST', from: 'provider', headers, body };
  return orNoAnswer(world.send(url, sending).then(notLimited), body);
}

/** A registration by ID-JAG with an access token: what an event ends, or leaves active. */
interface ActiveRegistration extends Subject {
  readonly assertion: string;
  readonly token: string;
  readonly registered: Answer;
}

/** @throws CannotTest, NotApplicable */
export async function registerActive(
  world: ServiceWorld,
  whom?: Subject,
  provider = world.providers.provider,
): Promise<ActiveRegistration> {
  const presented = await mustRegister(world, whom, {}, provider);
  return {
    subject: presented.subject,
    email: presented.email,
    assertion: presented.identityAssertion,
    token: await world.accessToken(presented.identityAssertion),
    registered: presented.answer,
  };
}

/** Whether its assertion can still be exchanged. */
export async function isActive(
  world: ServiceWorld,
  { assertion }: ActiveRegistration,
): Promise<boolean> {
  return (await world.client.exchange(assertion)).ok;
}

/**
 * Judges that a registration is as active as before.
 * @param after what must not have ended it: `an event about somebody else`.
 */
export async function expectActive<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  world: ServiceWorld,
  { assertion }: ActiveRegistration,
  after: string,
): Promise<boolean> {
  const answer = await world.client.exchange(assertion);
  return judge.expect(name, answer.ok, answer, { case: `the assertion after ${after}` });
}

/** @throws CannotTest when a right event is refused: a service that refuses everything proves nothing. */
export async function mustAcceptEvents(world: ServiceWorld): Promise<void> {
  const answer = await deliver(world, world.revokedEvent(world.freshSubject().subject));
  if (answer.ok) return;
  throw new CannotTest(`A right event of the suite's provider was refused (${answer.describe()}).`);
}

/**
 * Once in a run: an event ends the registration that it is about.
 * @throws CannotTest when it does not: then no event was kept from ending anything.
 */
export function mustEndByEvents(world: ServiceWorld): Promise<void> {
  return world.once('an event ends a registration', async () => {
    const one = await registerActive(world);
    const answer = await deliver(world, world.revokedEvent(one.subject));
    if (!(await isActive(world, one))) return;
    throw new CannotTest(
      `A right event (answered ${answer.describe()}) ended nothing, so that another that ends nothing says nothing.`,
    );
  });
}

/**
 * A row for an answer to an event. That it has to be a 202 is one finding (event-revocation.status), and
 * not one of each event.
 */
export const acknowledged = ({ ok }: Answer): Reading => ({ ok });

/** Judges that an event, or what was sent in place of one, was refused. */
export function expectEventRefused<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  reply: Reply,
  what?: string,
  reading?: string,
): boolean {
  return expectRefused(judge, name, reply, ({ ok }) => ok, { case: what, reading });
}
