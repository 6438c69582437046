import { describe, expect, it } from 'vitest';
import { Agent, type CredentialStore } from '../../src/agent/index.ts';
import { Secret } from '../../src/runtime/index.ts';
import {
  ANSWER,
  Bench,
  ENDPOINT,
  failure,
  jwt,
  lost,
  refusal,
  SERVICE,
  serverMetadata,
} from './support/bench.ts';
import { json } from './support/fake-web.ts';

describe('the status', () => {
  it('tells where the credentials are and whether a token of the environment beats them', async () => {
    expect(await new Bench().agent.status()).toEqual({
      location: 'memory',
      environmentToken: false,
      lastService: null,
      services: [],
      notUnderstood: [],
      providers: [],
    });
    const given = new Bench({ environmentToken: new Secret('at_env') });
    expect((await given.agent.status()).environmentToken).toBe(true);
  });

  it('tells state, scopes and time left, without a request', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const before = bench.web.requests.length;
    bench.clock.advance(60_000);
    const status = await bench.another().status();
    expect(status).toMatchObject({
      lastService: SERVICE,
      services: [
        {
          issuer: SERVICE,
          name: 'Example',
          clockSeen: false,
          registrations: [
            {
              current: true,
              state: 'unclaimed',
              scopes: ['api.read'],
              tokenRemaining: 3_540_000,
              claimWindowRemaining: 86_340_000,
              attemptRemaining: null,
            },
          ],
        },
      ],
    });
    expect(bench.web.requests).toHaveLength(before);
  });

  it('sees a moved clock when it may ask for the time', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const date = new Date(bench.clock.now() + 2 * 86_400_000).toUTCString();
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata(), 200, { date }));
    const [service] = (await bench.another().status({ checkClocks: true })).services;
    expect(service?.clockSeen).toBe(true);
    expect(service?.registrations[0]?.state).toBe('expired');
  });

  it('goes by the clock that a call saw last, which writes it once and where it was set alone', async () => {
    const bench = new Bench();
    await bench.anonymous();
    let ahead = 0;
    const date = () => new Date(bench.clock.now() + ahead).toUTCString();
    bench.web.on(ENDPOINT.resource, () => json({}, 200, { date: date() }));
    let writes = 0;
    const { store } = bench;
    const counting: CredentialStore = {
      location: store.location,
      read: () => store.read(),
      probeWritable: () => store.probeWritable(),
      update: (change) => {
        writes += 1;
        return store.update(change);
      },
    };
    const stateAfter = async (ms: number) => {
      ahead = ms;
      await bench.another({ store: counting }).call('/api/resource');
      return (await bench.another().status()).services[0]?.registrations[0]?.tokenRemaining;
    };
    // As far apart as machines behind one name may be.
    expect(await stateAfter(4_000)).toBe(3_600_000);
    expect(writes).toBe(0);
    expect(await stateAfter(600_000)).toBe(3_000_000);
    expect(await stateAfter(600_000)).toBe(3_000_000);
    expect(writes).toBe(1);
  });

  it('shows one as over that a call found to be over, not its token as good for an hour', async () => {
    const bench = new Bench();
    await bench.anonymous({ claim_token: undefined, claim_token_expires: undefined });
    const date = new Date(bench.clock.now() + 30 * 86_400_000).toUTCString();
    bench.web.on(ENDPOINT.resource, () => refusal('invalid_token', 401, {}));
    bench.web.on(ENDPOINT.serverMetadata, json(serverMetadata(), 200, { date }));
    const next = { command: 'register', args: [SERVICE] };
    expect(await failure(bench.another().call('/api/resource'))).toMatchObject({ next });
    const [service] = (await bench.another().status()).services;
    const [shown] = service?.registrations ?? [];
    expect(shown).toMatchObject({ state: 'expired', scopes: [] });
    expect(shown?.tokenRemaining).toBeLessThan(0);
  });

  it('names a file for the ID-JAG of one that was registered with a given one', async () => {
    const bench = new Bench();
    const claims = { iss: 'https://provider.example', aud: SERVICE, exp: 4_000_000_000 };
    bench.web.on(ENDPOINT.identity, json(ANSWER.identityAssertion()));
    await bench.agent.register({
      service: SERVICE,
      type: 'identity_assertion',
      assertion: new Secret(jwt({ ...claims, email: 'a@b.example' })),
    });
    bench.web.on(ENDPOINT.token, () => refusal('invalid_grant'));
    bench.clock.advance(3_600_000);
    const { next } = await failure(bench.another().token({ renew: true }));
    expect(next?.args).toEqual([SERVICE, '--assertion', '@FILE']);
    const [service] = (await bench.another().status()).services;
    expect(service?.registrations[0]?.state).toBe('expired');
  });

  it('goes by what it knows when the service cannot be reached', async () => {
    const bench = new Bench();
    await bench.anonymous();
    bench.web.on(ENDPOINT.serverMetadata, lost());
    const [service] = (await bench.another().status({ checkClocks: true })).services;
    expect(service).toMatchObject({ clockSeen: false, registrations: [{ state: 'unclaimed' }] });
  });

  it('ends when it is interrupted, instead of going by what it knows', async () => {
    const bench = new Bench();
    await bench.anonymous();
    const asked = bench.another().status({ checkClocks: true, signal: AbortSignal.abort() });
    expect((await failure(asked)).code).toBe('aborted');
  });

  it('shows no secret, however it is printed', async () => {
    const bench = new Bench();
    await bench.serviceAuth();
    const printed = JSON.stringify(await bench.agent.status());
    for (const secret of ['clm_2', '012345']) expect(printed).not.toContain(secret);
  });
});

describe('an agent', () => {
  it.each(['not an origin', 'ftp://service.example', 'https://a:b@c.example'])(
    'does not allow the origin %s',
    (origin) => {
      const { clock, log, web } = new Bench();
      const ports = {
        fetch: web.fetch,
        clock,
        log,
        sleep: async () => {},
        random: { bytes: (n: number) => new Uint8Array(n) },
      };
      expect(
        () => new Agent({ ...ports, store: new Bench().store, allowOrigins: [origin] }),
      ).toThrow(expect.objectContaining({ code: 'bad_address', kind: 'usage' }));
    },
  );
});
