import { webcrypto } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_AUTH_METHODS, type ClientAuthMethod } from '../../src/mock/clients/client.ts';
import { ID_JAG_TOKEN_TYPE, ID_TOKEN_TYPE } from '../../src/protocol/constants.ts';
import type { Jwk } from '../../src/protocol/jwk.ts';
import { CONNECTS, type Registered } from './cross-app-client.ts';
import { ALICE, serveWorld, type World } from './world.ts';

/** What is another text form-encoded than raw: an id as a URL, and a secret with the signs of a form. */
const SECRET = 's%3Ae/c r+e&t=1';
const idOf = (method: ClientAuthMethod) => `https://client.test/${method}`;

let world: World;
let close = async () => {};
let key: webcrypto.CryptoKey;

beforeAll(async () => {
  const pair = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  key = pair.privateKey;
  const jwk = (await webcrypto.subtle.exportKey('jwk', pair.publicKey)) as Jwk;
  const means = {
    client_secret_basic: { secret: SECRET },
    client_secret_post: { secret: SECRET },
    private_key_jwt: { keys: { keys: [jwk] } },
    none: { public: true },
  };
  // Each may authenticate in one way: what it does in another is refused.
  const clients = CLIENT_AUTH_METHODS.map((method) => ({
    id: idOf(method),
    methods: [method],
    ...means[method],
  }));
  ({ world, close } = await serveWorld(clients));
});
afterAll(() => close());

describe.each(Object.entries(CONNECTS))('%s, untouched', (_package, connect) => {
  const registered = (method: ClientAuthMethod, secret = SECRET): Registered => {
    return { id: idOf(method), method, secret, key };
  };

  it.each(CLIENT_AUTH_METHODS)('goes from a sign-in to an introspected token by %s', async (by) => {
    const { provider, service } = world;
    const id = idOf(by);
    const atProvider = await connect(provider.issuer, registered(by));
    const first = await atProvider.signIn(world.visit);
    const about = { iss: provider.issuer, aud: id, email: ALICE.email };
    expect(first.claims).toMatchObject(about);
    const { claims, idToken } = await atProvider.refresh(first.refreshToken);
    expect(claims).toMatchObject({ ...about, sub: first.claims?.['sub'] });

    const resource = `${service.issuer}/mcp`;
    const minted = await atProvider.exchange({
      requested_token_type: ID_JAG_TOKEN_TYPE,
      audience: service.issuer,
      resource,
      scope: 'api.read',
      subject_token: idToken,
      subject_token_type: ID_TOKEN_TYPE,
    });
    expect(minted['issued_token_type']).toBe(ID_JAG_TOKEN_TYPE);

    const atService = await connect(service.issuer, registered(by));
    const redeemed = await atService.redeem({ assertion: String(minted['access_token']) });
    expect(redeemed).toMatchObject({ token_type: 'bearer', scope: 'api.read', resource });
    const token = String(redeemed['access_token']);
    expect(await atService.introspect(token)).toMatchObject({
      active: true,
      client_id: id,
      scope: 'api.read',
      aud: resource,
      iss: service.issuer,
      email: ALICE.email,
    });
  });

  it('is told to authenticate where its secret is wrong', async () => {
    const client = registered('client_secret_basic', 'a-wrong-secret');
    // A 401 has a challenge (RFC 9110 §15.5.2): packages tell of it in place of `invalid_client`.
    const challenged = { status: 401, cause: [{ scheme: 'basic' }] };
    const atProvider = await connect(world.provider.issuer, client);
    await expect(atProvider.signIn(world.visit)).rejects.toMatchObject(challenged);
    const atService = await connect(world.service.issuer, client);
    await expect(atService.introspect('a-token')).rejects.toMatchObject(challenged);
  });
});
