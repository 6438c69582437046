import { judgePart } from '../../../engine/judge-part.ts';
import { makeKey } from '../../../jwt/key.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { expectNotRedeemed } from '../../cross-app/refusals.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { granted, isGranted } from '../../steps/answers.ts';
import {
  KEY_SET_PATIENCE,
  keyFetches,
  untilFetched,
  withoutKeys,
} from '../../steps/publish-keys.ts';

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
  restsOn: {
    'after-outage': 'redemption-keys.new-key',
    'removed-key': 'redemption-keys.try-later',
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
