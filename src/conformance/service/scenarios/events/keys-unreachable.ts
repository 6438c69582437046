import { MINUTE } from '../../../../protocol/index.ts';
import { judgePart } from '../../../engine/judge-part.ts';
import type { Answer } from '../../../http/answer.ts';
import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { acknowledged, deliver, mustAcceptEvents } from '../../steps/deliver-event.ts';
import { untilFetched, withoutKeys } from '../../steps/publish-keys.ts';

export const eventKeysUnreachable = serviceScenario({
  id: 'event-keys-unreachable',
  title: 'An event whose keys cannot be fetched now is neither believed nor discarded',
  checks: {
    'not-believed': 'Without the keys of its issuer no event is accepted.',
    'try-later':
      'Without the keys the answer is 503 with Retry-After, so that the provider tries again.',
    'taken-later': 'The event is accepted once the keys can be fetched.',
  },
  costly: true,
  waits: true,
  async run(judge, world) {
    const { provider } = world.providers;
    await mustAcceptEvents(world);
    world.needFetches(provider);
    const unfetched = makeKey();
    const { subject } = world.freshSubject();
    const set = world.revokedEvent(subject, { key: unfetched });
    let isRefused = true;
    await judgePart(judge, 'try-later', async () => {
      const answer = await untilFetched(world, provider, async () => {
        const unbelieved = await withoutKeys(provider, () => deliver(world, set));
        isRefused = judge.expect('not-believed', !unbelieved.ok, unbelieved) && isRefused;
        return unbelieved;
      });
      const isLater = answer.status === 503 && answer.header('retry-after') !== undefined;
      judge.table(answer, { 'try-later': { ok: isLater } });
    });
    if (!isRefused) return judge.skip('taken-later', 'It was taken without its keys.');
    world.publish(provider, [unfetched.jwk]);
    const again = () => deliver(world, set);
    const isTaken = (answer: Answer) => acknowledged(answer).ok;
    const taken = await world.time.askUntil(10 * MINUTE, again, isTaken);
    judge.table(taken, { 'taken-later': acknowledged });
  },
});
