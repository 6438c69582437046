import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../../src/mock/index.ts';
import type { ProviderContext } from '../../src/mock-provider/context/provider-context.ts';
import { providerControlRoutes } from '../../src/mock-provider/controls/control-routes.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import { type Exchange, recorder } from '../contract/recorder.ts';
import { ApiDocument, documentProblem, shapeOf } from '../support/api-document.ts';
import { Harness, ISSUER, SERVICE } from './harness.ts';

const TOKEN = 'a-control-token-of-a-test';
const control = { token: TOKEN };

/** A provider whose traffic is written down from now on. */
async function recordedProvider(): Promise<{ h: Harness; exchanges: readonly Exchange[] }> {
  const h = await Harness.start({ control, audiences: [{ issuer: SERVICE, name: 'Example' }] });
  const { exchanges, fetch } = recorder(h.provider.fetch);
  Object.assign(h.provider, { fetch });
  return { h, exchanges };
}

/** What an agent and its user do with a provider, and what goes wrong. */
async function useIt(h: Harness): Promise<void> {
  for (const path of ['/', '/agent-auth.json', '/.well-known/jwks.json', '/style.css']) {
    await h.send('GET', path);
  }
  await h.send('GET', '/.well-known/oauth-authorization-server');
  await h.send('GET', '/.well-known/openid-configuration');
  await h.askForDevice({ client_id: 'nobody' });
  await h.askForDevice({ scope: 'openid nothing' });
  await h.askForDevice({ audience: 'https://nobody.test' });
  await h.send('POST', '/oauth2/device_authorization', { body: '{}' });
  const device = await h.device();
  await h.poll(device.device_code);
  await h.poll(device.device_code);
  await h.decideDevice(device, 'alice@example.com', 'approve');
  h.clock.advance(60_000);
  const { body: signedIn } = await h.poll(device.device_code);
  const denied = await h.device();
  await h.decideDevice(denied, 'alice@example.com', 'deny');
  await h.poll(denied.device_code);
  await h.poll('dc_unknown');
  const authorization = `Bearer ${String(signedIn['access_token'])}`;
  await h.send('GET', '/oauth2/userinfo', { headers: { authorization } });
  await h.send('POST', '/oauth2/userinfo', { headers: { authorization } });
  await h.form('/oauth2/userinfo', { access_token: String(signedIn['access_token']) });
  await h.form('/oauth2/userinfo', { access_token: 'x' }, { authorization });
  await h.send('GET', '/oauth2/userinfo');
  await h.send('GET', '/oauth2/userinfo', { headers: { authorization: 'Bearer none' } });
  const idToken = String(signedIn['id_token']);
  await h.decideConsent(await h.mint(idToken), 'alice@example.com', 'deny');
  await h.mint(idToken);
  await h.mintWithConsent(idToken);
  await h.mint(idToken, { audience: 'https://nobody.test' });
  await h.mint(idToken, { subject_token: 'none' });
  await h.mint(idToken, { requested_token_type: undefined });
  await h.revoke(idToken, { audience: 'https://other.test' });
  await h.revoke(idToken);
  await h.revoke('none');
  const alice = h.newUser();
  await alice.openSignedIn(`${ISSUER}/consents`, 'alice@example.com');
  await alice.open(`${ISSUER}/device?user_code=BCDF-GHJK`);
  await alice.open(`${ISSUER}/consent?request=csr_none`);
  await h.form('/consents', {});
  await h.form('/logout', {});
  await h.send('GET', '/nothing');
  h.clock.advance(24 * 3_600_000);
  await h.mint(idToken);
}

describe('the OpenAPI document of a provider', () => {
  it('is valid OpenAPI 3.1, and so is each example', async () => {
    const h = await Harness.start({ control });
    const { body } = await h.send('GET', '/openapi.json');
    expect(await documentProblem(body)).toBeUndefined();
    expect(new ApiDocument(body).exampleProblems()).toEqual([]);
    expect(body['servers']).toEqual([{ url: ISSUER }]);
    await h.provider.close();
  });

  it('tells every route, and no other', async () => {
    let provider: ProviderContext | undefined;
    const h = await Harness.start({
      control,
      faults: [
        {
          name: 'looked',
          description: 'is looked at',
          parts: (right) => {
            provider = right;
            return {};
          },
        },
      ],
    });
    const ofControls = controlRoutes(h.provider.controls, {
      ...control,
      issuer: ISSUER,
      isOurHost: () => true,
      own: providerControlRoutes(h.provider.outbox),
    });
    const routes = [...ofControls, ...(provider?.routes(provider) ?? [])]
      .filter(({ path }) => path !== '/__mock/*')
      .map(({ method, path }) => shapeOf(method, path));
    const { body } = await h.send('GET', '/openapi.json');
    const told = new ApiDocument(body as JsonObject).operations.map(({ method, path }) =>
      shapeOf(method, path),
    );
    expect(told.toSorted()).toEqual(routes.toSorted());
    await h.provider.close();
  });

  it('agrees with what it is asked and what it answers', async () => {
    const { exchanges, h } = await recordedProvider();
    await useIt(h);
    const document = new ApiDocument((await h.send('GET', '/openapi.json')).body);
    expect(exchanges.length).toBeGreaterThan(50);
    expect(exchanges.slice(0, -1).flatMap((each) => document.disagreements(each))).toEqual([]);
    await h.provider.close();
  });

  it('agrees with its controls', async () => {
    const { exchanges, h } = await recordedProvider();
    const idToken = await h.consented();
    await h.revoke(idToken);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const before = exchanges.length;
    for (const path of ['', '/faults', '/audit', '/exchanges', '/outbox']) {
      await h.send('GET', `/__mock${path}`, { headers });
    }
    const { body } = await h.send('GET', '/__mock/outbox', { headers });
    const [event] = body['events'] as readonly JsonObject[];
    await h.send('POST', `/__mock/outbox/${String(event?.['id'])}/send`, { headers });
    await h.send('POST', '/__mock/outbox/none/send', { headers });
    await h.send('POST', '/__mock/keys/rotate', { headers });
    await h.send('POST', '/__mock/reset', { headers });
    await h.send('GET', '/__mock');
    const document = new ApiDocument((await h.send('GET', '/openapi.json')).body);
    const ofControls = exchanges.slice(before, -1);
    expect(ofControls.map(({ status }) => status)).toContain(404);
    expect(ofControls.flatMap((each) => document.disagreements(each))).toEqual([]);
    await h.provider.close();
  });
});
