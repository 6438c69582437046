import { ID_JAG_GRANT_PROFILE, JWT_TYPE } from '../../../../protocol/index.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { mustOpen, refusedUnlike } from '../../steps/controls.ts';
import { expectNoFetch } from '../../steps/expect-refused.ts';
import { judgeJwtAttacks } from '../../steps/judge-jwt-attacks.ts';
import { JWT_ATTACK_CHECKS } from '../../steps/jwt-attacks.ts';
import * as idJags from '../../steps/present-id-jag.ts';

const OTHER_TYPES: readonly (readonly [what: string, typ: unknown])[] = [
  ['no typ', undefined],
  ['typ JWT', 'JWT'],
  ['the typ of an event', 'secevent+jwt'],
  ['the typ of an access token', 'at+jwt'],
  ["the typ of the service's own assertions", 'agent-identity+jwt'],
  ['a number as typ', 1],
  ['a typ that begins with the right one', 'oauth-id-jag+jwt2'],
];

const OTHER_SPELLINGS = ['OAuth-ID-JAG+JWT', 'application/oauth-id-jag+jwt'];

export const idJagHeaders = serviceScenario({
  id: 'id-jag-headers',
  title: 'ID-JAGs with hostile headers and signatures are refused',
  checks: {
    ...JWT_ATTACK_CHECKS,
    fetched: 'Nothing is fetched from a URL that a header names.',
    type: 'An ID-JAG with another typ, or none, is refused.',
    'type-spelling': 'The typ is accepted in any letter case, and with application/.',
  },
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await idJags.mustBeAccepted(world);
    await expectNoFetch(judge, 'fetched', world.providers.untrusted, () =>
      judgeJwtAttacks(world, {
        make: () => world.idJag(world.freshSubject()),
        send: (token) => idJags.presentRaw(world, token),
        mustAccept: () => idJags.mustBeAccepted(world),
        judge: (check, what, reply, reading) =>
          idJags.expectIdJagRefused(judge, check, reply, what, reading),
      }),
    );
    const others = OTHER_TYPES.map(([what, typ]) => ['type', what, { header: { typ } }] as const);
    await idJags.expectEachRefused(judge, world, others);
    const spellings = OTHER_SPELLINGS.map(
      (typ) => ['type-spelling', typ, { header: { typ } }] as const,
    );
    await idJags.expectEachAccepted(judge, world, spellings);
  },
});

/** */
const AT_TOKEN_ENDPOINT =
  'Draft-04 §4.4 presents ID-JAGs here, and the service lists its grant profile.';

export const idJagKinds = serviceScenario({
  id: 'id-jag-kinds',
  title: 'No kind of token is accepted in place of another',
  checks: {
    'own-assertion': "The service's own assertion is refused as an ID-JAG.",
    'access-token': 'An access token is refused as an ID-JAG.',
    event: 'A Security Event Token is refused as an ID-JAG.',
    'own-issuer': 'An ID-JAG whose issuer is the service itself is refused.',
    bearer: 'An ID-JAG opens no protected resource.',
    exchange: 'An ID-JAG is not exchanged for an access token.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { client, facts, invented, providers } = world;
    const { identityAssertion } = await idJags.mustRegister(world);
    const refuse = async (
      name: 'own-assertion' | 'access-token' | 'event' | 'own-issuer',
      token: string,
    ) => idJags.expectIdJagRefused(judge, name, await idJags.presentRaw(world, token));
    await refuse('own-assertion', identityAssertion);

    const eventType = facts.revokedEvent ?? `${invented.origin()}/${invented.word()}`;
    const whom = world.freshSubject();
    const { subject } = whom;
    const now = world.time.now();
    const set = providers.provider.mintSet({ audience: facts.issuer, now, subject, eventType });
    await refuse('event', set);
    // All claims of an ID-JAG, in an event: only its typ shows what it is.
    const header = { typ: JWT_TYPE.securityEvent };
    const claims = { events: { [eventType]: {} } };
    await refuse('event', world.idJag(whom, { header, claims }));
    const ownIssuer = { claims: { iss: facts.issuer } };
    await refuse('own-issuer', world.idJag(world.freshSubject(), ownIssuer));

    const token = await world.accessToken(identityAssertion);
    const idJag = world.idJag(world.freshSubject());
    const exchanged = await client.exchange(idJag);
    const isExchanged = exchanged.ok || exchanged.string('access_token') !== undefined;
    // a service that lists the profile may exchange it, once.
    const isOtherReading = isExchanged && listsProfile(world) && !(await client.exchange(idJag)).ok;
    judge.expect('exchange', !isExchanged, exchanged, {
      reading: isOtherReading ? AT_TOKEN_ENDPOINT : undefined,
    });
    await refuse('access-token', token);
    const bearer = refusedUnlike(await mustOpen(world, token));
    judge.table(await client.call(world.idJag(world.freshSubject())), { bearer });
  },
});

/** Draft-04 §4.4: whether the token endpoint is where the service has ID-JAGs presented. */
function listsProfile({ facts }: ServiceWorld): boolean {
  const profiles = facts.metadata['authorization_grant_profiles_supported'];
  return Array.isArray(profiles) && profiles.includes(ID_JAG_GRANT_PROFILE);
}
