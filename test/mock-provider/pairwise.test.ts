import { describe, expect, it } from 'vitest';
import { decodeJwt } from '../../src/protocol/jwt.ts';
import { createTestWorld, type TestWorld } from '../../src/testing/testing.ts';
import { Harness } from './harness.ts';
import { Receiver } from './outbox/support.ts';

const SECRET = 'a-test-secret';
const client = (id: string, ...redirectUris: string[]) => ({
  id,
  secret: SECRET,
  ...(redirectUris.length > 0 && { redirectUris }),
});
const OPTIONS = {
  clients: [
    client('a'),
    client('b'),
    client('web', 'https://app.example/one'),
    client('web-too', 'https://app.example/two'),
  ],
  provider: { subjectType: 'pairwise', tenant: 'acme' },
} as const;
const claimsOf = (token: unknown) => decodeJwt(String(token))?.payload ?? {};

/** What a client of the world asks for, with its secret. */
async function ask(
  { fetch }: TestWorld,
  url: string,
  client_id: string,
  fields: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({ client_id, client_secret: SECRET, ...fields });
  return (await (await fetch(url, { method: 'POST', body })).json()) as Record<string, unknown>;
}

async function exchange(world: TestWorld, subject: string, type: string, audience: string) {
  const answer = await ask(world, `${world.provider.issuer}/oauth2/token`, 'a', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    subject_token: subject,
    subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
    audience,
    resource: audience,
  });
  return String(answer['access_token']);
}

describe('pairwise subjects', () => {
  it('are one for each client, in ID token, refresh and user info; clients of one host share it', async () => {
    const world = await createTestWorld(OPTIONS);
    const { issuer } = world.provider;
    const subjects = new Map<string, unknown>();
    for (const { id } of OPTIONS.clients) {
      const { accessToken, idToken, refreshToken } = await world.signIn({ client: id });
      const refreshed = await ask(world, `${issuer}/oauth2/token`, id, {
        grant_type: 'refresh_token',
        refresh_token: String(refreshToken),
      });
      const tokens = [accessToken, refreshed['access_token']];
      const { sub, tenant } = claimsOf(idToken);
      expect(tenant).toBe('acme');
      expect(claimsOf(refreshed['id_token'])['sub']).toBe(sub);
      // The first one ended with the refresh.
      const headers = { authorization: `Bearer ${String(tokens[1])}` };
      const info = await (await world.fetch(`${issuer}/oauth2/userinfo`, { headers })).json();
      expect(info).toMatchObject({ sub });
      subjects.set(id, sub);
    }
    expect(new Set(subjects.values()).size).toBe(3);
    expect(subjects.get('web')).toBe(subjects.get('web-too'));
  });

  it('EMA-36: are one for each service in ID-JAGs, from either subject token, and one account there', async () => {
    const world = await createTestWorld(OPTIONS);
    const { issuer } = world.service;
    const { idToken, refreshToken } = await world.signIn({ client: 'a' });
    const here = [
      await exchange(world, idToken, 'id_token', issuer),
      await exchange(world, String(refreshToken), 'refresh_token', issuer),
    ];
    const elsewhere = await exchange(world, idToken, 'id_token', 'https://other.example');
    const [first, second, other] = [...here, elsewhere].map((idJag) => claimsOf(idJag)['sub']);
    expect(second).toBe(first);
    expect(new Set([first, other, claimsOf(idToken)['sub'], undefined]).size).toBe(4);
    expect(claimsOf(here[0])['tenant']).toBe('acme');
    const accounts = here.map(async (assertion) => {
      const { access_token: token } = await ask(world, `${issuer}/oauth2/token`, 'a', {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      });
      const inspected = { token: String(token) };
      return (await ask(world, `${issuer}/oauth2/introspect`, 'a', inspected))['sub'];
    });
    const [account, again] = await Promise.all(accounts);
    expect([account, again]).toEqual([expect.stringMatching(/^usr_/), account]);
  });

  it('are told to a service in the event of a revoked consent as in its ID-JAGs', async () => {
    const receiver = new Receiver();
    const harness = await Harness.start({ fetch: receiver.fetch, subjectType: 'pairwise' });
    const idToken = await harness.signIn();
    const { body } = await harness.mintWithConsent(idToken);
    await harness.revoke(idToken);
    const idJag = claimsOf(body['access_token']);
    expect(claimsOf(receiver.events[0])['sub']).toBe(idJag['sub']);
    expect(idJag['sub']).not.toBe(claimsOf(idToken)['sub']);
  });
});
