import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeAtDesk } from './with-browser.ts';

let server: Server;
let origin: string;
beforeEach(async () => {
  server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>App</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

describeAtDesk('a page of another origin', (desk) => {
  it('discovers, registers and calls where --cors names its origin, and signs in nobody', async () => {
    const { browser, terminal } = desk();
    const mock = terminal.start('mock', 'service', '--port', '0', '--cors', origin);
    const ready = (await mock.next()) as { service: string };
    const page = await browser.newPage();
    await page.goto(origin);

    const seen = await page.evaluate(async (service) => {
      type Members = Record<string, string>;
      const call = await fetch(`${service}/api/resource`);
      const challenge = call.headers.get('www-authenticate') ?? '';
      const found = await fetch(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
      const resource = (await found.json()) as { authorization_servers: string[] };
      const [issuer] = resource.authorization_servers;
      const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
      const server = (await metadata.json()) as { token_endpoint: string; agent_auth: Members };
      const registered = await fetch(server.agent_auth['identity_endpoint'] ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'anonymous' }),
      });
      const { identity_assertion: assertion = '' } = (await registered.json()) as Members;
      const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
      const exchanged = await fetch(server.token_endpoint, {
        method: 'POST',
        body: new URLSearchParams(grant),
      });
      const { access_token: token } = (await exchanged.json()) as Members;
      const answer = await fetch(`${service}/api/resource`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { scope } = (await answer.json()) as Members;
      const signIn = await fetch(`${service}/login`).then(
        () => 'read',
        () => 'blocked',
      );
      return { challenged: call.status, scope, signIn };
    }, ready.service);

    expect(seen).toEqual({ challenged: 401, scope: 'api.read', signIn: 'blocked' });
  });
});
