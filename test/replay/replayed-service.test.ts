import { createPublicKey, type JsonWebKeyInput, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeJwt } from '../../src/protocol/index.ts';
import { createReplayedService, readTranscript, TranscriptError } from '../../src/replay/index.ts';
import { readRecording } from '../../src/replay/recording/index.ts';
import { connectWords, recordedStarts } from '../../src/replay/service/recorded-starts.ts';
import { FakeClock, SeededRandom } from '../../src/runtime/index.ts';
import { ScriptedUser } from '../../src/user/scripted-user.ts';
import { openSignedIn } from '../../src/user/user-steps.ts';
import { bothMocks, runAllFlows } from '../mock/exchanges/all-flows.ts';
import { type Replay, replayOf, SERVICE, serviceTranscript } from './replayed-flows.ts';

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

async function deny({ fetch }: Pick<Replay, 'fetch'>, registered: Json): Promise<void> {
  const user = new ScriptedUser(fetch);
  const link = String((registered['claim'] as Json)['verification_uri']);
  const page = await openSignedIn(user, link, 'bob@example.com');
  const done = await user.submit(page, { user_code: '', decision: 'deny' });
  expect(done.status).toBe(200);
}

/** Registered by email, polled, denied at the page, polled again. */
async function denial(): Promise<string> {
  const { clock, fetch, log } = await bothMocks({ port: 5800 });
  const { body } = await registerByEmail({ fetch });
  await poll({ fetch }, body['claim_token']);
  await deny({ fetch }, body);
  clock.advance(10_000);
  await poll({ fetch }, body['claim_token']);
  return serviceTranscript(log.read().exchanges);
}

const all = runAllFlows().then(({ log }) => serviceTranscript(log.read().exchanges));

describe('a replayed service', () => {
  it('shows a browser what was recorded and how to begin, and tells programs that / never was', async () => {
    const replay = await replayOf(await all);
    const page = await send(replay, '/', undefined, { accept: 'text/html' });
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<code>${SERVICE}</code>`);
    expect(page.text).toContain('<code>POST /agent/identity</code>');
    for (const start of recordedStarts(readRecording(readTranscript(await all)))) {
      const words = connectWords(start, 'http://127.0.0.1:4801').join(' ');
      expect(page.text).toContain(`<code>agent-auth connect ${SERVICE} ${words}</code>`);
    }
    const style = /<link rel="stylesheet" href="([^"]+)">/.exec(page.text)?.[1] ?? '';
    expect((await send(replay, style)).text).toContain('.banner');
    expect(await send(replay, '/')).toMatchObject({ status: 501, body: { error: 'not_recorded' } });
    const other = await send(replay, '/nothing', undefined, { accept: 'text/html' });
    expect(other).toMatchObject({ status: 501, text: expect.stringContaining('<h1>') });
  });

  it('names whom the recorded agents named, each way of beginning once', async () => {
    expect(recordedStarts(readRecording(readTranscript(await all)))).toEqual([
      { type: 'anonymous', email: 'alice@example.com', call: '/api/resource' },
      { type: 'service_auth', email: 'bob@example.com' },
      { type: 'identity_assertion', call: '/api/resource' },
    ]);
    expect(recordedStarts(readRecording(readTranscript(await denial())))).toEqual([
      { type: 'service_auth', email: 'bob@example.com' },
    ]);
  });

  it('tells a request that was never recorded what is nearest and what differs', async () => {
    const replay = await replayOf(await all);
    const { body, status } = await send(replay, '/agent/identity', { type: 'other' });
    expect(status).toBe(501);
    expect(body).toMatchObject({
      error: 'not_recorded',
      request: 'POST /agent/identity',
      nearest: [
        {
          step: 'register',
          differences: [{ at: 'body.type', recorded: 'anonymous', got: 'other' }],
        },
        {},
        {},
        {},
        {},
      ],
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

  it('gives two agents at once values of their own, each with its own state', async () => {
    const replay = await replayOf(await all);
    const [one, other] = await Promise.all([registerByEmail(replay), registerByEmail(replay)]);
    for (const name of ['registration_id', 'claim_token']) {
      expect(one.body[name]).toEqual(expect.any(String));
      expect(one.body[name]).not.toBe(other.body[name]);
    }
    const code = (answer: Answer) => (answer.body['claim'] as Json)['user_code'];
    expect(code(one)).toMatch(/^\d{6}$/);
    expect((await poll(replay, one.body['claim_token'])).body['error']).toBe(
      'authorization_pending',
    );
    expect((await poll(replay, other.body['claim_token'])).body['error']).toBe(
      'authorization_pending',
    );
    const link =
      String((other.body['claim'] as Json)['verification_uri'])
        .split('/')
        .at(-1) ?? '';
    const done = await send(
      replay,
      '/agent/identity/claim/complete',
      new URLSearchParams({
        csrf_token: 'any',
        claim_attempt_token: link,
        user_code: String(code(other)),
        decision: 'approve',
      }),
      { accept: 'text/html' },
    );
    expect(done).toMatchObject({ status: 200 });
    expect((await poll(replay, other.body['claim_token'])).body).toHaveProperty('access_token');
    expect((await poll(replay, one.body['claim_token'])).body['error']).toBe(
      'authorization_pending',
    );
  });

  it('repeats the last answer of a state until its user has acted', async () => {
    const replay = await replayOf(await denial());
    const { body } = await registerByEmail(replay);
    for (let count = 0; count < 4; count += 1) {
      expect((await poll(replay, body['claim_token'])).body['error']).toBe('authorization_pending');
    }
    await deny(replay, body);
    expect((await poll(replay, body['claim_token'])).body['error']).toBe('access_denied');
    expect((await poll(replay, body['claim_token'])).body['error']).toBe('access_denied');
  });

  it('says who has to act first where nothing was recorded for before', async () => {
    const file = JSON.parse(await denial()) as { exchanges: unknown[] };
    file.exchanges.splice(1, 1);
    const replay = await replayOf(JSON.stringify(file));
    const { body } = await registerByEmail(replay);
    const { body: told, status } = await poll(replay, body['claim_token']);
    expect(status).toBe(501);
    expect(told).toMatchObject({
      waits_for: { request: 'POST /agent/identity/claim/complete', from: 'user' },
    });
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
    const exchanged = await send(
      replay,
      '/oauth2/token',
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: String(body['identity_assertion']),
        resource: SERVICE,
      }),
    );
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

  it('says at the start that a recording ends while a claim is open', async () => {
    const { fetch, log } = await bothMocks({ port: 5800 });
    const { body } = await registerByEmail({ fetch });
    await poll({ fetch }, body['claim_token']);
    const remarksOf = async (file: string) =>
      (
        await createReplayedService({
          transcript: readTranscript(file),
          baseUrl: SERVICE,
          clock: new FakeClock(0),
          random: new SeededRandom(1),
        })
      ).remarks.join();
    expect(await remarksOf(serviceTranscript(log.read().exchanges))).toContain('told to wait');
    expect(await remarksOf(await denial())).toBe('');
  });

  it('refuses a transcript without a service', async () => {
    await expect(replayOf('{"transcript":1,"exchanges":[]}')).rejects.toThrow(TranscriptError);
  });
});
