import { makeKey } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { deliver, mustBeAccepted } from '../../steps/deliver-event.ts';

export const eventKeysUnreachable = serviceScenario({
  id: 'event-keys-unreachable',
  title: 'An event whose keys cannot be had now is neither believed nor thrown away',
  checks: {
    'not-believed': 'Without the keys of its issuer no event is taken.',
    'try-later': 'The answer is 503 with Retry-After, so that the provider tries again.',
    'taken-later': 'The event is taken once the keys are there.',
  },
  async run(judge, world) {
    const { provider } = world.providers;
    await mustBeAccepted(world);
    await world.time.pass(2 * 3_600_000);
    const unheard = makeKey();
    provider.down = true;
    provider.published = [...provider.published, unheard.jwk];
    const { subject } = world.freshSubject();
    const set = world.revokedEvent(subject, { key: unheard });
    const answer = await deliver(world, set);
    judge.expect('not-believed', answer.status !== 202, answer);
    judge.expect(
      'try-later',
      answer.status === 503 && answer.header('retry-after') !== undefined,
      answer,
    );
    provider.down = false;
    await world.time.pass(10 * 60_000);
    const later = await deliver(world, set);
    judge.expect('taken-later', later.status === 202, later);
  },
});
