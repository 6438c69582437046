import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiverGuard } from '../../../src/mock/http/refused-ip.ts';
import { describeProblem } from '../../../src/mock-provider/outbox/describe-event.ts';
import { createSystemFetch, type Resolve } from '../../../src/runtime/system-fetch.ts';
import { Harness } from '../harness.ts';

/** Answers at 127.0.0.1, whatever is asked. */
let server: Server;
let asked: string[];
let port: number;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const direct = { proxyFor: () => undefined };
/** Of a provider that everybody reaches. */
const ofTheWorld = receiverGuard('world');

describe('a guarded fetch', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.5',
    '172.16.3.4',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '192.0.2.1',
  ])('does not connect a name to %s', async (ip) => {
    const fetch = createSystemFetch({ ...direct, guard: ofTheWorld, resolve: async () => [ip] });
    const error: unknown = await fetch(`http://service.example:${port}/`).catch((why) => why);
    expect(JSON.stringify(causes(error))).toContain(`Nothing is sent to ${ip}.`);
    expect(asked).toEqual([]);
  });

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])('nor to %s as it is', async (host) => {
    const fetch = createSystemFetch({ ...direct, guard: ofTheWorld });
    const error: unknown = await fetch(`http://${host}:${port}/`).catch((why) => why);
    expect(JSON.stringify(causes(error))).toContain('Nothing is sent to');
    expect(asked).toEqual([]);
  });

  it('connects to what it has looked at, and does not resolve again', async () => {
    let resolved = 0;
    // The second answer would lead elsewhere.
    const resolve: Resolve = async () => {
      resolved += 1;
      return resolved === 1 ? ['127.0.0.1'] : ['10.0.0.5'];
    };
    const seen: string[] = [];
    const guard = (ip: string) => {
      seen.push(ip);
    };
    const fetch = createSystemFetch({ ...direct, guard, resolve });
    const url = `http://service.example:${port}/a`;
    expect((await fetch(url)).status).toBe(200);
    expect(seen).toEqual(['127.0.0.1']);
    expect(asked).toEqual([`service.example:${port} /a`]);
  });

  it('leaves out what is refused of several addresses', async () => {
    const guard = (ip: string) => {
      if (ip !== '127.0.0.1') throw new Error('not there');
    };
    const resolve = async () => ['10.0.0.5', '127.0.0.1', '::1'];
    const fetch = createSystemFetch({ ...direct, guard, resolve });
    expect((await fetch(`http://service.example:${port}/`)).status).toBe(200);
  });

  it('says that a name leads nowhere', async () => {
    const fetch = createSystemFetch({ ...direct, guard: ofTheWorld, resolve: async () => [] });
    await expect(fetch('http://service.example/')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a provider at a public URL', () => {
  const service = 'https://rebound.example';
  const revokeWith = async (resolve: Resolve, options: object = {}) => {
    const harness = await Harness.start({
      fetch: createSystemFetch({ ...direct, resolve, guard: () => {} }),
      guardedFetch: (guard) => createSystemFetch({ ...direct, resolve, guard }),
      ...options,
    });
    const idToken = await harness.signIn();
    await harness.mintWithConsent(idToken, { audience: service });
    const { body } = await harness.revoke(idToken, { audience: service });
    const [entry] = await harness.provider.outbox.list();
    return { body, entry };
  };

  it('parks an event whose receiver is on its network, and says where', async () => {
    const { body, entry } = await revokeWith(async () => ['10.0.0.5']);
    expect(body).toMatchObject({
      event: 'parked',
      event_problem: { code: 'address_refused' },
    });
    // Where it led is for those who run the provider, not for the agent.
    expect(JSON.stringify(body)).not.toContain('10.0.0.5');
    expect(entry?.problem && describeProblem(entry.problem)).toBe(
      'It was not called: its host rebound.example is at 10.0.0.5 (private), and the URL of this provider is public. To allow that, configure it as an audience.',
    );
  });

  it('calls one that was configured, wherever it is', async () => {
    const { body } = await revokeWith(async () => ['127.0.0.1'], { audiences: [service] });
    // Nothing listens on the usual port there.
    expect(body).toMatchObject({ event_problem: { code: 'network_refused' } });
  });

  it('calls one that was configured beside any, and guards the others', async () => {
    const resolve = async () => ['127.0.0.1'];
    const listed = await revokeWith(resolve, { audiences: ['any', service] });
    expect(listed.body).toMatchObject({ event_problem: { code: 'network_refused' } });
    const other = await revokeWith(resolve, { audiences: ['any', 'https://other.example'] });
    expect(other.body).toMatchObject({ event_problem: { code: 'address_refused' } });
  });

  it('on this machine calls every one', async () => {
    const { body } = await revokeWith(async () => ['127.0.0.1'], {
      baseUrl: 'http://127.0.0.1:4801',
    });
    expect(body).toMatchObject({ event_problem: { code: 'network_refused' } });
  });
});

function causes(error: unknown): readonly string[] {
  return error instanceof Error ? [error.message, ...causes(error.cause)] : [];
}
