import { describe, expect, it } from 'vitest';
import { Invented } from '../../../src/conformance/engine/invented.ts';
import { TestServices } from '../../../src/conformance/provider/test-services.ts';
import { systemClock, systemRandom, systemSleep } from '../../../src/runtime/index.ts';

async function withServices(use: (services: TestServices) => Promise<void>): Promise<void> {
  const services = await TestServices.start({
    clock: systemClock,
    random: systemRandom,
    invented: new Invented(1, 'services'),
    port: 0,
  });
  try {
    await use(services);
  } finally {
    await services.close();
  }
}

const get = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>;
const push = (url: string, body = 'x') => fetch(url, { method: 'POST', body });

/** Unsigned: what a service of the suite keeps of an event is its `jti`. */
const eventOf = (jti: string) =>
  ['{"alg":"none"}', JSON.stringify({ jti }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

describe('a service of the suite', () => {
  it('publishes what the specification lists, at the URLs of RFC 8414 and RFC 9728', () =>
    withServices(async (services) => {
      const { issuer } = services.fresh();
      const { origin, pathname } = new URL(issuer);
      const server = await get(`${origin}/.well-known/oauth-authorization-server${pathname}`);
      expect(server).toMatchObject({
        issuer,
        resource: issuer,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        response_types_supported: [],
        agent_auth: {
          events_endpoint: `${issuer}/agent/event/notify`,
          identity_assertion: {
            assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
          },
        },
      });
      expect(Object.keys(server['agent_auth'] as object).sort()).toEqual([
        'claim_endpoint',
        'events_endpoint',
        'events_supported',
        'identity_assertion',
        'identity_endpoint',
        'identity_types_supported',
        'skill',
      ]);
      expect(await get(`${issuer}/.well-known/oauth-authorization-server`)).toEqual(server);
      const below = `${origin}/.well-known/oauth-protected-resource${pathname}/api/notes`;
      expect(await get(below)).toMatchObject({
        resource: `${issuer}/api/notes`,
        authorization_servers: [issuer],
      });
      const keys = await get(String(server['jwks_uri']));
      expect(keys).toMatchObject({ keys: [{ kty: 'EC' }] });
      expect((await fetch(`${issuer}/auth.md`)).headers.get('content-type')).toContain('markdown');
      const beyond = await fetch(`${origin}/.well-known/oauth-authorization-server${pathname}/api`);
      expect(beyond.status).toBe(404);
    }));

  it('waits for an event until it comes, at most for its time', () =>
    withServices(async (services) => {
      const service = services.fresh();
      expect(await service.delivered(1, 5, systemSleep)).toBe(false);
      const coming = service.delivered(2, 60_000, systemSleep);
      await push(service.eventsEndpoint, 'one');
      await push(service.eventsEndpoint, 'two');
      expect(await coming).toBe(true);
      expect(service.deliveries.map(({ body }) => body)).toEqual(['one', 'two']);
    }));

  it('stops waiting when the run is interrupted', () =>
    withServices(async (services) => {
      const interrupted = new AbortController();
      const waiting = services
        .fresh()
        .delivered(1, 60_000, (ms, signal) =>
          systemSleep(ms, AbortSignal.any([interrupted.signal, ...(signal ? [signal] : [])])),
        );
      interrupted.abort(new Error('Ctrl-C'));
      await expect(waiting).rejects.toThrow('Ctrl-C');
    }));

  it('is not given what is sent again to the one before it', () =>
    withServices(async (services) => {
      const issuer = `${services.base}/one`;
      await push(services.at(issuer).eventsEndpoint, eventOf('first'));
      const next = services.at(issuer);
      expect((await push(next.eventsEndpoint, eventOf('first'))).status).toBe(202);
      await push(next.eventsEndpoint, eventOf('second'));
      expect(next.deliveries.map(({ body }) => body)).toEqual([eventOf('second')]);
    }));
});
