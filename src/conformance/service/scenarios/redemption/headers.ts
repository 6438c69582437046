import { JWT_TYPE } from '../../../../protocol/index.ts';
import { judgePart } from '../../../engine/judge.ts';
import { makeKey } from '../../../jwt/forge.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { expectNotRedeemed, refuseEach, type WrongIdJag } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-world.ts';
import { granted, isGranted } from '../../steps/answers.ts';
import { connectionFor, expectNoFetch, orNoAnswer } from '../../steps/expect-refused.ts';
import { judgeJwtAttacks } from '../../steps/judge-jwt-attacks.ts';
import { JWT_ATTACK_CHECKS } from '../../steps/jwt-attacks.ts';
import {
  KEY_SET_PATIENCE,
  keyFetches,
  untilFetched,
  withoutKeys,
} from '../../steps/publish-keys.ts';

/** What a provider signs with the same keys, each with what is its own. */
const OTHER_KINDS: readonly (readonly [what: string, typ: unknown, claims: object])[] = [
  ['without typ', undefined, {}],
  ['as an ID token', 'JWT', { nonce: 'n-0S6_WzA2Mj', azp: 'client' }],
  ['as an access token', 'at+jwt', { token_use: 'access' }],
  ['as a client assertion', 'client-authentication+jwt', {}],
  ['as a security event', JWT_TYPE.securityEvent, { events: { 'urn:example:event': {} } }],
  ['with a number as typ', 1, {}],
];

/** The forgeries of the signature; what is no compact JWS at all is judged where agents register. */
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
    await expectNoFetch(judge, 'fetched', world.providers.untrusted, () =>
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

const UNKNOWN_KEYS = 30;
const MOST_FETCHES = 5;

export const redemptionKeys = serviceScenario({
  id: 'redemption-keys',
  title: 'The keys of a provider are followed',
  checks: {
    'new-key': 'A key that a provider publishes anew is used, within ten minutes.',
    'few-fetches': 'Unknown keys do not have the key set fetched each time.',
    'after-outage': 'Once the key set can be fetched again, ID-JAGs are redeemed again.',
    'try-later': 'While it cannot be fetched nothing is given.',
    'removed-key':
      'A key that a provider publishes no more is not used once the set was fetched again.',
  },
  resting: {
    'redemption-keys.new-key': ['after-outage'],
    'redemption-keys.try-later': ['removed-key'],
  },
  blockedBy: ['redemption.granted'],
  costly: true,
  // While it waits, the set is not fit for others.
  alone: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { provider } = world.providers;
    await redeemer.unlock();
    world.needFetches(provider);
    const key = makeKey();
    const withdraw = world.publish(provider, [key.jwk]);
    const ask = () => redeemer.redeemNew({ key });
    await judgePart(judge, 'new-key', async () => {
      const fetched = keyFetches(provider);
      const isDone = (answer: Parameters<typeof isGranted>[0]) =>
        isGranted(answer) || keyFetches(provider) > fetched;
      const answer = await world.time.askUntil(KEY_SET_PATIENCE, ask, isDone);
      judge.table(answer, { 'new-key': granted });
    });

    withdraw();
    await judgePart(judge, ['try-later', 'after-outage', 'removed-key'], async () => {
      const second = makeKey();
      world.publish(provider, [second.jwk]);
      await withoutKeys(provider, async () => {
        const answer = await untilFetched(world, provider, () =>
          redeemer.redeem(redeemer.idJag({ key: second })),
        );
        expectNotRedeemed(judge, 'try-later', answer);
      });
      const later = await world.time.askUntil(
        KEY_SET_PATIENCE,
        () => redeemer.redeemNew({ key: second }),
        isGranted,
      );
      if (!judge.table(later, { 'after-outage': granted })) return;
      // For the second key the set was fetched again, without the first one.
      expectNotRedeemed(judge, 'removed-key', await ask());
    });

    // At the end: whoever has seen so many waits longer before it fetches again.
    const before = keyFetches(provider);
    for (let each = 0; each < UNKNOWN_KEYS; each += 1) {
      await redeemer.redeemNew({ header: { kid: world.invented.word() } });
    }
    const fetches = keyFetches(provider) - before;
    const seen = `${UNKNOWN_KEYS} unknown keys had it fetched ${fetches} times.`;
    judge.expect('few-fetches', fetches <= MOST_FETCHES, seen);
  },
});
