import { claimGrantType, JWT_BEARER_GRANT } from '../../src/protocol/index.ts';
import type { FakeClock } from '../../src/runtime/index.ts';
import { BASE, type Ceremony, type FakeProvider, type Json } from '../mock-service/harness.ts';
import { type FetchHandler, TestUser } from '../support/test-user.ts';

/** What a flow runs against: the service behind `fetch`, its clock and its provider. */
export interface FlowContext {
  readonly fetch: FetchHandler;
  readonly clock: FakeClock;
  readonly provider: FakeProvider;
}

export type Flow = (context: FlowContext) => Promise<void>;

const ALICE = 'alice@example.com';
const COMPLETE = '/agent/identity/claim/complete';

/** What no flow of our agent shows: documents that it does not read, requests that it does not send. */
export const RAW_FLOWS: Readonly<Record<string, Flow>> = {
  discovery: async ({ fetch }) => {
    await get(fetch, '/api/resource');
    await get(fetch, '/.well-known/oauth-protected-resource/api/resource');
    await get(fetch, '/.well-known/oauth-protected-resource');
    await get(fetch, '/.well-known/oauth-authorization-server');
    await get(fetch, '/.well-known/jwks.json');
    await get(fetch, '/auth.md');
  },

  'polls too early and too late': async ({ fetch, clock }) => {
    const registered = await postJson(fetch, '/agent/identity', { type: 'anonymous' });
    const { access_token } = await exchange(fetch, registered['identity_assertion']);
    const claim = { claim_token: registered['claim_token'], email: ALICE };
    await postJson(fetch, '/agent/identity/claim', claim);
    await poll(fetch, registered);
    await poll(fetch, registered);
    clock.advance(600_000);
    await poll(fetch, registered);
    const started = await postJson(fetch, '/agent/identity/claim', claim);
    await complete(fetch, started.claim_attempt, ALICE);
    // The token of before the claim has ended with it.
    await get(fetch, '/api/resource', { authorization: `Bearer ${String(access_token)}` });
    const tokens = await poll(fetch, registered);
    const bearer = { authorization: `Bearer ${String(tokens['access_token'])}` };
    await postForm(fetch, '/oauth2/revoke', { token: String(tokens['access_token']) });
    await get(fetch, '/api/resource', bearer);
    await exchange(fetch, tokens['identity_assertion']);
  },

  'link revoked by its provider': async ({ fetch, provider }) => {
    const register = async () =>
      postJson(fetch, '/agent/identity', {
        type: 'identity_assertion',
        assertion_type: 'urn:ietf:params:oauth:token-type:id-jag',
        assertion: await provider.idJag({ email: 'known@example.com' }),
      });
    const asked = await register();
    await complete(fetch, asked.claim, 'known@example.com');
    const tokens = await poll(fetch, asked);
    await register();
    await post(fetch, '/agent/event/notify', await provider.event(), {
      'content-type': 'application/secevent+jwt',
    });
    await exchange(fetch, tokens['identity_assertion']);
  },

  directory: async ({ fetch }) => {
    await get(fetch, '/api/services.json');
    await get(fetch, '/api/services.json?callback=show');
    await get(fetch, '/api/services.json?callback=1');
    await get(fetch, '/api/services.xml');
    await get(fetch, '/api/services.yaml');
    for (const path of ['api/methods', 'api/changelog', 'api/versions', 'server/codes']) {
      await get(fetch, `/v2/${path}.json`);
    }
    await get(fetch, '/v2/server/time.xml');
    await post(fetch, '/v2/server/time.xml', '', {});
    const list = '/v2/buildings/list.json';
    await get(fetch, list);
    await get(fetch, `/.well-known/oauth-protected-resource${list}`);
    const registered = await postJson(fetch, '/agent/identity', { type: 'anonymous' });
    const { access_token } = await exchange(fetch, registered['identity_assertion']);
    await get(fetch, list, { authorization: `Bearer ${String(access_token)}` });
    await get(fetch, list, { authorization: 'Bearer at_unknown' });
  },

  'what no endpoint takes': async ({ fetch }) => {
    for (const path of ['/agent/identity', '/agent/identity/claim', COMPLETE, '/oauth2/token']) {
      await get(fetch, path);
      await post(fetch, path, '{', { 'content-type': 'application/json' });
      await post(fetch, path, '[]', { 'content-type': 'application/json' });
      await post(fetch, path, 'x'.repeat(70_000), { 'content-type': 'application/json' });
      await post(fetch, path, 'a=1&a=2', { 'content-type': 'application/x-www-form-urlencoded' });
      await post(fetch, path, '<xml/>', { 'content-type': 'text/xml' });
    }
    await post(fetch, '/agent/event/notify', 'x', { 'content-type': 'application/json' });
    await get(fetch, '/nothing');
  },
};

async function get(fetch: FetchHandler, path: string, headers: Record<string, string> = {}) {
  return read(await fetch(new Request(BASE + path, { headers })));
}

async function post(
  fetch: FetchHandler,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<Json> {
  return read(await fetch(new Request(BASE + path, { method: 'POST', body, headers })));
}

function postJson(fetch: FetchHandler, path: string, body: unknown): Promise<Json> {
  return post(fetch, path, JSON.stringify(body), { 'content-type': 'application/json' });
}

function postForm(
  fetch: FetchHandler,
  path: string,
  fields: Record<string, string>,
): Promise<Json> {
  return post(fetch, path, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

function exchange(fetch: FetchHandler, assertion: unknown): Promise<Json> {
  const fields = { grant_type: JWT_BEARER_GRANT, assertion: String(assertion) };
  return postForm(fetch, '/oauth2/token', fields);
}

function poll(fetch: FetchHandler, registered: Json): Promise<Json> {
  return postForm(fetch, '/oauth2/token', {
    grant_type: claimGrantType('vendor'),
    claim_token: String(registered['claim_token']),
  });
}

async function complete(fetch: FetchHandler, block: Ceremony | undefined, email: string) {
  const user = new TestUser(fetch);
  const { user_code, verification_uri } = ceremony(block);
  const page = await user.openSignedIn(verification_uri, email);
  await user.submit(page, COMPLETE, { user_code, decision: 'approve' });
}

function ceremony(block: Ceremony | undefined): Ceremony {
  if (block === undefined) throw new Error('The answer carries no claim block.');
  return block;
}

async function read(response: Response): Promise<Json> {
  const text = await response.text();
  return response.headers.get('content-type')?.includes('json') && text !== ''
    ? (JSON.parse(text) as Json)
    : {};
}
