import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import { refused, status } from '../../../engine/rows.ts';
import { whyNoResource } from '../../service-client.ts';
import { type Subject, serviceScenario } from '../../service-world.ts';
import { notGranted } from '../../steps/answers.ts';
import {
  acknowledged,
  deliver,
  expectActive,
  isActive,
  mustEndByEvents,
  registerActive,
} from '../../steps/deliver-event.ts';
import {
  isAccepted,
  isRegistered,
  mustRegister,
  NO_OTHER,
  present,
  registrationOf,
  trustsOther,
} from '../../steps/present-id-jag.ts';
import { isMuchSlower } from '../../steps/response-time.ts';

export const eventRevocation = serviceScenario({
  id: 'event-revocation',
  title: 'A revocation event ends the registrations of its subject, and nothing else',
  checks: {
    accepted: 'A revocation event is acknowledged with a 2xx status.',
    status: 'A revocation event is answered 202 without a body, promptly.',
    'assertion-ended': 'The assertions of its subject can no longer be exchanged.',
    'token-ended': 'The access tokens of its subject are answered 401 at once.',
    'begun-anew': 'The next ID-JAG of its subject begins a new registration.',
    'old-stays-ended': 'The old assertion stays revoked after a new registration.',
    'other-subject': 'Registrations of other users of the same provider stay active.',
    'other-issuer': 'Registrations of the same subject of another provider stay active.',
  },
  resting: {
    'event-revocation.assertion-ended': [
      'token-ended',
      'begun-anew',
      'old-stays-ended',
      'other-subject',
      'other-issuer',
    ],
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    const one = await registerActive(world);
    const neighbour = await registerActive(world);
    const similar = { ...world.freshSubject(), subject: `${one.subject}x` };
    const near = await registerActive(world, similar);
    const twin = (await trustsOther(world))
      ? await registerActive(
          world,
          { subject: one.subject, email: world.unknownEmail() },
          world.providers.other,
        )
      : undefined;
    const answer = await deliver(world, world.revokedEvent(one.subject));
    const { duration } = one.registered;
    if (!judge.table(answer, { accepted: acknowledged })) {
      throw new NotApplicable(
        `The event was not accepted (${answer.describe()}), so nothing has ended: see event-revocation.accepted.`,
      );
    }
    judge.table(answer, {
      status: [
        { ok: answer.status === 202 && answer.text === '' },
        // Both need the keys of the provider, and are stored.
        {
          ok: !isMuchSlower(answer, one.registered),
          seen: `It took ${answer.duration} ms, and ${duration} ms for an ID-JAG.`,
          reading: 'RFC 8935 §2.2 says promptly, and no number.',
        },
      ],
    });
    const ended = await world.client.exchange(one.assertion);
    if (!judge.table(ended, { 'assertion-ended': refused })) {
      throw new CannotTest('The event ended nothing.');
    }
    await expectActive(judge, 'other-subject', world, neighbour, 'an event about somebody else');
    await expectActive(judge, 'other-subject', world, near, 'an event about a similar subject');
    if (twin === undefined) {
      judge.skip('other-issuer', NO_OTHER);
    } else {
      await expectActive(judge, 'other-issuer', world, twin, 'an event of another provider');
    }
    // An ID-JAG from the same second as the event may be refused: it is not newer.
    await world.time.pass(2_000);
    const anew = await present(world, world.idJag(one));
    const before = registrationOf(one.registered);
    const isNew = before === undefined || registrationOf(anew) !== before;
    judge.expect('begun-anew', isRegistered(anew) && isNew, anew);
    judge.table(await world.client.exchange(one.assertion), { 'old-stays-ended': refused });
    judge.table(await world.client.call(one.token), { 'token-ended': status(401) });
  },
});

export const eventRepeat = serviceScenario({
  id: 'event-repeat',
  title: 'An event that is delivered again is acknowledged again, and has effect once',
  checks: {
    acknowledged: 'The same event is answered 202 each time.',
    'one-effect': 'A repeated event does not end what was registered after it.',
  },
  resting: { 'event-repeat.acknowledged': ['one-effect'] },
  async run(judge, world) {
    world.needType('identity_assertion');
    const one = await registerActive(world);
    const set = world.revokedEvent(one.subject);
    for (let n = 0; n < 3; n += 1) judge.table(await deliver(world, set), { acknowledged });
    await world.time.pass(2_000);
    // With another email: the former account may still exist, and its owner be asked.
    const anew = await registerActive(world, { subject: one.subject, email: world.unknownEmail() });
    judge.table(await deliver(world, set), { acknowledged });
    await expectActive(judge, 'one-effect', world, anew, 'an earlier event that was repeated');
  },
});

export const eventOrder = serviceScenario({
  id: 'event-order',
  title: 'An event that arrives late counts for the time when it happened',
  checks: {
    'newer-lives': 'An event about the past ends nothing that was registered after it.',
    'time-of-event': 'The time of the event (toe) takes precedence over that of its token (iat).',
    'not-newer-refused': 'An ID-JAG from before the event is refused after it.',
    'ends-older': 'An event about the past ends what was registered before it.',
  },
  resting: {
    'event-order.newer-lives': ['time-of-event'],
    'event-revocation.assertion-ended': ['not-newer-refused'],
  },
  blockedBy: ['event-revocation.assertion-ended'],
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustEndByEvents(world);
    const secondsAgo = (seconds: number) => Math.floor(world.time.now() / 1000) - seconds;
    let one = await registerActive(world);
    const revoke = (claims: object) =>
      deliver(world, world.revokedEvent(one.subject, { claims: { ...claims } }));
    await revoke({ iat: secondsAgo(120) });
    // What an earlier event has ended is not ended by the next one.
    const past = 'an event from two minutes before it';
    if (!(await expectActive(judge, 'newer-lives', world, one, past)))
      one = await registerActive(world);
    await revoke({ toe: secondsAgo(120) });
    const happened = 'an event that happened before it';
    if (!(await expectActive(judge, 'time-of-event', world, one, happened))) {
      one = await registerActive(world);
    }

    const older = world.idJag(one);
    await world.time.pass(2_000);
    await revoke({ iat: secondsAgo(1) });
    judge.table(await world.client.exchange(one.assertion), { 'ends-older': refused });
    const answer = await present(world, older);
    judge.expect('not-newer-refused', !isAccepted(answer), answer);
  },
});

const ROUNDS = 4;
const EXCHANGES = 8;

export const eventRaces = serviceScenario({
  id: 'event-races',
  title: 'A revocation event arrives while the agent registers, or exchanges',
  checks: {
    exchange: 'No access token that was exchanged while an event arrived outlives the event.',
    register: 'No registration by an older ID-JAG outlives an event that arrived at the same time.',
  },
  blockedBy: ['event-revocation.assertion-ended'],
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { client, facts } = world;
    const secondsAgo = (seconds: number) => Math.floor(world.time.now() / 1000) - seconds;
    const older = (whom: Subject) =>
      world.idJag(whom, { claims: { iat: secondsAgo(20), auth_time: secondsAgo(30) } });
    const revoke = ({ subject }: Subject) => deliver(world, world.revokedEvent(subject));

    const control = await registerActive(world);
    await revoke(control);
    if (await isActive(world, control)) throw new CannotTest('An event ends nothing.');
    await judgeExchanges();
    await judgeRegistrations();

    async function judgeExchanges(): Promise<void> {
      if (facts.resource === undefined) {
        const none = whyNoResource(facts);
        return judge.skip('exchange', none.reason, none);
      }
      if ((await client.call(control.token)).status !== 401) {
        const reason = 'Access tokens outlive an event anyway: event-revocation.token-ended.';
        return judge.skip('exchange', reason);
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        const one = await registerActive(world);
        const exchange = () => client.exchange(one.assertion);
        const before = Array.from({ length: EXCHANGES }, exchange);
        const ended = revoke(one);
        const after = Array.from({ length: EXCHANGES }, exchange);
        const [, ...exchanged] = await Promise.all([ended, ...before, ...after]);
        for (const answer of exchanged) {
          const token = answer.string('access_token');
          if (token === undefined) continue;
          const called = await client.call(token);
          const isDead = called.status === 401;
          if (!judge.expect('exchange', isDead, called, answer)) return;
        }
      }
      judge.expect('exchange', true, 'no token');
    }

    async function judgeRegistrations(): Promise<void> {
      const revokedBefore = world.freshSubject();
      await revoke(revokedBefore);
      if (isAccepted(await present(world, older(revokedBefore)))) {
        const reason = 'An ID-JAG from before an event is accepted anyway: event-order.';
        return judge.skip('register', reason);
      }
      // The right request: what is refused above is taken where no event came.
      await mustRegister(world);
      for (let round = 0; round < ROUNDS; round += 1) {
        const whom = world.freshSubject();
        const idJag = older(whom);
        const isFirst = round % 2 === 0;
        const early = isFirst ? undefined : revoke(whom);
        const [registered] = await Promise.all([present(world, idJag), early ?? revoke(whom)]);
        const assertion = registered.string('identity_assertion');
        const late = assertion === undefined ? registered : await client.exchange(assertion);
        if (!judge.table(late, { register: notGranted }, registered)) return;
      }
    }
  },
});
