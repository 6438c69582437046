import { makeKey } from '../../../jwt/forge.ts';
import { serviceScenario } from '../../service-world.ts';
import { expectNoFetch } from '../../steps/expect-refused.ts';
import * as idJags from '../../steps/present-id-jag.ts';
import { untilFetched } from '../../steps/publish-keys.ts';

const READS_DOCUMENTS =
  'Draft-02 of client documents lets a service read them, though none from an address like this one.';

export const idJagIssuer = serviceScenario({
  id: 'id-jag-issuer',
  title: 'Only providers on the trust list are believed, and only they are asked',
  checks: {
    stranger: 'An ID-JAG of an issuer without trust is refused.',
    'look-alike': 'An issuer that only resembles a trusted one is refused.',
    'sub-id': 'An issuer without trust is refused, even if sub_id names a trusted one.',
    unfetched: 'Nothing is fetched from an issuer without trust, whatever a token names.',
    'client-unfetched': 'Nothing is fetched from a URL that only a claim names.',
  },
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider, untrusted } = world.providers;
    await idJags.mustBeAccepted(world);
    const subId = { format: 'iss_sub', iss: provider.issuer, sub: world.invented.word() };
    await expectNoFetch(judge, 'unfetched', untrusted, () =>
      idJags.expectEachRefused(
        judge,
        world,
        [
          ['stranger', 'an issuer without trust', {}],
          [
            'stranger',
            'client_id of a trusted client',
            { claims: { client_id: provider.clientId } },
          ],
          ['sub-id', 'a trusted issuer in sub_id', { claims: { sub_id: subId } }],
        ],
        untrusted,
      ),
    );
    // Signed with the trusted provider's own key: only the name of the issuer is wrong.
    const names = lookAlikes(provider.issuer, world.elsewhere);
    const misnamed = names.map((iss) => ['look-alike', `iss ${iss}`, { claims: { iss } }] as const);
    await idJags.expectEachRefused(judge, world, misnamed);

    const picture = `${untrusted.issuer}/me.png`;
    const logo = `${untrusted.issuer}/${world.invented.word()}.png`;
    for (const [claims, reading] of [
      [{ client_id: untrusted.clientId }, READS_DOCUMENTS],
      [{ jwks_uri: untrusted.jwksUri }, undefined],
      [{ logo_uri: logo, picture }, undefined],
    ] as const) {
      const sending = () => idJags.presentNew(world, { claims });
      await expectNoFetch(judge, 'client-unfetched', untrusted, sending, reading);
    }
    const after = await idJags.presentNew(world);
    const expected = 'a correct ID-JAG of the trusted provider is accepted afterwards';
    judge.table(after.answer, { stranger: idJags.accepted }, { expected });
  },
});

function lookAlikes(issuer: string, elsewhere: string): readonly string[] {
  return [
    `${issuer}/`,
    `${issuer}.${elsewhere}`,
    issuer.replace(/\/$/, '').slice(0, -1),
    issuer.toUpperCase(),
    `${issuer}#`,
    `${issuer}?`,
    ` ${issuer}`,
    `https://${elsewhere}@${issuer.replace(/^https?:\/\//, '')}`,
  ];
}

export const idJagKeyRedirect = serviceScenario({
  id: 'id-jag-key-redirect',
  title: 'Keys come from where they are configured to be',
  checks: { unfollowed: 'No key is taken from where a redirect of the key set leads.' },
  costly: true,
  // While it waits, the key set of the provider is not fit for others.
  alone: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    await idJags.mustBeAccepted(world);
    const { provider, untrusted } = world.providers;
    const hidden = makeKey();
    // With the right ones beside it: a service that keeps this set goes on working.
    untrusted.moved = [...provider.published, hidden.jwk];
    provider.redirect = untrusted.movedUri;
    const present = async () => (await idJags.presentNew(world, { key: hidden })).answer;
    const answer = await untilFetched(world, provider, present);
    judge.table(answer, { unfollowed: { ok: !idJags.isAccepted(answer) } });
  },
});
