import { serviceScenario } from '../../service-scenario.ts';
import { deliver, expectAlive, mustBeAccepted, settle } from '../../steps/deliver-event.ts';
import {
  isTaken,
  NO_OTHER,
  present,
  registrationOf,
  trustsOther,
} from '../../steps/present-id-jag.ts';
import { isMuchSlower } from '../../steps/response-time.ts';

export const eventRevocation = serviceScenario({
  id: 'event-revocation',
  title: 'A revocation event of the provider ends what rests on its word, and nothing else',
  checks: {
    accepted: 'The event is answered 202 without a body, promptly.',
    'assertion-ended': 'The assertion is exchanged no longer.',
    'token-ended': 'Access tokens are refused at once.',
    'begun-anew': 'The next ID-JAG of that user begins a new registration.',
    'old-stays-ended': 'The old assertion stays ended after that.',
    'other-subject': 'Another user of the same provider keeps what they have.',
    'other-issuer': 'The same subject of another provider keeps what it has.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const one = await settle(world);
    const neighbour = await settle(world);
    const near = await settle(world, { ...world.freshSubject(), subject: `${one.subject}x` });
    const second = await trustsOther(world);
    const twin = second
      ? await settle(
          world,
          { subject: one.subject, email: world.freshEmail() },
          world.providers.other,
        )
      : undefined;
    const answer = await deliver(world, world.revokedEvent(one.subject));
    judge.expect('accepted', answer.status === 202 && answer.text === '', answer);
    // Both are read by the keys of the provider, and stored.
    judge.expect(
      'accepted',
      !isMuchSlower(answer, one.registered),
      `It took ${answer.duration} ms, and ${one.registered.duration} ms for an ID-JAG.`,
      { exchange: answer.exchange, warn: true },
    );
    const exchanged = await world.client.exchange(one.assertion);
    judge.expect('assertion-ended', exchanged.refused, exchanged);
    await expectAlive(judge, 'other-subject', world, neighbour, 'an event about somebody else');
    await expectAlive(judge, 'other-subject', world, near, 'an event about a similar subject');
    if (twin === undefined) {
      judge.skip('other-issuer', NO_OTHER);
    } else {
      await expectAlive(judge, 'other-issuer', world, twin, 'an event of another provider');
    }
    // An ID-JAG of the very second of the event may be refused: it is not newer.
    await world.time.pass(2_000);
    const anew = await present(world, world.idJag(one));
    const before = registrationOf(one.registered);
    judge.expect(
      'begun-anew',
      isTaken(anew) && (before === undefined || registrationOf(anew) !== before),
      anew,
    );
    const stale = await world.client.exchange(one.assertion);
    judge.expect('old-stays-ended', stale.refused, stale);
    const called = await world.client.call(one.token);
    judge.expect('token-ended', called.status === 401, called);
  },
});

export const eventRepeat = serviceScenario({
  id: 'event-repeat',
  title: 'An event that is delivered again is acknowledged again, and acts once',
  checks: {
    acknowledged: 'The same event is answered 202 each time.',
    'one-effect': 'It does not end what was registered after it.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const one = await settle(world);
    const plain = world.revokedEvent(one.subject);
    for (const set of [plain, plain, plain]) {
      const answer = await deliver(world, set);
      judge.expect('acknowledged', answer.status === 202, answer);
    }
    await world.time.pass(2_000);
    // With another address: the account of before may be there still, and its owner be asked.
    const anew = await settle(world, { subject: one.subject, email: world.freshEmail() });
    const again = await deliver(world, plain);
    judge.expect('acknowledged', again.status === 202, again);
    await expectAlive(judge, 'one-effect', world, anew, 'an event of before it that came again');
  },
});

export const eventOrder = serviceScenario({
  id: 'event-order',
  title: 'An event that comes late is judged by its own time',
  checks: {
    'newer-lives': 'An event about the past ends nothing that was registered after it.',
    'time-of-event': 'The time of the event (toe) counts before that of its token (iat).',
    'not-newer-refused': 'An ID-JAG from before the event is refused after it.',
    'ends-older': 'An event about the past ends what was registered before it.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const seconds = () => Math.floor(world.time.now() / 1000);
    const one = await settle(world);
    const earlier = { claims: { iat: seconds() - 120 } };
    await deliver(world, world.revokedEvent(one.subject, earlier));
    await expectAlive(judge, 'newer-lives', world, one, 'an event of two minutes before it');
    const happened = { claims: { toe: seconds() - 120 } };
    await deliver(world, world.revokedEvent(one.subject, happened));
    await expectAlive(judge, 'time-of-event', world, one, 'an event that happened before it');

    const kept = world.idJag(one);
    await world.time.pass(2_000);
    const late = { claims: { iat: seconds() - 1 } };
    await deliver(world, world.revokedEvent(one.subject, late));
    const exchanged = await world.client.exchange(one.assertion);
    judge.expect('ends-older', exchanged.refused, exchanged);
    const answer = await present(world, kept);
    judge.expect('not-newer-refused', !isTaken(answer), answer);
  },
});
