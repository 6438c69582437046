import { forgeJwt } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import {
  expectEachAccepted,
  expectEachRefused,
  expectIdJagRefused,
  mustBeAccepted,
  mustRegister,
  present,
} from '../../steps/present-id-jag.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const idJagTimes = serviceScenario({
  id: 'id-jag-times',
  title: 'An ID-JAG is accepted only while it is valid',
  checks: {
    expired: 'An ID-JAG whose exp has passed is refused.',
    'not-before': 'An ID-JAG is refused before its nbf.',
    'issued-later': 'An ID-JAG whose iat lies in the future is refused.',
    numbers: 'An ID-JAG with a time that is text, a list or negative is refused.',
    fractions: 'Times with fractions of a second are accepted.',
    lifetime: 'An ID-JAG that is valid for more than an hour is refused.',
    skew: 'Clocks may differ by 20 seconds.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const now = Math.floor(world.time.now() / 1000);
    const at = (iat: number, exp: number) => ({ claims: { iat: now + iat, exp: now + exp } });
    const valid = { exp: now + 15 * MINUTE };
    const old = { iat: now - 15 * MINUTE, auth_time: now - 15 * MINUTE };
    await expectEachRefused(judge, world, [
      ['expired', 'expired ten minutes ago', { claims: { ...old, exp: now - 10 * MINUTE } }],
      ['expired', 'from 1970', { claims: { iat: 0, exp: 300 } }],
      ['not-before', 'nbf in ten minutes', { claims: { ...valid, nbf: now + 10 * MINUTE } }],
      ['issued-later', 'iat in ten minutes', at(10 * MINUTE, 15 * MINUTE)],
      ['lifetime', 'valid for two hours', { claims: { exp: now + 2 * HOUR } }],
      ['lifetime', 'valid for ten years', { claims: { exp: now + 87_600 * HOUR } }],
    ]);
    await expectEachAccepted(judge, world, [
      ['skew', 'expired 20 seconds ago', at(-5 * MINUTE, -20)],
      ['skew', 'iat in 20 seconds', { claims: { iat: now + 20 } }],
      ['skew', 'nbf in 20 seconds', { claims: { nbf: now + 20 } }],
      ['fractions', 'fractions of a second', at(-0.5, 5 * MINUTE + 0.25), WHOLE],
    ]);
    for (const [claim, literal, reading] of malformedTimes(now)) {
      const answer = await present(world, withLiteral(world, claim, literal));
      expectIdJagRefused(judge, 'numbers', answer, `"${claim}": ${literal}`, reading);
    }
  },
});

type MalformedTime = readonly [claim: string, literal: string, reading?: string];

const ANY_NUMBER = 'RFC 7519 §2 takes any number: this one lies in the far future.';
const WHOLE = 'RFC 7519 §2 allows fractions; whole seconds are what everybody sends.';

/** As they stand in the JSON text: some of them no JSON writer would write. */
function malformedTimes(now: number): readonly MalformedTime[] {
  const soon = String(now + 5 * MINUTE);
  return [
    ['exp', `"${soon}"`],
    ['exp', '1e400', ANY_NUMBER],
    ['exp', '9007199254740993', ANY_NUMBER],
    ['exp', '-1'],
    ['exp', '-1e400'],
    ['exp', 'null'],
    ['exp', 'true'],
    ['exp', `[${soon}]`],
    ['exp', `{"at":${soon}}`],
    ['iat', `"${now}"`],
    ['nbf', `"${now}"`],
    ['nbf', '1e400'],
  ];
}

function withLiteral(world: ServiceWorld, claim: string, literal: string): string {
  const right = openJwt(world.idJag(world.freshSubject()));
  const text = JSON.stringify({ ...right?.claims, [claim]: '§' }).replace('"§"', literal);
  return forgeJwt(right?.header ?? {}, text, world.providers.provider.keys[0]);
}

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
