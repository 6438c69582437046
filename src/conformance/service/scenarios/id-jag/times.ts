import { forgeJwt } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { ServiceWorld } from '../../service-world.ts';
import {
  expectRefused,
  isTaken,
  mustBeTaken,
  present,
  presentNew,
} from '../../steps/present-id-jag.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export const idJagTimes = serviceScenario({
  id: 'id-jag-times',
  title: 'An ID-JAG is taken only in its time',
  checks: {
    expired: 'An ID-JAG whose exp is over is refused.',
    'not-before': 'An ID-JAG is refused before its nbf.',
    'issued-later': 'An ID-JAG whose iat lies in the future is refused.',
    numbers: 'Times that are text, lists or negative are refused.',
    fractions: 'Times with fractions of a second are read.',
    lifetime: 'An ID-JAG that lives for more than an hour is refused.',
    skew: 'Clocks may differ by a few seconds.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeTaken(world);
    const now = Math.floor(world.time.now() / 1000);
    const refused = async (
      name: 'expired' | 'not-before' | 'issued-later' | 'lifetime',
      what: string,
      claims: Readonly<Record<string, number>>,
    ) => {
      const { answer } = await presentNew(world, { claims });
      expectRefused(judge, name, { what: `An ID-JAG ${what}` }, answer);
    };
    const taken = async (
      name: 'skew' | 'fractions',
      what: string,
      claims: Readonly<Record<string, number>>,
    ) => {
      const { answer } = await presentNew(world, { claims });
      judge.expect(name, isTaken(answer), answer, {
        expected: `an ID-JAG ${what} is taken`,
        warn: true,
      });
    };
    const over = { iat: now - 15 * MINUTE, auth_time: now - 15 * MINUTE };
    await refused('expired', 'that is over for ten minutes', { ...over, exp: now - 10 * MINUTE });
    await refused('expired', 'of 1970', { iat: 0, exp: 300 });
    await refused('not-before', 'that counts in ten minutes', {
      nbf: now + 10 * MINUTE,
      exp: now + 15 * MINUTE,
    });
    await refused('issued-later', 'issued in ten minutes', {
      iat: now + 10 * MINUTE,
      exp: now + 15 * MINUTE,
    });
    await refused('lifetime', 'for two hours', { exp: now + 2 * HOUR });
    await refused('lifetime', 'for ten years', { exp: now + 87_600 * HOUR });
    await taken('skew', 'that is over for 20 seconds', { iat: now - 5 * MINUTE, exp: now - 20 });
    await taken('skew', 'issued in 20 seconds', { iat: now + 20 });
    await taken('skew', 'that counts in 20 seconds', { nbf: now + 20 });
    await taken('fractions', 'whose times have fractions', {
      iat: now - 0.5,
      exp: now + 5 * MINUTE + 0.25,
    });
    for (const [claim, literal, warn = false] of oddNumbers(now)) {
      const answer = await present(world, withLiteral(world, claim, literal));
      const what = `An ID-JAG with "${claim}": ${literal}`;
      expectRefused(judge, 'numbers', { what, warn }, answer);
    }
  },
});

type OddNumber = readonly [claim: string, literal: string, warn?: true];

/** As they stand in the JSON text: some of them no JSON writer would write. */
function oddNumbers(now: number): readonly OddNumber[] {
  const soon = String(now + 5 * MINUTE);
  return [
    ['exp', `"${soon}"`],
    // RFC 7519 §2 takes any number: these lie in the far future.
    ['exp', '1e400', true],
    ['exp', '9007199254740993', true],
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
