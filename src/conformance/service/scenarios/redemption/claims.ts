import { forgeJwt } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { claiming, refuseEach } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-world.ts';

const MINUTE = 60;
const YEAR = 365 * 24 * 60 * MINUTE;

const ANY_NUMBER = 'RFC 7519 §2 takes any number: this one lies in the far future.';

export const redemptionClaims = serviceScenario({
  id: 'redemption-claims',
  title: 'An ID-JAG whose claims are missing, too late or unsupported is refused',
  checks: {
    expired: 'An ID-JAG whose `exp` has passed is refused.',
    exp: 'An ID-JAG whose `exp` is missing, or no number, is refused.',
    iat: 'An ID-JAG whose `iat` is missing, or lies in the future, is refused.',
    nbf: 'An ID-JAG is refused before its `nbf`.',
    lifetime: 'An ID-JAG that is valid for a year is refused.',
    sub: 'An ID-JAG without `sub` is refused.',
    jti: 'An ID-JAG whose `jti` is missing, empty or no text is refused.',
    'odd-jti': 'An ID-JAG with an odd `jti` is not answered 5xx.',
    confirmation: 'An ID-JAG that is bound to a key (`cnf`) is not redeemed without its proof.',
    details: 'An ID-JAG with `authorization_details` of an unknown type is refused.',
  },
  resting: { 'redemption-claims.odd-jti': ['jti'] },
  blockedBy: ['redemption.granted'],
  // At the end: a fragile server dies of some of these.
  dangerous: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { invented } = world;
    const now = Math.floor(world.time.now() / 1000);
    const old = { iat: now - 15 * MINUTE, auth_time: now - 15 * MINUTE };
    const later = { exp: now + 15 * MINUTE };
    const thumbprint = Buffer.from(invented.token().padEnd(32)).toString('base64url').slice(0, 43);
    await refuseEach(judge, world, redeemer, [
      claiming('expired', 'expired ten minutes ago', { ...old, exp: now - 10 * MINUTE }),
      claiming('exp', 'without exp', { exp: undefined }),
      claiming('exp', 'exp as text', { exp: String(now + 5 * MINUTE) }),
      claiming('exp', 'exp null', { exp: null }),
      {
        ...{ check: 'exp', what: 'exp 1e309', reading: ANY_NUMBER },
        make: () => withLiteral(redeemer.idJag(), 'exp', '1e309'),
      },
      claiming('iat', 'without iat', { iat: undefined }),
      claiming('iat', 'iat in ten minutes', { ...later, iat: now + 10 * MINUTE }),
      claiming('nbf', 'nbf in ten minutes', { ...later, nbf: now + 10 * MINUTE }),
      claiming('lifetime', 'valid for a year', { exp: now + YEAR }),
      claiming('sub', 'without sub', { sub: undefined }),
      claiming('confirmation', 'bound to a key', { cnf: { jkt: thumbprint } }),
      claiming('details', 'with authorization_details', {
        authorization_details: [{ type: invented.word() }],
      }),
      claiming('jti', 'without jti', { jti: undefined }),
      claiming('jti', 'an empty jti', { jti: '' }),
      claiming('jti', 'jti {}', { jti: {} }),
    ]);
    // Whether one of 10 kB is taken is the server's matter.
    for (const jti of [undefined, '', {}, [invented.word()], 'j'.repeat(10_000)]) {
      const answer = await redeemer.redeemNew({ claims: { jti } });
      const what = `jti ${JSON.stringify(jti)?.slice(0, 20) ?? 'missing'}`;
      judge.expect('odd-jti', answer.status < 500, answer, { case: what });
    }

    /** What no writer of JSON writes. */
    function withLiteral(token: string, claim: string, literal: string): string {
      const { claims, header } = openJwt(token) ?? { claims: {}, header: {} };
      const text = JSON.stringify({ ...claims, [claim]: '§' }).replace('"§"', literal);
      return forgeJwt(header, text, world.providers.provider.keys[0]);
    }
  },
});
