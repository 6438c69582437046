import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { startExpressDefaults } from '../conformance/services/express-defaults.ts';
import { ceremonyOf } from '../conformance/services/test-agent.ts';
import { email, enterCode, openWorld, serviceAuth } from '../conformance/services/test-world.ts';
import { describeWithProgram } from '../support/on-path.ts';
import { closeAll, type Relay, relayTo } from './relay.ts';

afterEach(closeAll);

let relay: Relay;

/** The service, at the URL of the proxy. */
const relayed: typeof startExpressDefaults = async (options) => {
  const { close, resource = '', url } = await startExpressDefaults(options);
  relay = await relayTo(url);
  return { url: relay.url, resource: resource.replace(url, relay.url), close };
};

describe('an agent of somebody else through the proxy to the service on Express', () => {
  it('registers, is claimed on the pages, calls and revokes', async () => {
    const { agent } = await openWorld(relayed);
    expect(agent.issuer).toBe(relay.url);
    const { body } = await agent.register({ type: 'anonymous' });
    const before = (await agent.exchange(body['identity_assertion'])).body['access_token'];
    expect(await agent.call(before)).toBe(200);
    const { code, uri } = ceremonyOf(await agent.claim(body['claim_token'], email));
    expect(uri.startsWith(`${relay.url}/`)).toBe(true);
    expect((await enterCode(uri, code, email)).response.status).toBe(200);
    const after = (await agent.poll(body['claim_token'])).body['access_token'];
    expect(await agent.call(after)).toBe(200);
    expect((await agent.revoke(after)).status).toBe(200);
    expect(await agent.call(after)).toBe(401);
  });

  it('registers by email', async () => {
    const { agent } = await openWorld(relayed);
    const registered = await agent.register(serviceAuth);
    const { code, uri } = ceremonyOf(registered);
    expect((await enterCode(uri, code, email)).response.status).toBe(200);
    const { body } = await agent.poll(registered.body['claim_token']);
    expect(await agent.call(body['access_token'])).toBe(200);
  });
});

/** An agent in a shell: it takes every URL from what it was answered. */
const SCRIPT = `
set -eu
member() { sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
challenge=$(curl -si "$1/api/resource" | sed -n 's/.*resource_metadata="\\([^"]*\\)".*/\\1/p')
server=$(curl -sf "$challenge" | sed -n 's/.*"authorization_servers":\\["\\([^"]*\\)".*/\\1/p')
metadata=$(curl -sf "$server/.well-known/oauth-authorization-server")
registered=$(curl -sf "$(echo "$metadata" | member identity_endpoint)" -H 'content-type: application/json' -d '{"type":"anonymous"}')
assertion=$(echo "$registered" | member identity_assertion)
token=$(curl -sf "$(echo "$metadata" | member token_endpoint)" --data-urlencode "assertion=$assertion" \\
  --data-urlencode "resource=$1" -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer | member access_token)
curl -s -o /dev/null -w '%{http_code}' "$1/api/resource" -H "authorization: Bearer $token"
`;

describeWithProgram(
  { label: 'curl', variable: 'CURL', names: ['curl'] },
  'a script of curl through the proxy to the service on Express',
  () => {
    it('registers and calls, and each of its requests is recorded', async () => {
      const service = await startExpressDefaults();
      relay = await relayTo(service.url);
      try {
        const { stdout } = await promisify(execFile)('sh', ['-c', SCRIPT, 'agent', relay.url]);
        expect(stdout).toBe('200');
      } finally {
        await service.close();
      }
      const { exchanges } = relay.exchanges.read();
      expect(exchanges.map(({ method, status }) => `${method} ${status}`)).toEqual([
        'GET 401',
        'GET 200',
        'GET 200',
        'POST 200',
        'POST 200',
        'GET 200',
      ]);
      expect(exchanges.every(({ url }) => url.startsWith(service.url))).toBe(true);
    });
  },
);
