import { refused, status } from '../../../engine/rows.ts';
import { Answer } from '../../../http/answer.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { serviceScenario } from '../../service-world.ts';
import { mustOpen, refusedUnlike } from '../../steps/controls.ts';
import {
  acknowledged,
  deliver,
  deliverRaw,
  expectActive,
  expectEventRefused,
  mustAcceptEvents,
  registerActive,
} from '../../steps/deliver-event.ts';
import { expectNoFetch } from '../../steps/expect-refused.ts';
import { judgeJwtAttacks } from '../../steps/judge-jwt-attacks.ts';
import { JWT_ATTACK_CHECKS } from '../../steps/jwt-attacks.ts';
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
  resting: { 'event-revocation.assertion-ended': ['members'] },
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

export const eventHeaders = serviceScenario({
  id: 'event-headers',
  title: 'Events with hostile headers and signatures are refused',
  checks: {
    ...JWT_ATTACK_CHECKS,
    fetched: 'Nothing is fetched from a URL that a header names.',
  },
  costly: true,
  async run(judge, world) {
    await mustAcceptEvents(world);
    let isLooking = false;
    const attack = () =>
      judgeJwtAttacks(world, {
        make: () => world.revokedEvent(world.freshSubject().subject),
        send: (token) => deliverRaw(world, token),
        mustAccept: () => mustAcceptEvents(world),
        judge: (check, what, reply, reading) => {
          isLooking ||= !(reply instanceof Answer) || !reply.ok;
          expectEventRefused(judge, check, reply, what, reading);
        },
      });
    const { untrusted } = world.providers;
    await expectNoFetch(judge, 'fetched', untrusted, attack, undefined, () => isLooking);
  },
});

export const eventKinds = serviceScenario({
  id: 'event-kinds',
  title: 'No token is accepted as an event, and no event as a token',
  checks: {
    'id-jag': 'An ID-JAG is refused as an event.',
    assertion: "The service's own assertion is refused as an event.",
    'access-token': 'An access token is refused as an event.',
    bearer: 'An event opens no protected resource.',
    exchange: 'An event is not exchanged for an access token.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustAcceptEvents(world);
    const { assertion, token } = await registerActive(world);
    const claims = { events: { [world.facts.revokedEvent ?? '']: {} } };
    for (const [name, sent] of [
      ['id-jag', world.idJag(world.freshSubject())],
      ['id-jag', world.idJag(world.freshSubject(), { claims })],
      ['assertion', assertion],
      ['access-token', token],
    ] as const) {
      expectEventRefused(judge, name, await deliverRaw(world, sent));
    }
    const { subject } = world.freshSubject();
    const exchanged = await world.client.exchange(world.revokedEvent(subject));
    judge.expect('exchange', !exchanged.ok, exchanged);
    const bearer = refusedUnlike(await mustOpen(world, token));
    judge.table(await world.client.call(world.revokedEvent(subject)), { bearer });
  },
});

export const eventTransport = serviceScenario({
  id: 'event-transport',
  title: 'The events endpoint takes POST and one media type',
  checks: {
    'media-type': 'A body of another media type, or of none, is answered 415.',
    method: 'Other methods are answered 405 with Allow: POST.',
    size: 'An oversized body is answered 413.',
    secure: 'The URL of the events endpoint is https, or http on loopback.',
  },
  async run(judge, world) {
    const url = world.client.endpoint('eventsEndpoint');
    const { protocol, hostname } = new URL(url);
    judge.expect('secure', protocol === 'https:' || isLoopback(hostname), url);
    await mustAcceptEvents(world);
    const send = (method: string, type?: string, body?: string) =>
      world.send(url, {
        method,
        from: 'provider',
        headers: type === undefined ? [] : [['content-type', type]],
        ...(body !== undefined && { body }),
      });
    const post = (type: string | undefined) =>
      send('POST', type, world.revokedEvent(world.freshSubject().subject));
    for (const type of ['application/json', 'application/jwt', 'text/plain', undefined]) {
      judge.table(
        await post(type),
        { 'media-type': status(415) },
        { case: type ?? 'no Content-Type' },
      );
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await send(method);
      const isRight = answer.status === 405 && /POST/.test(answer.header('allow') ?? '');
      judge.expect('method', isRight, answer, { case: method });
    }
    const large = await deliverRaw(world, 'x'.repeat(2 * 1024 * 1024));
    if (large instanceof NoAnswer) {
      // Closing in the middle of it is an answer too, of a service that answers afterwards.
      await mustAcceptEvents(world);
      judge.expect('size', true, large.message);
    } else {
      judge.table(large, { size: status(413) });
    }
  },
});

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
