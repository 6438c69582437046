import { createPublicKey, type JsonWebKeyInput, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeJwt } from '../../../src/protocol/index.ts';
import { TranscriptError } from '../../../src/traffic/replay/read-transcript.ts';
import { ScriptedUser } from '../../../src/user/scripted-user.ts';
import { openSignedIn } from '../../../src/user/user-steps.ts';
import { bothMocks, runAllFlows } from '../../mock/traffic/all-flows.ts';
import { type Replay, replayOf, SERVICE, serviceTranscript } from './replay-of.ts';

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly text: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';

async function send(
  { fetch }: Pick<Replay, 'fetch'>,
  path: string,
  body?: Json | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(SERVICE + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body !== undefined && (isForm ? FORM_TYPE : JSON_TYPE)), ...headers },
    ...(body !== undefined && { body: isForm ? body.toString() : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

const poll = (replay: Pick<Replay, 'fetch'>, token: unknown) =>
  send(
    replay,
    '/oauth2/token',
    new URLSearchParams({ grant_type: CLAIM, claim_token: String(token) }),
  );

const BY_EMAIL = { type: 'service_auth', login_hint: 'bob@example.com' };
const registerByEmail = (replay: Pick<Replay, 'fetch'>) =>
  send(replay, '/agent/identity', BY_EMAIL);

const exchange = (replay: Pick<Replay, 'fetch'>, assertion: unknown) =>
  send(
    replay,
    '/oauth2/token',
    new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: String(assertion),
      resource: SERVICE,
    }),
  );

/** Registered by email, polled, decided at the page, polled again. */
async function claim(decision: 'approve' | 'deny'): Promise<string> {
  const { clock, fetch, log } = await bothMocks({ port: 5800 });
  const { body } = await registerByEmail({ fetch });
  await poll({ fetch }, body['claim_token']);
  const { user_code, verification_uri } = body['claim'] as Json;
  const user = new ScriptedUser(fetch);
  const page = await openSignedIn(user, String(verification_uri), 'bob@example.com');
  const done = await user.submit(page, { user_code: String(user_code), decision });
  expect(done.status).toBe(200);
  clock.advance(10_000);
  await poll({ fetch }, body['claim_token']);
  return serviceTranscript(log.read().exchanges);
}

const all = runAllFlows().then(({ log }) => serviceTranscript(log.read().exchanges));

describe('a replayed service', () => {
  it('tells a request that was never recorded what is nearest and what differs', async () => {
    const replay = await replayOf(await all);
    const { body, status } = await send(replay, '/agent/identity', { type: 'other' });
    expect(status).toBe(501);
    expect(body).toMatchObject({
      error: 'not_recorded',
      request: 'POST /agent/identity',
      nearest: { differences: [{ at: 'body.type', recorded: 'anonymous', got: 'other' }] },
    });
    expect(body['detail']).toContain('body.type was anonymous, now other');
  });

  it('takes no token but those that it gave out, and quotes none', async () => {
    const replay = await replayOf(await all);
    await send(replay, '/agent/identity', { type: 'anonymous' });
    const foreign = 'Xy12345678secret90';
    const polled = await poll(replay, foreign);
    expect(polled.status).toBe(501);
    expect(polled.text).toContain('{claim_token_1}');
    const called = await send(replay, '/api/resource', undefined, {
      authorization: `Bearer ${foreign}`,
    });
    expect(called.status).toBe(501);
    const queried = await send(replay, `/login?code=${foreign}`);
    expect(polled.text + called.text + queried.text).not.toContain(foreign);
  });

  it('gives two agents at once values of their own, and each the recorded answers in their order', async () => {
    const replay = await replayOf(await claim('approve'));
    const [one, other] = await Promise.all([registerByEmail(replay), registerByEmail(replay)]);
    for (const name of ['registration_id', 'claim_token']) {
      expect(one.body[name]).toEqual(expect.any(String));
      expect(one.body[name]).not.toBe(other.body[name]);
    }
    expect((one.body['claim'] as Json)['user_code']).toMatch(/^\d{6}$/);
    for (const { body } of [one, other]) {
      expect((await poll(replay, body['claim_token'])).body['error']).toBe('authorization_pending');
    }
    for (const { body } of [other, one]) {
      const { body: claimed } = await poll(replay, body['claim_token']);
      expect(claimed).toHaveProperty('identity_assertion');
    }
  });

  it('repeats the last answer, and shows a user a page with nothing to do', async () => {
    const replay = await replayOf(await claim('deny'));
    const { body } = await registerByEmail(replay);
    expect((await poll(replay, body['claim_token'])).body['error']).toBe('authorization_pending');
    expect((await poll(replay, body['claim_token'])).body['error']).toBe('access_denied');
    expect((await poll(replay, body['claim_token'])).body['error']).toBe('access_denied');
    const link = String((body['claim'] as Json)['verification_uri']);
    const page = await new ScriptedUser(replay.fetch).open(link);
    expect(page).toMatchObject({ status: 200, forms: [] });
  });

  it('answers a call as before until the agent has given its token back', async () => {
    const { fetch, log } = await bothMocks({ port: 5800 });
    const flow = async (replay: Pick<Replay, 'fetch'>, calls: number) => {
      const { body } = await send(replay, '/agent/identity', { type: 'anonymous' });
      const { body: exchanged } = await exchange(replay, body['identity_assertion']);
      const token = String(exchanged['access_token']);
      const statuses: number[] = [];
      const call = async () =>
        statuses.push(
          (await send(replay, '/api/resource', undefined, { authorization: `Bearer ${token}` }))
            .status,
        );
      for (let count = 0; count < calls; count += 1) await call();
      await send(replay, '/oauth2/revoke', new URLSearchParams({ token }));
      await call();
      return statuses;
    };
    expect(await flow({ fetch }, 1)).toEqual([200, 401]);
    const replay = await replayOf(serviceTranscript(log.read().exchanges));
    expect(await flow(replay, 3)).toEqual([200, 200, 200, 401]);
    expect(await flow(replay, 0)).toEqual([401]);
  });

  it('answers in another order by what has happened', async () => {
    const replay = await replayOf(await all);
    const { body } = await send(replay, '/agent/identity', { type: 'anonymous' });
    // The recorded agent exchanged its assertion and called first.
    const opened = await send(replay, '/agent/identity/claim', {
      claim_token: body['claim_token'],
      email: 'alice@example.com',
    });
    expect(opened.body).toHaveProperty('claim_attempt');
    const exchanged = await exchange(replay, body['identity_assertion']);
    expect(exchanged.body).toMatchObject({ scope: 'api.read' });
    const called = await send(replay, '/api/resource', undefined, {
      authorization: `Bearer ${exchanged.body['access_token']}`,
    });
    expect(called).toMatchObject({
      status: 200,
      body: { registration_id: body['registration_id'] },
    });
  });

  it('signs with a key of its own, with times at their recorded distance', async () => {
    const replay = await replayOf(await all);
    const { body } = await send(replay, '/agent/identity', { type: 'anonymous' });
    const jwt = decodeJwt(String(body['identity_assertion']));
    const now = Math.floor(replay.clock.now() / 1_000);
    expect(jwt?.payload).toMatchObject({
      iss: SERVICE,
      sub: body['registration_id'],
      iat: now,
      exp: now + 86_400,
    });
    expect(body['claim_token_expires']).toBe(
      new Date(replay.clock.now() + 86_400_000).toISOString(),
    );
    const { body: jwks } = await send(replay, '/.well-known/jwks.json');
    const [key = {}] = jwks['keys'] as readonly JsonWebKeyInput['key'][];
    expect(key).toMatchObject({ kid: jwt?.header['kid'], kty: 'EC' });
    expect(key).not.toHaveProperty('d');
    const [head, claims, signature = ''] = String(body['identity_assertion']).split('.');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    expect(isSigned).toBe(true);
  });

  it('refuses a transcript without a service', async () => {
    await expect(replayOf('{"transcript":1,"exchanges":[]}')).rejects.toThrow(TranscriptError);
  });
});
