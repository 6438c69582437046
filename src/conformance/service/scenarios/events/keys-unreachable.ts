import { HOUR, MINUTE } from '../../../../protocol/index.ts';
import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { acknowledged, deliver, mustAcceptEvents } from '../../steps/deliver-event.ts';

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
  async run(judge, world) {
    const { provider } = world.providers;
    await mustAcceptEvents(world);
    await world.time.pass(2 * HOUR);
    const unfetched = makeKey();
    provider.down = true;
    world.publish(provider, [unfetched.jwk]);
    const { subject } = world.freshSubject();
    const set = world.revokedEvent(subject, { key: unfetched });
    const answer = await deliver(world, set);
    judge.table(answer, {
      'not-believed': { ok: answer.status !== 202 },
      'try-later': { ok: answer.status === 503 && answer.header('retry-after') !== undefined },
    });
    provider.down = false;
    await world.time.pass(10 * MINUTE);
    judge.table(await deliver(world, set), { 'taken-later': acknowledged });
  },
});
