import { expect, it } from 'vitest';
import { CodeClient, REDIRECT } from '../support/code-client.ts';
import { Harness, ISSUER } from './harness.ts';

// What each fault does, its proof in test/conformance/faults shows: here is what no check of the suite sees.

it('uncheckedVerifier refuses no code that came before it, with its own verifier', async () => {
  const client = { client_id: 'a', client_secret: 'secret-of-a' };
  const h = await Harness.start({
    clients: [{ id: 'a', secret: client.client_secret, redirectUris: [REDIRECT] }],
  });
  const form = async (path: string, fields: Readonly<Record<string, string | undefined>>) =>
    (await h.form(path, fields)).body;
  const a = new CodeClient({ issuer: ISSUER, user: () => h.newUser(), form }, client);
  const user = h.newUser();
  await user.openSignedIn(`${ISSUER}/login`, 'alice@example.com');
  const code = (await a.ask(user)).answer?.get('code') ?? '';
  await h.provider.controls.setFaults(['uncheckedVerifier']);
  expect(await a.redeem(code)).toMatchObject({ access_token: expect.any(String) });
});
