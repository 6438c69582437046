import type { Answer } from '../../../http/answer.ts';
import { challengeParameter } from '../../../http/challenge.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { expectRefused, isTaken, mustRegister, present } from '../../steps/present-id-jag.ts';

const DAY = 24 * 3600;

export const idJagSignInAge = serviceScenario({
  id: 'id-jag-sign-in-age',
  title: 'An ID-JAG whose user signed in too long ago leads back to the sign-in',
  checks: {
    asked: 'A sign-in that is old, in the future or not told is not enough.',
    'known-too': 'It is not enough for a user who is known either.',
    'login-required': 'It is answered with 401, login_required and max_age.',
    challenge: 'The 401 has a challenge that says the same.',
    'max-age': 'A sign-in within max_age is taken, an older one is not.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const now = Math.floor(world.time.now() / 1000);
    const known = await mustRegister(world);
    let refusal: Answer | undefined;
    for (const [what, authTime] of [
      ['without auth_time', undefined],
      ['whose auth_time is a month ago', now - 31 * DAY],
      ['whose auth_time is in an hour', now + 3600],
    ] as const) {
      for (const [name, whom] of [
        ['asked', world.freshSubject()],
        ['known-too', known],
      ] as const) {
        const idJag = world.idJag(whom, { claims: { auth_time: authTime } });
        const answer = await present(world, idJag);
        expectRefused(judge, name, { what: `An ID-JAG ${what}` }, answer);
        if (isTaken(answer)) continue;
        refusal ??= answer;
        judge.expect(
          'login-required',
          answer.status === 401 &&
            answer.errorCode === 'login_required' &&
            typeof answer.member('max_age') === 'number',
          answer,
        );
      }
    }
    if (refusal === undefined) {
      judge.skip(['login-required', 'challenge', 'max-age'], 'It was never asked for.');
      return;
    }
    const field = refusal.header('www-authenticate');
    const told = challengeParameter(field, 'agentauth', 'max_age');
    judge.expect(
      'challenge',
      challengeParameter(field, 'agentauth', 'error') === 'login_required' &&
        told === String(refusal.member('max_age')),
      field ?? 'no WWW-Authenticate',
      { exchange: refusal.exchange },
    );
    const maxAge = refusal.member('max_age');
    if (typeof maxAge !== 'number' || maxAge < 180 || maxAge > 30 * DAY) {
      judge.skip('max-age', 'The service says no max_age between three minutes and a month.');
      return;
    }
    for (const [age, good] of [
      [maxAge - 90, true],
      [maxAge + 180, false],
    ] as const) {
      const idJag = world.idJag(world.freshSubject(), { claims: { auth_time: now - age } });
      const answer = await present(world, idJag);
      judge.expect('max-age', isTaken(answer) === good, answer, {
        expected: `an ID-JAG whose user signed in ${age} s ago is ${good ? 'taken' : 'refused'}`,
      });
    }
  },
});
