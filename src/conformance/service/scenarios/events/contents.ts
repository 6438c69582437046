import { serviceScenario } from '../../service-scenario.ts';
import { deliver, expectAlive, mustBeAccepted, settle } from '../../steps/deliver-event.ts';

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/';

export const eventContents = serviceScenario({
  id: 'event-contents',
  title: 'Events that mean nothing here are acknowledged, and unknown members ignored',
  checks: {
    unknown: 'An unknown event is answered 202 and has no effect.',
    members: 'Members that nobody knows are ignored, in the event and beside it.',
    caep: 'An event of CAEP is answered 202.',
    risc: 'An event of RISC is answered 202.',
    'any-vendor': 'The revocation event acts under any address that ends alike.',
    'audience-list': 'A list of audiences with the service in it is taken.',
    'exp-tolerated': 'An exp is not asked for, and tolerated.',
    'type-spelling': 'The typ may be written in any case, and with application/.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const { revokedEvent: type = '' } = world.facts;
    const { invented } = world;
    const one = await settle(world);
    const accepted = async (
      name: Accepted,
      what: string,
      options: Parameters<typeof world.revokedEvent>[1],
      subject = world.freshSubject().subject,
    ) => {
      const answer = await deliver(world, world.revokedEvent(subject, options));
      judge.expect(name, answer.status === 202, answer, { expected: `202 for ${what}` });
    };
    const unknown = { claims: { events: { [`${invented.origin()}/${invented.word()}`]: {} } } };
    const answer = await deliver(world, world.revokedEvent(one.subject, unknown));
    judge.expect('unknown', answer.status === 202, answer);
    await expectAlive(judge, 'unknown', world, one, 'an event of an unknown type');

    for (const [name, event] of [
      ['caep', `${CAEP}assurance-level-change`],
      ['risc', `${RISC}identifier-changed`],
    ] as const) {
      const events = { [event]: { event_timestamp: 1_700_000_000, [invented.member()]: [1] } };
      await accepted(name, `an event ${event}`, { claims: { events } });
    }
    const extended = {
      txn: invented.token(),
      [invented.member()]: { [invented.word()]: [null] },
      events: { [type]: { reason_admin: { en: invented.name() }, [invented.member()]: true } },
    };
    await accepted(
      'members',
      'a revocation event with further members',
      { claims: extended },
      one.subject,
    );
    const ended = await world.client.exchange(one.assertion);
    judge.expect('members', ended.refused, ended);

    const two = await settle(world);
    const foreign = { [`${invented.origin()}/events/identity/assertion/revoked`]: {} };
    await deliver(world, world.revokedEvent(two.subject, { claims: { events: foreign } }));
    const over = await world.client.exchange(two.assertion);
    judge.expect('any-vendor', over.refused, over);

    const aud = [world.facts.issuer, `https://${world.elsewhere}`];
    await accepted('audience-list', 'an event for several', { claims: { aud } });
    const exp = Math.floor(world.time.now() / 1000) + 600;
    await accepted('exp-tolerated', 'an event with exp', { claims: { exp } });
    for (const typ of ['SecEvent+JWT', 'application/secevent+jwt']) {
      await accepted('type-spelling', `an event with typ ${typ}`, { header: { typ } });
    }
  },
});

/** Checks that a 202 decides. */
type Accepted = 'caep' | 'risc' | 'members' | 'audience-list' | 'exp-tolerated' | 'type-spelling';
