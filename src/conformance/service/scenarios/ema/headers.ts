import { JWT_TYPE } from '../../../../protocol/index.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { expectNotRedeemed, refuseEach, type WrongIdJag } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { expectNoFetch } from '../../steps/expect-no-fetch.ts';
import { connectionFor, orNoAnswer } from '../../steps/expect-refused.ts';
import { judgeJwtAttacks } from '../../steps/judge-jwt-attacks.ts';
import { JWT_ATTACK_CHECKS } from '../../steps/jwt-attacks.ts';

/** What a provider signs with the same keys, each with what is its own. */
const OTHER_KINDS: readonly (readonly [what: string, typ: unknown, claims: object])[] = [
  ['without typ', undefined, {}],
  ['as an ID token', 'JWT', { nonce: 'n-0S6_WzA2Mj', azp: 'client' }],
  ['as an access token', 'at+jwt', { token_use: 'access' }],
  ['as a client assertion', 'client-authentication+jwt', {}],
  ['as a security event', JWT_TYPE.securityEvent, { events: { 'urn:example:event': {} } }],
  ['with a number as typ', 1, {}],
];

/** Those of the signature; what is no compact JWS at all is judged where agents register. */
const FORGED = [
  'alg-none',
  'hmac',
  'ecdsa',
  'signature',
  'embedded-key',
  'remote-key',
  'kid',
  'critical',
  'unencoded',
] as const;

export const redemptionHeaders = serviceScenario({
  id: 'redemption-headers',
  title: 'Nothing but a signed ID-JAG of a trusted provider is redeemed',
  checks: {
    'alg-none': JWT_ATTACK_CHECKS['alg-none'],
    hmac: JWT_ATTACK_CHECKS.hmac,
    ecdsa: JWT_ATTACK_CHECKS.ecdsa,
    signature: JWT_ATTACK_CHECKS.signature,
    'embedded-key': JWT_ATTACK_CHECKS['embedded-key'],
    'remote-key': JWT_ATTACK_CHECKS['remote-key'],
    kid: JWT_ATTACK_CHECKS.kid,
    critical: JWT_ATTACK_CHECKS.critical,
    unencoded: JWT_ATTACK_CHECKS.unencoded,
    fetched: 'Nothing is fetched from a URL that a header names.',
    type: 'A token of another kind is refused, by its `typ`, whatever claims it has.',
  },
  blockedBy: ['redemption.granted'],
  costly: true,
  dangerous: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    await redeemer.unlock();
    await refuseEach(
      judge,
      world,
      redeemer,
      OTHER_KINDS.map(
        ([what, typ, claims]): WrongIdJag<'type'> => ({
          check: 'type',
          what,
          mint: { header: { typ }, claims: { ...claims } },
        }),
      ),
    );
    await expectNoFetch(judge, 'fetched', world.providers.stranger, () =>
      judgeJwtAttacks(
        world,
        {
          make: () => redeemer.idJag(),
          send: (token) => {
            const headers = connectionFor(token);
            return orNoAnswer(redeemer.redeem(token, { headers }), token);
          },
          mustAccept: () => redeemer.mustRedeem(),
          judge: (check, what, reply, reading) =>
            expectNotRedeemed(judge, check, reply, { case: what, reading }),
        },
        FORGED,
      ),
    );
  },
});
