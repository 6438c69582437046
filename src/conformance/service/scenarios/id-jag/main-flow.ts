import { CannotTest } from '../../../engine/judge.ts';
import { isText, member } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { granted, noRefreshToken } from '../../steps/answers.ts';
import { decideInteraction, interactionOf } from '../../steps/existing-account.ts';
import { isDocumented } from '../../steps/is-documented.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { accepted, isRegistered, mustBeAccepted, present } from '../../steps/present-id-jag.ts';

export const idJagMain = serviceScenario({
  id: 'id-jag',
  title: 'An agent registers with an ID-JAG of a trusted provider, and works',
  checks: {
    taken: 'A right ID-JAG leads to an assertion, at once or after its user has agreed.',
    'at-once': 'The ID-JAG of a new user is answered with an assertion at once.',
    exchanged: 'The assertion is exchanged for an access token.',
    'scope-said': 'The token answer has the granted scope.',
    'no-refresh': 'No refresh token is given.',
    works: 'The access token works at the protected resource.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { email, idJag } = await world.acceptableIdJag();
    const answer = await present(world, idJag);
    const assertion = answer.string('identity_assertion');
    const isAtOnce = answer.status === 200 && assertion !== undefined;
    judge.table(answer, { 'at-once': { ok: isAtOnce }, taken: accepted });
    const usable = assertion ?? (await afterAgreement(world, answer, email));
    if (usable === undefined) throw new CannotTest('No identity_assertion was given.');

    const exchanged = await world.client.exchange(usable);
    judge.table(exchanged, { exchanged: granted });
    const token = exchanged.string('access_token');
    if (token === undefined) return;
    judge.table(answer, { 'no-refresh': noRefreshToken });
    judge.table(exchanged, {
      'scope-said': member('scope', isText),
      'no-refresh': noRefreshToken,
    });
    const called = await world.client.call(token);
    // Which methods and parameters the resource asks for is its own choice.
    judge.expect('works', called.status !== 401 && called.status !== 403, called);
  },
});

/** The assertion of a service that asks each new user first. */
async function afterAgreement(
  world: ServiceWorld,
  answer: Answer,
  email: string,
): Promise<string | undefined> {
  const interaction = interactionOf(answer);
  if (interaction === undefined) return undefined;
  await decideInteraction(world, interaction, email, 'approve');
  return (await pollPatiently(world, interaction.claimToken)).string('identity_assertion');
}

const NEEDS_TYPE = /assertion_type.*\b(?:required|must)\b|\b(?:requires?|must)\b.*assertion_type/i;

export const idJagRequest = serviceScenario({
  id: 'id-jag-request',
  title: 'A registration by ID-JAG needs its assertion, and not its assertion_type',
  checks: {
    'type-optional': 'assertion_type may be left out.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const send = (body: object) => world.client.identity({ type: 'identity_assertion', ...body });
    const untyped = await send({ assertion: world.idJag(world.freshSubject()) });
    if (!isRegistered(untyped) && (await isDocumented(world, NEEDS_TYPE))) {
      judge.skip('type-optional', 'The skill file says that assertion_type is needed.');
    } else judge.table(untyped, { 'type-optional': accepted });
  },
});
