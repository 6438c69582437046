import { HOUR, MINUTE } from '../../../../protocol/index.ts';
import { CannotTest } from '../../../engine/judge.ts';
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
    'try-later': 'While it cannot be fetched nothing is given, and the ID-JAG is not spent.',
    'removed-key': 'A key that a provider publishes no more is not used, within a day.',
  },
  restsOn: { 'after-outage': 'redemption-keys.new-key' },
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
    await judgePart(judge, ['new-key', 'removed-key'], async () => {
      const fetched = keyFetches(provider);
      const isDone = (answer: Parameters<typeof isGranted>[0]) =>
        isGranted(answer) || keyFetches(provider) > fetched;
      const answer = await world.time.askUntil(KEY_SET_PATIENCE, ask, isDone);
      judge.table(answer, { 'new-key': granted });
    });

    const before = keyFetches(provider);
    for (let each = 0; each < UNKNOWN_KEYS; each += 1) {
      await redeemer.redeemNew({ header: { kid: world.invented.word() } });
    }
    const fetches = keyFetches(provider) - before;
    const seen = `${UNKNOWN_KEYS} unknown keys had it fetched ${fetches} times.`;
    judge.expect('few-fetches', fetches <= MOST_FETCHES, seen);

    await judgePart(judge, ['try-later', 'after-outage'], async () => {
      const second = makeKey();
      world.publish(provider, [second.jwk]);
      const idJag = redeemer.idJag({ key: second });
      await withoutKeys(provider, async () => {
        const answer = await untilFetched(world, provider, () =>
          redeemer.redeem(redeemer.idJag({ key: second })),
        );
        expectNotRedeemed(judge, 'try-later', answer);
        expectNotRedeemed(judge, 'try-later', await redeemer.redeem(idJag));
      });
      const later = await world.time.askUntil(
        KEY_SET_PATIENCE,
        () => redeemer.redeemNew({ key: second }),
        isGranted,
      );
      judge.table(later, { 'after-outage': granted });
    });

    withdraw();
    await judgePart(judge, 'removed-key', async () => {
      const fetched = keyFetches(provider);
      await world.time.pass(24 * HOUR + MINUTE);
      const answer = await untilFetched(world, provider, ask);
      if (keyFetches(provider) === fetched)
        throw new CannotTest('The key set was not fetched again.');
      expectNotRedeemed(judge, 'removed-key', answer);
    });
  },
});
