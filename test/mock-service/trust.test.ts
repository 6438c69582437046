import { beforeEach, describe, expect, it } from 'vitest';
import { createMockService, type MockService } from '../../src/mock-service/index.ts';
import { FakeClock, SeededRandom } from '../../src/runtime/index.ts';
import { describeWithDatabases } from '../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../support/stores.ts';
import { type Answer, BASE, ceremonyOf, FakeProvider, Harness, PROVIDER } from './harness.ts';

const TOKEN = 'ctl_for-tests-alone-0123456789';
const OTHER = 'http://127.0.0.1:4899';
const JWKS = '/.well-known/jwks.json';

/** A second provider with keys of its own, unknown to the service as it starts. */
let other: FakeProvider;
/** Where the second provider's keys are. */
let otherKeys: string;
let h: Harness;

const fetchKeys = async (url: string) =>
  url === otherKeys ? other.fetch(PROVIDER + JWKS) : h.provider.fetch(url);

async function start(options: Parameters<typeof Harness.start>[0] = {}) {
  h = await Harness.start({ control: { token: TOKEN }, fetch: fetchKeys, ...options });
}

async function startOther() {
  other = new FakeProvider(new FakeClock());
  await other.addKey('key-1');
}

beforeEach(async () => {
  otherKeys = OTHER + JWKS;
  await startOther();
  await start();
});

const control = (path: string, body: object) =>
  h.send('POST', `/__mock${path}`, {
    headers: {
      authorization: `Bearer ${TOKEN}`,
      host: '127.0.0.1:4800',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

const trust = (entry: object = {}) => control('/trust', { issuer: OTHER, ...entry });

const own = { iss: OTHER, client_id: OTHER };

async function register(claims: Record<string, unknown> = {}): Promise<Answer> {
  const assertion = await other.idJag({ ...own, ...claims });
  return h.register({ type: 'identity_assertion', assertion });
}

const codeOf = ({ body, status }: Answer) => (status === 200 ? 200 : body['error']);

describe('a provider that a control adds', () => {
  it('has its ID-JAGs accepted from then on', async () => {
    expect(codeOf(await register())).toBe('invalid_issuer');
    const { body, status } = await trust();
    expect(status).toBe(200);
    expect(body).toEqual({
      issuer: OTHER,
      name: '127.0.0.1:4899',
      jwks_uri: null,
      client_ids: [`${OTHER}/agent-auth.json`],
      mail_domains: null,
      trust: [PROVIDER, OTHER],
    });
    expect(codeOf(await register())).toBe(200);
    expect(codeOf(await register({ client_id: `${OTHER}/agent-auth.json` }))).toBe(200);
    expect(codeOf(await register({ client_id: PROVIDER }))).toBe('invalid_client_id');
  });

  it('leaves the configured ones as they are, each with its own keys alone', async () => {
    await trust();
    const sent = async (signer: FakeProvider, iss: string) => {
      const email = iss === OTHER ? 'bob@example.com' : 'alice@example.com';
      const assertion = await signer.idJag({ iss, client_id: iss, email });
      return codeOf(await h.register({ type: 'identity_assertion', assertion }));
    };
    expect(await sent(h.provider, PROVIDER)).toBe(200);
    expect(await sent(other, PROVIDER)).toBe('invalid_signature');
    expect(await sent(h.provider, OTHER)).toBe('invalid_signature');
    expect(await sent(other, OTHER)).toBe(200);
  });

  it('has its events accepted', async () => {
    await trust();
    const { body } = await register();
    const notify = async () =>
      h.send('POST', '/agent/event/notify', {
        body: await other.event({ iss: OTHER }),
        headers: { 'content-type': 'application/secevent+jwt' },
      });
    expect((await notify()).status).toBe(202);
    expect(codeOf(await h.exchange(body['identity_assertion']))).toBe('invalid_grant');
    await control('/reset', {});
    expect((await notify()).body['err']).toBe('invalid_issuer');
  });

  it('is named to people: at the review, at the claim and in the list', async () => {
    await trust({ name: 'Second Provider' });
    await register({ email: 'made@example.com' });
    const user = h.user();
    const review = await user.openSignedIn(`${BASE}/connections`, 'made@example.com');
    expect(review.text).toContain('Keep the link to Second Provider?');
    const list = await user.submit(review, '/connections/review', { decision: 'keep' });
    expect(list.text).toContain('An agent of Second Provider');

    await h.user().openSignedIn(`${BASE}/connections`, 'bob@example.com');
    const first = await register({ sub: 'bob', email: 'bob@example.com' });
    expect(codeOf(first)).toBe('interaction_required');
    const { verification_uri } = ceremonyOf(first);
    const claim = await h.user().openSignedIn(verification_uri, 'bob@example.com');
    expect(claim.text).toContain('Second Provider');
  });

  it('speaks for its mail domains alone, and by its clients alone', async () => {
    await trust({ mail_domains: ['Example.com'], client_ids: ['https://client.test/'] });
    expect(codeOf(await register({ email: 'a@elsewhere.test' }))).toBe('interaction_required');
    expect(codeOf(await register({ sub: 'b', email: 'b@example.com' }))).toBe(200);
    const client_id = 'https://client.test/';
    expect(codeOf(await register({ sub: 'c', email: 'c@example.com', client_id }))).toBe(200);
    const assumed = `${OTHER}/agent-auth.json`;
    expect(codeOf(await register({ client_id: assumed }))).toBe('invalid_client_id');
  });

  it('is forgotten by a reset, which restores the configured ones', async () => {
    await trust();
    await trust({ issuer: PROVIDER, name: 'Renamed', client_ids: [] });
    await control('/reset', {});
    expect(codeOf(await register())).toBe('invalid_issuer');
    const { body } = await trust();
    expect(body['trust']).toEqual([PROVIDER, OTHER]);
    const configured = await h.provider.idJag({ client_id: `${PROVIDER}/agent-auth.json` });
    expect(codeOf(await h.register({ type: 'identity_assertion', assertion: configured }))).toBe(
      200,
    );
  });

  it('is written into the audit trail', async () => {
    await trust({ name: 'Second Provider' });
    await trust({ jwks_uri: OTHER + JWKS });
    expect(await h.service.controls.audit()).toMatchObject([
      { action: 'trust.added', actor: 'control', detail: { issuer: OTHER } },
      {
        action: 'trust.added',
        actor: 'control',
        detail: { issuer: OTHER, jwks_uri: OTHER + JWKS },
      },
    ]);
  });

  it('is one of fifty: the oldest makes room, the configured one stays', async () => {
    for (let port = 5000; port < 5050; port += 1) {
      await h.service.controls.trust({ issuer: `http://127.0.0.1:${port}` });
    }
    const { trust: issuers } = await h.service.controls.trust({ issuer: OTHER });
    expect(issuers).toHaveLength(51);
    expect(issuers.slice(0, 2)).toEqual([PROVIDER, 'http://127.0.0.1:5001']);
    expect(issuers.at(-1)).toBe(OTHER);
  });
});

describe('the same issuer again', () => {
  it('replaces the entry', async () => {
    await trust({ name: 'First', client_ids: ['https://client.test/'] });
    otherKeys = `${OTHER}/keys`;
    const { body } = await trust({ name: 'Second', jwks_uri: otherKeys });
    expect(body).toMatchObject({ name: 'Second', trust: [PROVIDER, OTHER] });
    expect(codeOf(await register())).toBe(200);
    expect(codeOf(await register({ client_id: 'https://client.test/' }))).toBe('invalid_client_id');
  });

  it('has its keys fetched again: another provider may have come to the port', async () => {
    await trust();
    expect(codeOf(await register())).toBe(200);
    await startOther();
    expect(codeOf(await register())).toBe('invalid_signature');
    await trust();
    expect(codeOf(await register({ jti: 'of-the-new-one' }))).toBe(200);
  });

  it('has them fetched again after a reset, too', async () => {
    await trust();
    expect(codeOf(await register())).toBe(200);
    await control('/reset', {});
    await startOther();
    await trust();
    expect(codeOf(await register())).toBe(200);
  });

  it('fetches no keys that did not change hands', async () => {
    const known = async () =>
      h.register({ type: 'identity_assertion', assertion: await h.provider.idJag() });
    await known();
    const before = h.provider.fetches;
    await trust();
    await known();
    expect(h.provider.fetches).toBe(before);
  });
});

describe('an entry', () => {
  it.each<[what: string, body: object, told: string]>([
    ['without an issuer', { issuer: undefined }, 'issuer must be'],
    ['with an issuer that is a number', { issuer: 4899 }, 'issuer must be'],
    ['with an issuer that is not a URL', { issuer: 'provider' }, 'issuer must be'],
    ['with a plain http issuer elsewhere', { issuer: 'http://provider.example' }, 'issuer must be'],
    ['with user information', { issuer: 'https://a:b@provider.example' }, 'issuer must be'],
    ['with a key set that is not a URL', { jwks_uri: 'keys' }, 'jwks_uri must be'],
    ['with a key set in a file', { jwks_uri: 'file:///etc/passwd' }, 'jwks_uri must be'],
    ['with an empty name', { name: '' }, 'name must be'],
    ['with a name that is a list', { name: ['a'] }, 'name must be'],
    ['with one client', { client_ids: 'https://client.test/' }, 'client_ids must be'],
    ['with mail domains that are numbers', { mail_domains: [1] }, 'mail_domains must be'],
  ])('%s is refused, and nothing changes', async (_what, body, told) => {
    const answer = await trust(body);
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
    expect(answer.body['error_description']).toContain(told);
    expect(await h.service.controls.audit()).toEqual([]);
    expect(codeOf(await register())).toBe('invalid_issuer');
  });

  it('is refused by the library call in the words of the option', async () => {
    const wrong = [{ issuer: 'provider' }, { issuer: OTHER, jwksUri: 'keys' }];
    for (const entry of wrong) {
      const words = await start({ trust: [entry] }).catch((error: unknown) => error);
      expect(words).toBeInstanceOf(TypeError);
      await start();
      await expect(h.service.controls.trust(entry)).rejects.toMatchObject({
        code: 'invalid_request',
        description: (words as TypeError).message,
      });
    }
  });
});

describe('trust on a file', () => itIsShared(fileStores()));

describeWithDatabases('trust on PostgreSQL', (server) => {
  const newStore = postgresStores(server);
  itIsShared(newStore);
  itLosesNothing(newStore);
});

function itIsShared(newStore: NewStore): void {
  it('is seen by a replica with its next request, and outlives a restart', async () => {
    const open = await newStore();
    const replica = async (seed: number) =>
      createMockService({
        baseUrl: BASE,
        clock: h.clock,
        random: new SeededRandom(seed),
        fetch: fetchKeys,
        log: h.log,
        trust: [{ issuer: PROVIDER }],
        control: { token: TOKEN },
        db: await open(),
      });
    const db = await open();
    await start({ db });
    const first = h.service;
    const second = await replica(2);

    h.service = second;
    expect(codeOf(await register())).toBe('invalid_issuer');
    await first.controls.trust({ issuer: OTHER });
    expect(codeOf(await register())).toBe(200);

    // Another provider came to the port: told to one replica, known to both.
    await startOther();
    await first.controls.trust({ issuer: OTHER });
    expect(codeOf(await register({ jti: 'of-the-new-one' }))).toBe(200);

    await db.close();
    h.service = await replica(3);
    expect(codeOf(await register({ jti: 'after-the-restart' }))).toBe(200);
    await control('/reset', {});
    h.service = await replica(4);
    expect(codeOf(await register({ jti: 'after-the-reset' }))).toBe('invalid_issuer');
  });
}

function itLosesNothing(newStore: NewStore): void {
  it('loses none of the entries that two replicas add at once', async () => {
    const open = await newStore();
    const services: MockService[] = [];
    for (let seed = 1; seed <= 2; seed += 1) {
      await start({ db: await open(), random: new SeededRandom(seed) });
      services.push(h.service);
    }
    const ports = [5001, 5002, 5003, 5004, 5005, 5006];
    await Promise.all(
      ports.map(async (port, at) => {
        const service = services[at % 2] ?? h.service;
        await service.controls.trust({ issuer: `http://127.0.0.1:${port}` });
      }),
    );
    const { trust: issuers } = await h.service.controls.trust({ issuer: OTHER });
    const expected = [PROVIDER, OTHER, ...ports.map((port) => `http://127.0.0.1:${port}`)];
    expect([...issuers].sort()).toEqual(expected.sort());
  });
}
