import { MEDIA_TYPE } from '../../../protocol/index.ts';
import { CannotTest, type Judge } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { type HeaderList, NoAnswer } from '../../http/http-client.ts';
import type { ServiceWorld, Subject } from '../service-world.ts';
import {
  connectionFor,
  mustRegister,
  notLimited,
  orNoAnswer,
  type Reply,
  type Wrong,
} from './present-id-jag.ts';

/** Delivers a SET as a provider does. @throws CannotTest where a rate limit hides the answer. */
export async function deliver(world: ServiceWorld, set: string): Promise<Answer> {
  return notLimited(await world.client.notify(set));
}

/** Whatever stands for one, which a service may refuse to read to its end. */
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

/** A registration by an ID-JAG with an access token: what an event ends, or leaves alone. */
export interface Tenure extends Subject {
  readonly assertion: string;
  readonly token: string;
  readonly registered: Answer;
}

/** @throws CannotTest, NotApplicable */
export async function settle(
  world: ServiceWorld,
  whom?: Subject,
  provider = world.providers.provider,
): Promise<Tenure> {
  const presented = await mustRegister(world, whom, {}, provider);
  return {
    subject: presented.subject,
    email: presented.email,
    assertion: presented.identityAssertion,
    token: await world.accessToken(presented.identityAssertion),
    registered: presented.answer,
  };
}

/** Whether its assertion is still exchanged. */
export async function lives(world: ServiceWorld, { assertion }: Tenure): Promise<boolean> {
  return (await world.client.exchange(assertion)).ok;
}

/**
 * Judges that a registration is as it was.
 * @param after what must not have ended it, as the end of a sentence.
 */
export async function expectAlive<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  world: ServiceWorld,
  tenure: Tenure,
  after: string,
): Promise<boolean> {
  const answer = await world.client.exchange(tenure.assertion);
  return judge.expect(name, answer.ok, answer, {
    expected: `the assertion is good after ${after}`,
  });
}

/** @throws CannotTest when a right event is refused: what refuses everything proves nothing. */
export async function mustBeAccepted(world: ServiceWorld): Promise<void> {
  const answer = await deliver(world, world.revokedEvent(world.freshSubject().subject));
  if (answer.status !== 202) {
    throw new CannotTest(
      `A right event of the suite's provider was refused (${answer.describe()}).`,
    );
  }
}

/** Judges that a SET was refused; a service that breaks over it is warned. */
export function expectEventRefused<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  { what, warn = false }: Wrong,
  reply: Reply,
): boolean {
  if (reply instanceof NoAnswer) {
    return judge.expect(name, true, reply.message);
  }
  const failed = reply.status >= 500 && reply.status !== 503;
  return judge.expect(name, reply.status >= 400 && !failed, reply, {
    expected: `${what} is refused with a 4xx status`,
    warn: warn || failed,
  });
}
