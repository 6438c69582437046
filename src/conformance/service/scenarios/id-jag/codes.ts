import { readChallenges } from '../../../http/challenge.ts';
import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import { challengeField } from '../../steps/answers.ts';
import { isAccepted, mustBeAccepted, present } from '../../steps/present-id-jag.ts';
import type { MintOptions } from '../../test-provider.ts';

/** One way in which an ID-JAG is wrong. */
interface Mistake {
  readonly what: string;
  readonly header?: MintOptions['header'];
  readonly claims?: MintOptions['claims'];
  readonly byStranger?: true;
  readonly forged?: true;
}

/** Some of them a service may answer 401. */
const mistakesFor = (elsewhere: string): readonly Mistake[] => [
  { what: 'typ JWT', header: { typ: 'JWT' } },
  { what: 'an issuer without trust', byStranger: true },
  { what: 'a signature by another key', forged: true },
  { what: 'another audience', claims: { aud: `https://${elsewhere}` } },
  { what: 'an exp in the past', claims: { iat: 1_000_000, exp: 1_000_300 } },
  { what: 'an email that is not verified', claims: { email_verified: false } },
  { what: 'no auth_time', claims: { auth_time: undefined } },
  { what: 'the client of somebody else', claims: { client_id: `https://${elsewhere}/client` } },
  { what: 'no sub', claims: { sub: undefined } },
  { what: 'alg none', header: { alg: 'none' } },
];

export const idJagCodes = serviceScenario({
  id: 'id-jag-codes',
  title: 'A refused ID-JAG is answered with a challenge where the answer is 401',
  checks: {
    challenge: 'A 401 carries a challenge.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const mint = minter(world);
    for (const mistake of mistakesFor(world.elsewhere)) {
      const answer = await present(world, mint(mistake));
      if (isAccepted(answer) || answer.status !== 401) continue;
      const rows = {
        challenge: challengeField((field) => (readChallenges(field) ?? []).length > 0),
      };
      judge.table(answer, rows, { case: mistake.what });
    }
    judge.skip('challenge', 'Nothing was answered 401.');
  },
});

/** Mints ID-JAGs of new users with one mistake. */
function minter(world: ServiceWorld) {
  const foreign = makeKey();
  const { provider, stranger } = world.providers;
  return ({ byStranger, claims = {}, forged, header }: Mistake) => {
    const by = byStranger ? stranger : provider;
    const options = {
      header: { kid: by.keys[0].kid, ...header },
      claims,
      ...(forged && { key: foreign }),
    };
    return world.idJag(world.freshSubject(), options, by);
  };
}
