import { serviceScenario } from '../../service-scenario.ts';
import { expectUnvisited, judgeAttacks } from '../../steps/judge-jwt-attacks.ts';
import { JWT_ATTACK_CHECKS } from '../../steps/jwt-attacks.ts';
import {
  expectRefused,
  isTaken,
  mustBeTaken,
  present,
  presentNew,
  presentRaw,
} from '../../steps/present-id-jag.ts';

const OTHER_TYPES: readonly (readonly [what: string, typ: unknown, warn?: true])[] = [
  ['without typ', undefined],
  ['with typ JWT', 'JWT'],
  ['with the typ of an event', 'secevent+jwt'],
  ['with the typ of an access token', 'at+jwt'],
  ["with the typ of the service's own assertions", 'agent-identity+jwt'],
  ['whose typ is a number', 1],
  ['whose typ begins with the right one', 'oauth-id-jag+jwt2'],
];

export const idJagHeaders = serviceScenario({
  id: 'id-jag-headers',
  title: 'ID-JAGs with hostile headers and signatures are refused',
  checks: {
    ...JWT_ATTACK_CHECKS,
    fetched: 'Nothing is fetched from an address that a header names.',
    type: 'An ID-JAG of another typ, or of none, is refused.',
    'type-spelling': 'The typ may be written in any case, and with application/.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeTaken(world);
    await expectUnvisited(
      judge,
      'fetched',
      world.providers.stranger,
      'no request to an address that a header names',
      () =>
        judgeAttacks(world, {
          make: () => world.idJag(world.freshSubject()),
          send: (token) => presentRaw(world, token),
          prove: () => mustBeTaken(world),
          judge: (check, what, reply, warn) => expectRefused(judge, check, { what, warn }, reply),
        }),
    );
    for (const [what, typ] of OTHER_TYPES) {
      const { answer } = await presentNew(world, { header: { typ } });
      expectRefused(judge, 'type', { what: `An ID-JAG ${what}` }, answer);
    }
    for (const typ of ['OAuth-ID-JAG+JWT', 'application/oauth-id-jag+jwt']) {
      const answer = await present(world, world.idJag(world.freshSubject(), { header: { typ } }));
      judge.expect('type-spelling', isTaken(answer), answer, {
        expected: `an ID-JAG with typ ${typ} is taken`,
        warn: true,
      });
    }
  },
});
