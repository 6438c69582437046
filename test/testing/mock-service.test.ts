import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../src/runtime/index.ts';
import { createMockService } from '../../src/testing/mock-service.ts';
import { FakeProvider, PROVIDER } from '../mock-service/harness.ts';

const KEYS = `${PROVIDER}/.well-known/jwks.json`;
const METADATA = `${PROVIDER}/.well-known/oauth-authorization-server`;

/** What a registration by ID-JAG is answered, once five seconds have passed. */
async function registerLate(options: Parameters<typeof createMockService>[0]) {
  const clock = new FakeClock();
  const provider = new FakeProvider(clock);
  await provider.addKey('key-1');
  const service = await createMockService({ clock, trust: [{ issuer: PROVIDER }], ...options });
  const [{ issuer: iss } = { issuer: PROVIDER }] = options?.trust ?? [];
  const assertion = await provider.idJag({ iss, aud: service.issuer });
  const answer = service.fetch(
    new Request(`${service.issuer}/agent/identity`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'identity_assertion', assertion }),
    }),
  );
  let isAnswered = false;
  answer.finally(() => {
    isAnswered = true;
  });
  return {
    answer: async () => {
      const response = await answer;
      const body = (await response.json()) as Record<string, unknown>;
      return [response.status, body['error_description']];
    },
    isAnswered: () => isAnswered,
  };
}

/** The fetch was called. */
let begun = () => {};

const told = (url: string) => [
  503,
  `The keys of the issuer cannot be fetched: ${url} gave no usable answer.`,
];

describe('a mock service whose provider never ends its answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([METADATA, KEYS])(
    'gives up after five seconds, by a fetch that is given: %s',
    async (url) => {
      let isCancelled = false;
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const fetch = async (to: string) => {
        if (to !== url) return new Response(null, { status: 404 });
        begun();
        const start = (stream: ReadableStreamDefaultController<Uint8Array>) =>
          stream.enqueue(new TextEncoder().encode('{"keys":'));
        const cancel = () => {
          isCancelled = true;
        };
        return new Response(new ReadableStream<Uint8Array>({ start, cancel }));
      };
      const late = await registerLate({ fetch });
      await hasBegun;
      await vi.advanceTimersByTimeAsync(4_999);
      expect(late.isAnswered()).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(await late.answer()).toEqual(told(url));
      expect(isCancelled).toBe(true);
    },
  );

  it('gives up one that does not even begin, whatever its fetch makes of the signal', async () => {
    const asked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const fetch = () => {
      begun();
      return new Promise<never>(() => {});
    };
    const late = await registerLate({ fetch });
    await asked;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await late.answer()).toEqual(told(METADATA));
  });

  describe('over HTTP', () => {
    let server: Server;
    let gone: Promise<void>;
    beforeEach(async () => {
      server = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"keys":');
      });
      gone = new Promise((resolve) => {
        server.once('connection', (socket) => socket.once('close', resolve));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    it('gives up by the global fetch, and hangs up', async () => {
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const connected = new Promise((resolve) => server.once('request', resolve));
      const late = await registerLate({ trust: [{ issuer }] });
      await connected;
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await late.answer()).toEqual(told(`${issuer}/.well-known/oauth-authorization-server`));
      await gone;
    });
  });
});
