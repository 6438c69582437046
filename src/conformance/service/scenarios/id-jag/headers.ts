import { serviceScenario } from '../../service-scenario.ts';
import { expectNoFetch } from '../../steps/expect-no-fetch.ts';
import { judgeJwtAttacks } from '../../steps/judge-jwt-attacks.ts';
import { JWT_ATTACK_CHECKS } from '../../steps/jwt-attacks.ts';
import {
  expectEachAccepted,
  expectEachRefused,
  expectIdJagRefused,
  mustBeAccepted,
  presentRaw,
} from '../../steps/present-id-jag.ts';

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
    await mustBeAccepted(world);
    await expectNoFetch(judge, 'fetched', world.providers.stranger, () =>
      judgeJwtAttacks(world, {
        make: () => world.idJag(world.freshSubject()),
        send: (token) => presentRaw(world, token),
        mustAccept: () => mustBeAccepted(world),
        judge: (check, what, reply, reading) =>
          expectIdJagRefused(judge, check, reply, what, reading),
      }),
    );
    const others = OTHER_TYPES.map(([what, typ]) => ['type', what, { header: { typ } }] as const);
    await expectEachRefused(judge, world, others);
    const spellings = OTHER_SPELLINGS.map(
      (typ) => ['type-spelling', typ, { header: { typ } }] as const,
    );
    await expectEachAccepted(judge, world, spellings);
  },
});
