import { Redeemer } from '../../cross-app/redeemer.ts';
import { claiming, refuseEach } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-world.ts';
import { expectNoFetch } from '../../steps/expect-refused.ts';

export const redemptionIssuer = serviceScenario({
  id: 'redemption-issuer',
  title: 'Only providers that are trusted are believed, and only they are asked',
  checks: {
    stranger: 'An ID-JAG of an issuer without trust is refused.',
    'look-alike': 'An issuer that only resembles a trusted one is refused.',
    'foreign-key': 'An ID-JAG that is signed with the key of another trusted issuer is refused.',
    'sub-id': 'An issuer without trust is refused, even if sub_id names a trusted one.',
    unfetched: 'Nothing is fetched from an issuer without trust.',
  },
  blockedBy: ['redemption.granted'],
  costly: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { other, provider, untrusted } = world.providers;
    const { issuer } = provider;
    const subId = { format: 'iss_sub', iss: issuer, sub: world.invented.word() };
    await redeemer.unlock();
    await expectNoFetch(judge, 'unfetched', untrusted, () =>
      refuseEach(judge, world, redeemer, [
        { check: 'stranger', what: 'an issuer without trust', provider: untrusted },
        {
          ...{ check: 'sub-id', what: 'a trusted issuer in sub_id', provider: untrusted },
          mint: { claims: { sub_id: subId } },
        },
      ]),
    );
    const names = [
      `${issuer}/`,
      `${issuer}.${world.elsewhere}`,
      issuer.replace(/\/$/, '').slice(0, -1),
      issuer.toUpperCase(),
      `${issuer}#`,
      ` ${issuer}`,
    ];
    await refuseEach(judge, world, redeemer, [
      ...names.map((iss) => claiming('look-alike', `iss ${iss}`, { iss })),
      {
        ...{ check: 'foreign-key', what: 'signed by the other provider' },
        mint: { key: other.keys[0] },
      },
      {
        ...{ check: 'foreign-key', what: 'signed by the other provider, with the right kid' },
        mint: { key: other.keys[0], header: { kid: provider.keys[0].kid } },
      },
    ]);
  },
});
