import { serviceScenario } from '../../service-scenario.ts';
import { expectUnvisited } from '../../steps/judge-jwt-attacks.ts';
import { expectRefused, isTaken, mustBeTaken, presentNew } from '../../steps/present-id-jag.ts';

export const idJagIssuer = serviceScenario({
  id: 'id-jag-issuer',
  title: 'Only providers on the trust list are believed, and only they are asked',
  checks: {
    stranger: 'An ID-JAG of an issuer without trust is refused.',
    'look-alike': 'An issuer that only resembles a trusted one is refused.',
    'sub-id': 'A trusted issuer in sub_id makes no stranger trusted.',
    unfetched: 'Nothing is fetched from an issuer without trust, whatever a token names.',
    'client-unfetched': 'Nothing is fetched from an address that only a claim names.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider, stranger } = world.providers;
    await mustBeTaken(world);
    const refuse = async (
      name: 'stranger' | 'look-alike' | 'sub-id',
      what: string,
      claims: Readonly<Record<string, unknown>>,
      by = stranger,
    ) => {
      const { answer } = await presentNew(world, { claims }, by);
      expectRefused(judge, name, { what: `An ID-JAG ${what}` }, answer);
    };
    const expected = 'no request to an issuer without trust';
    await expectUnvisited(judge, 'unfetched', stranger, expected, async () => {
      await refuse('stranger', 'of an issuer without trust', {});
      await refuse('stranger', 'without trust that names a trusted client', {
        client_id: provider.clientId,
      });
      await refuse('sub-id', 'without trust whose sub_id names a trusted issuer', {
        sub_id: { format: 'iss_sub', iss: provider.issuer, sub: world.invented.word() },
      });
    });
    // Signed with the trusted provider's own key: only the name of the issuer is wrong.
    for (const iss of lookAlikes(provider.issuer, world.elsewhere)) {
      await refuse('look-alike', `whose iss is ${iss}`, { iss }, provider);
    }
    const [name, wanted] = ['client-unfetched', 'no request to an address in a claim'] as const;
    for (const [claims, warn] of [
      // A service may read client documents; this one lies where none should be fetched from.
      [{ client_id: stranger.clientId }, true],
      [{ jwks_uri: stranger.jwksUri }, false],
      [
        {
          logo_uri: `${stranger.issuer}/${world.invented.word()}.png`,
          picture: `${stranger.issuer}/me.png`,
        },
        false,
      ],
    ] as const) {
      const visit = async () => void (await presentNew(world, { claims }));
      await expectUnvisited(judge, name, stranger, wanted, visit, warn);
    }
    const after = await presentNew(world);
    judge.expect('stranger', isTaken(after.answer), after.answer);
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
