import { CannotTest } from '../../../engine/judge.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import type { Subject } from '../../service-world.ts';
import { notGranted } from '../../steps/answers.ts';
import { deliver, isActive, registerActive } from '../../steps/deliver-event.ts';
import { isAccepted, mustRegister, present } from '../../steps/present-id-jag.ts';

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
