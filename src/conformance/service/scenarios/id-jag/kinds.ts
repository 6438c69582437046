import { ID_JAG_GRANT_PROFILE, JWT_TYPE } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { expectRefused, mustRegister, presentRaw } from '../../steps/present-id-jag.ts';

export const idJagKinds = serviceScenario({
  id: 'id-jag-kinds',
  title: 'No kind of token passes for another',
  checks: {
    'own-assertion': "The service's own assertion is no ID-JAG.",
    'access-token': 'An access token is no ID-JAG.',
    event: 'A Security Event Token is no ID-JAG.',
    'own-issuer': 'An ID-JAG in the name of the service itself is refused.',
    bearer: 'An ID-JAG opens no protected resource.',
    exchange: 'An ID-JAG is not exchanged for an access token.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider } = world.providers;
    const registered = await mustRegister(world);
    const own = await presentRaw(world, registered.identityAssertion);
    const what = "The service's own assertion at the identity endpoint";
    expectRefused(judge, 'own-assertion', { what }, own);

    const eventType =
      world.facts.revokedEvent ?? `${world.invented.origin()}/${world.invented.word()}`;
    const audience = world.facts.issuer;
    const { subject, email } = world.freshSubject();
    const facts = { audience, now: world.time.now(), subject, eventType };
    const set = provider.mintSet(facts);
    // All that an ID-JAG says, in an event: its kind alone tells.
    const full = world.idJag(
      { subject, email },
      {
        header: { typ: JWT_TYPE.securityEvent },
        claims: { events: { [eventType]: {} } },
      },
    );
    for (const token of [set, full]) {
      const answer = await presentRaw(world, token);
      expectRefused(
        judge,
        'event',
        { what: 'A Security Event Token at the identity endpoint' },
        answer,
      );
    }
    const self = world.idJag(world.freshSubject(), { claims: { iss: audience } });
    const selfMade = { what: 'An ID-JAG whose iss is the service' };
    expectRefused(judge, 'own-issuer', selfMade, await presentRaw(world, self));

    const idJag = world.idJag(world.freshSubject());
    const exchanged = await world.client.exchange(idJag);
    const pays = exchanged.ok || exchanged.string('access_token') !== undefined;
    judge.expect(
      'exchange',
      !pays,
      // The other reading: it says so, and takes it for the ID-JAG that it is.
      exchanged,
      { warn: pays && listsProfile(world) && !(await world.client.exchange(idJag)).ok },
    );
    const accessToken = await world.accessToken(registered.identityAssertion);
    const mistaken = await presentRaw(world, accessToken);
    expectRefused(
      judge,
      'access-token',
      { what: 'An access token at the identity endpoint' },
      mistaken,
    );

    const called = await world.client.call(world.idJag(world.freshSubject()));
    judge.expect('bearer', called.refused, called);
  },
});

/** Draft-04 §4.4: whether the token endpoint is where the service has ID-JAGs presented. */
function listsProfile({ facts }: ServiceWorld): boolean {
  const profiles = facts.metadata['authorization_grant_profiles_supported'];
  return Array.isArray(profiles) && profiles.includes(ID_JAG_GRANT_PROFILE);
}
