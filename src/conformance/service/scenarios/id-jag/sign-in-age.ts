import { serviceScenario } from '../../service-scenario.ts';
import { expectIdJagRefused, mustRegister, present } from '../../steps/present-id-jag.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const idJagSignInAge = serviceScenario({
  id: 'id-jag-sign-in-age',
  title: 'An ID-JAG whose user signed in too long ago leads back to the sign-in',
  checks: {
    asked: 'An ID-JAG whose auth_time is old, in the future or missing is refused.',
    'known-too': 'An ID-JAG with such an auth_time is refused for a user with a registration, too.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const now = Math.floor(world.time.now() / 1000);
    const known = await mustRegister(world);
    const signedInAt = (at: number | undefined) => ({ claims: { auth_time: at } });
    for (const [what, authTime] of [
      ['no auth_time', undefined],
      ['auth_time a month ago', now - 31 * DAY],
      ['auth_time in an hour', now + HOUR],
    ] as const) {
      for (const [name, whom] of [
        ['asked', world.freshSubject()],
        ['known-too', known],
      ] as const) {
        const answer = await present(world, world.idJag(whom, signedInAt(authTime)));
        expectIdJagRefused(judge, name, answer, what);
      }
    }
  },
});
