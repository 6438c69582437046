import type { Answer } from '../../../http/answer.ts';
import { challengeParameter } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { agentAuthChallenge, challengeField, error } from '../../steps/answers.ts';
import {
  expectIdJagRefused,
  isAccepted,
  mustRegister,
  present,
} from '../../steps/present-id-jag.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const idJagSignInAge = serviceScenario({
  id: 'id-jag-sign-in-age',
  title: 'An ID-JAG whose user signed in too long ago leads back to the sign-in',
  checks: {
    asked: 'An ID-JAG whose auth_time is old, in the future or missing is refused.',
    'known-too': 'An ID-JAG with such an auth_time is refused for a user with a registration, too.',
    'login-required':
      'An ID-JAG with such an auth_time is answered 401 login_required with max_age.',
    challenge: 'The AgentAuth challenge has error login_required and the same max_age.',
    'max-age': 'A sign-in within max_age is accepted, an older one is not.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const now = Math.floor(world.time.now() / 1000);
    const known = await mustRegister(world);
    const signedInAt = (at: number | undefined) => ({ claims: { auth_time: at } });
    let refusal: Answer | undefined;
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
        if (isAccepted(answer)) continue;
        refusal ??= answer;
        const hasMaxAge = typeof answer.member('max_age') === 'number';
        judge.table(answer, {
          'login-required': [error(401, 'login_required'), { ok: hasMaxAge }],
        });
      }
    }
    if (refusal === undefined) {
      return judge.skip(['login-required', 'challenge', 'max-age'], 'It was never asked for.');
    }
    const maxAge = refusal.member('max_age');
    const namesMaxAge = challengeField(
      (field) => challengeParameter(field, 'agentauth', 'max_age') === String(maxAge),
    );
    judge.table(refusal, { challenge: [agentAuthChallenge('login_required'), namesMaxAge] });
    if (typeof maxAge !== 'number' || maxAge < 3 * MINUTE || maxAge > 30 * DAY) {
      const reason = 'The service says no max_age between three minutes and a month.';
      return judge.skip('max-age', reason);
    }
    for (const [age, isRecent] of [
      [maxAge - 90, true],
      [maxAge + 180, false],
    ] as const) {
      const idJag = world.idJag(world.freshSubject(), signedInAt(now - age));
      const answer = await present(world, idJag);
      judge.expect('max-age', isAccepted(answer) === isRecent, answer, {
        case: `a sign-in ${age} s ago, with a max_age of ${maxAge} s`,
      });
    }
  },
});
