import { CannotTest } from '../../../engine/judge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { readClaimBlock } from '../../steps/claim-block.ts';
import { isTaken, present, presentNew } from '../../steps/present-id-jag.ts';

export const idJagMain = serviceScenario({
  id: 'id-jag',
  title: 'An agent registers with an ID-JAG of a trusted provider, and works',
  checks: {
    taken: 'An ID-JAG that holds leads to an assertion, at once or once its user has agreed.',
    'at-once': 'The ID-JAG of a user whom nobody here knows is answered with an assertion at once.',
    members: 'The answer says registration_id, registration_type, assertion_expires and scopes.',
    exchanged: 'The assertion is exchanged for an access token.',
    'scope-said': 'The token answer says the granted scope.',
    'no-refresh': 'No refresh token is given.',
    works: 'The access token is good at the protected resource.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { email, idJag } = await world.acceptableIdJag();
    const answer = await present(world, idJag);
    const assertion = answer.string('identity_assertion');
    const atOnce = answer.status === 200 && assertion !== undefined;
    judge.expect('at-once', atOnce, answer);
    judge.expect('taken', isTaken(answer), answer);
    if (atOnce) {
      const missing = missingMembers(answer.json);
      judge.expect('members', missing.length === 0, answer, {
        expected: `the answer has ${missing.join(', ')}`,
      });
    }
    const usable = assertion ?? (await confirmed(world, answer, email));
    if (usable === undefined) throw new CannotTest('No identity_assertion was given.');

    const exchanged = await world.client.exchange(usable);
    const token = exchanged.string('access_token');
    judge.expect('exchanged', exchanged.status === 200 && token !== undefined, exchanged);
    if (token === undefined) return;
    judge.expect('scope-said', exchanged.string('scope') !== undefined, exchanged);
    const refresh = [answer, exchanged].find((each) => each.member('refresh_token') !== undefined);
    judge.expect('no-refresh', refresh === undefined, refresh ?? exchanged);
    const called = await world.client.call(token);
    // Which methods and parameters the resource asks for is its own matter.
    judge.expect('works', called.status !== 401 && called.status !== 403, called);
  },
});

/** By the way that a service takes which asks each new user first. */
async function confirmed(
  world: ServiceWorld,
  answer: Awaited<ReturnType<typeof present>>,
  email: string,
): Promise<string | undefined> {
  const claimToken = answer.string('claim_token');
  const block = readClaimBlock(answer);
  if (claimToken === undefined || block === undefined) return undefined;
  const { userCode, verificationUri } = block;
  await world.user.claim({ verificationUri, userCode, email, decision: 'approve' });
  await world.time.pass((block.interval ?? 5) * 1000);
  return (await world.client.poll(claimToken)).string('identity_assertion');
}

function missingMembers(body: unknown): readonly string[] {
  const { registration_id, registration_type, assertion_expires, scopes } = body as Record<
    string,
    unknown
  >;
  return Object.entries({
    registration_id: typeof registration_id === 'string',
    registration_type: registration_type === 'identity_assertion',
    assertion_expires: typeof assertion_expires === 'string',
    scopes: Array.isArray(scopes),
  })
    .filter(([, ok]) => !ok)
    .map(([name]) => name);
}

export const idJagRequest = serviceScenario({
  id: 'id-jag-request',
  title: 'An ID-JAG is asked for by its assertion, whether its type is named or not',
  checks: {
    'type-optional': 'assertion_type may be left out.',
    'assertion-missing': 'A request without assertion is refused.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await presentNew(world);
    const idJag = () => world.idJag(world.freshSubject());
    const send = (body: object) => world.client.identity({ type: 'identity_assertion', ...body });
    const untyped = await send({ assertion: idJag() });
    judge.expect('type-optional', isTaken(untyped), untyped);
    const missing = await send({});
    judge.expect('assertion-missing', missing.refused, missing);
  },
});

export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
