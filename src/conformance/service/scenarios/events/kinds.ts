import { MEDIA_TYPE } from '../../../../protocol/index.ts';
import { NoAnswer } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import {
  deliverRaw,
  expectEventRefused,
  mustBeAccepted,
  settle,
} from '../../steps/deliver-event.ts';
import { expectUnvisited, judgeAttacks } from '../../steps/judge-jwt-attacks.ts';
import { JWT_ATTACK_CHECKS } from '../../steps/jwt-attacks.ts';

export const eventHeaders = serviceScenario({
  id: 'event-headers',
  title: 'Events with hostile headers and signatures are refused',
  checks: {
    ...JWT_ATTACK_CHECKS,
    fetched: 'Nothing is fetched from an address that a header names.',
  },
  async run(judge, world) {
    await mustBeAccepted(world);
    const expected = 'no request to an address that a header names';
    await expectUnvisited(judge, 'fetched', world.providers.stranger, expected, () =>
      judgeAttacks(world, {
        make: () => world.revokedEvent(world.freshSubject().subject),
        send: (token) => deliverRaw(world, token),
        prove: () => mustBeAccepted(world),
        judge: (check, what, reply, warn) =>
          expectEventRefused(judge, check, { what, warn }, reply),
      }),
    );
  },
});

export const eventKinds = serviceScenario({
  id: 'event-kinds',
  title: 'No token passes for an event, and no event for a token',
  checks: {
    'id-jag': 'An ID-JAG is no event.',
    assertion: "The service's own assertion is no event.",
    'access-token': 'An access token is no event.',
    bearer: 'An event opens no protected resource.',
    exchange: 'An event is not exchanged for an access token.',
  },
  async run(judge, world) {
    world.needType('identity_assertion');
    await mustBeAccepted(world);
    const { assertion, token } = await settle(world);
    const events = { [world.facts.revokedEvent ?? '']: {} };
    const plain = world.idJag(world.freshSubject());
    const full = world.idJag(world.freshSubject(), { claims: { events } });
    for (const idJag of [plain, full]) {
      const reply = await deliverRaw(world, idJag);
      expectEventRefused(judge, 'id-jag', { what: 'An ID-JAG at the events endpoint' }, reply);
    }
    const own = { what: "The service's own assertion at the events endpoint" };
    expectEventRefused(judge, 'assertion', own, await deliverRaw(world, assertion));
    const access = { what: 'An access token at the events endpoint' };
    expectEventRefused(judge, 'access-token', access, await deliverRaw(world, token));

    const { subject } = world.freshSubject();
    const exchanged = await world.client.exchange(world.revokedEvent(subject));
    judge.expect('exchange', !exchanged.ok, exchanged);
    const called = await world.client.call(world.revokedEvent(subject));
    judge.expect('bearer', called.refused, called);
  },
});

export const eventTransport = serviceScenario({
  id: 'event-transport',
  title: 'The events endpoint takes POST of one kind of body',
  checks: {
    'media-type': 'A body of another media type is answered 415.',
    method: 'Other methods are answered 405, with Allow.',
    size: 'An oversized body is answered 413.',
    'charset-tolerated': 'Parameters of the media type are tolerated.',
    secure: 'The address of the events endpoint is https, or http on loopback.',
  },
  async run(judge, world) {
    const url = world.client.endpoint('eventsEndpoint');
    const { protocol, hostname } = new URL(url);
    judge.expect('secure', protocol === 'https:' || isLoopback(hostname), url);
    await mustBeAccepted(world);
    const set = () => world.revokedEvent(world.freshSubject().subject);
    const post = (type: string | undefined, body: string) =>
      world.send(url, {
        method: 'POST',
        from: 'provider',
        headers: type === undefined ? [] : [['content-type', type]],
        body,
      });
    for (const type of ['application/json', 'application/jwt', 'text/plain', undefined]) {
      const answer = await post(type, set());
      judge.expect('media-type', answer.status === 415, answer, {
        expected: `415 for ${type ?? 'a body without media type'}`,
      });
    }
    const parameter = await post(`${MEDIA_TYPE.securityEvent}; charset=utf-8`, set());
    judge.expect('charset-tolerated', parameter.status === 202, parameter);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await world.send(url, { method, from: 'provider' });
      judge.expect(
        'method',
        answer.status === 405 && /POST/.test(answer.header('allow') ?? ''),
        answer,
        { expected: `405 with Allow: POST for ${method}` },
      );
    }
    const large = await deliverRaw(world, 'x'.repeat(2 * 1024 * 1024));
    // Closing in the middle of it is an answer too, of whom goes on afterwards.
    if (large instanceof NoAnswer) await mustBeAccepted(world);
    judge.expect(
      'size',
      large instanceof NoAnswer || large.status === 413,
      large instanceof NoAnswer ? large.message : large,
    );
  },
});

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
