import { refused } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';
import {
  acknowledged,
  deliver,
  expectActive,
  mustAcceptEvents,
  registerActive,
} from '../../steps/deliver-event.ts';
import type { MintOptions } from '../../test-provider.ts';

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/assurance-level-change';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/identifier-changed';

export const eventContents = serviceScenario({
  id: 'event-contents',
  title: 'Events without a meaning here are acknowledged, and unknown members ignored',
  checks: {
    unknown: 'An unknown event is answered 202 and has no effect.',
    members: 'Unknown members are ignored, in the event and beside it.',
    caep: 'An event of CAEP is answered 202.',
    risc: 'An event of RISC is answered 202.',
    'audience-list': 'An event for several audiences, the service among them, is answered 202.',
    'exp-tolerated': 'An event with exp is answered 202, though exp is not required.',
    'type-spelling': 'The typ is accepted in any letter case, and with application/.',
  },
  restsOn: {
    members: 'event-revocation.assertion-ended',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustAcceptEvents(world);
    const { facts, invented } = world;
    const { revokedEvent: type = '' } = facts;
    const send = (options: MintOptions, { subject } = world.freshSubject()) =>
      deliver(world, world.revokedEvent(subject, options));
    const one = await registerActive(world);
    const unknown = { [`${invented.origin()}/${invented.word()}`]: {} };
    const ignored = await send({ claims: { events: unknown } }, one);
    judge.table(ignored, { unknown: acknowledged });
    await expectActive(judge, 'unknown', world, one, 'an event of an unknown type');

    const details = { event_timestamp: 1_700_000_000, [invented.member()]: [1] };
    judge.table(await send({ claims: { events: { [CAEP]: details } } }), { caep: acknowledged });
    judge.table(await send({ claims: { events: { [RISC]: details } } }), { risc: acknowledged });
    const extended = {
      txn: invented.token(),
      [invented.member()]: { [invented.word()]: [null] },
      events: { [type]: { reason_admin: { en: invented.name() }, [invented.member()]: true } },
    };
    const revoked = await registerActive(world);
    judge.table(await send({ claims: extended }, revoked), { members: acknowledged });
    const ended = { case: 'the assertion after a revocation with unknown members' };
    judge.table(await world.client.exchange(revoked.assertion), { members: refused }, ended);

    const aud = [facts.issuer, `https://${world.elsewhere}`];
    judge.table(await send({ claims: { aud } }), { 'audience-list': acknowledged });
    const exp = Math.floor(world.time.now() / 1000) + 600;
    judge.table(await send({ claims: { exp } }), { 'exp-tolerated': acknowledged });
    for (const typ of ['SecEvent+JWT', 'application/secevent+jwt']) {
      const answer = await send({ header: { typ } });
      judge.table(answer, { 'type-spelling': acknowledged }, { case: typ });
    }
  },
});
