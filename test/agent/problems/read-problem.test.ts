import { describe, expect, it } from 'vitest';
import { readAnswerBody } from '../../../src/agent/http/answer.ts';
import type { AgentSurface } from '../../../src/agent/index.ts';
import { readProblem } from '../../../src/agent/problems/problem.ts';

const NOW = Date.UTC(2026, 0, 1);

function read(
  body: unknown,
  status = 400,
  headers: Record<string, string> = {},
  surface: AgentSurface = 'identity',
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readProblem(
    {
      where: 'https://service.example',
      status,
      headers: new Headers(headers),
      sentAt: NOW,
      body: readAnswerBody(text),
      text,
    },
    surface,
  );
}

describe('a problem', () => {
  it.each([
    ['error', { error: 'invalid_issuer' }],
    ['a nested code', { error: { code: 'invalid_issuer', message: 'x' } }],
    ['err', { err: 'invalid_issuer' }],
    ['code', { code: 'invalid_issuer' }],
    ['an older name', { error: 'issuer_not_enabled' }],
    ['error before all others', { error: 'invalid_issuer', err: 'a', code: 'b' }],
  ])('is found in %s', (_what, body) => {
    expect(read(body)).toMatchObject({ code: 'invalid_issuer', move: 'stop' });
  });

  it.each([
    ['error_description', { error_description: 'why' }],
    ['message', { message: 'why' }],
    ['description', { description: 'why' }],
    ['a nested message', { error: { code: 'x', message: 'why' } }],
    ['error_description before message', { error_description: 'why', message: 'no' }],
  ])('is described by %s', (_what, body) => {
    expect(read({ error: 'x', ...body })?.description).toBe('why');
  });

  it.each([200, 400, 401, 403, 418, 500])('is acted on by its code at status %i', (status) => {
    expect(read({ error: 'interaction_required' }, status)).toMatchObject({ move: 'confirm' });
  });

  it('is none without an error and with a good status', () => {
    expect(read({ identity_assertion: 'x', code: 'fine', err: 'fine' }, 200)).toBeUndefined();
    expect(read('', 302)).toBeUndefined();
  });

  it('is none in the challenge of an answer that succeeded', () => {
    const field = { 'www-authenticate': 'Bearer error="invalid_token"' };
    expect(read({ access_token: 'x' }, 200, field)).toBeUndefined();
  });

  it('may name no code', () => {
    expect(read('<!doctype html>', 404)).toMatchObject({ code: undefined, move: 'stop' });
    expect(read('<!doctype html>', 502)).toMatchObject({ code: undefined, move: 'retry_later' });
    expect(read('', 429)).toMatchObject({ code: 'rate_limited', move: 'retry_later' });
  });

  it.each([
    ['a number', 7],
    ['a list', ['invalid_issuer']],
    ['an object without a code', { message: 'x' }],
    ['a sentence', 'you did it wrong'],
    ['an escape sequence', '\u001b[2J'],
    ['endless', 'x'.repeat(100)],
  ])('whose code is %s names none', (_what, error) => {
    expect(read({ error })?.code).toBeUndefined();
  });

  it('is not looked up in what every object has', () => {
    expect(read({ error: 'constructor' })).toMatchObject({ code: 'constructor', move: 'stop' });
    expect(read('{"error":"__proto__"}')).toMatchObject({ move: 'stop' });
  });

  it('is read from a challenge when the body says nothing', () => {
    const field =
      'Basic realm="x", Bearer realm="y", Bearer error="insufficient_scope", scope="api.write api.read"';
    expect(read('', 403, { 'www-authenticate': field }, 'resource')).toMatchObject({
      code: 'insufficient_scope',
      move: 'claim',
      scope: ['api.write', 'api.read'],
    });
    const login = 'AgentAuth error="login_required", max_age="3600"';
    expect(read('', 401, { 'www-authenticate': login })).toMatchObject({
      code: 'login_required',
      maxAge: 3600,
    });
  });

  it.each([
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['9'.repeat(400), 1e12],
  ])('asks to wait: %s', (value, wait) => {
    expect(read({ error: 'x' }, 503, { 'retry-after': value })?.retryAfter).toBe(wait);
  });

  it.each(['-1', 'NaN', null, 'x'])('has no max_age of %j', (max_age) => {
    expect(read({ error: 'login_required', max_age })?.maxAge).toBeUndefined();
  });
});

describe('a reason in text that no text may hold (it was said to be none)', () => {
  it.each([
    ['U+0000', 'a\u0000red'],
    ['a lone surrogate', 'are\ud800d'],
    ['an escape sequence', 'a\u001b[31mred'],
  ])('is read without %s', (_what, error_description) => {
    const problem = read(JSON.stringify({ error: 'foo', error_description }));
    expect(problem).toMatchObject({ code: 'foo', sent: 'foo' });
    expect(problem?.description).toMatch(/^a?re.?d$|^ared$/);
  });

  it('is cleaned of it in the code, too', () => {
    expect(read({ error: 'foo\u0000' })).toMatchObject({ code: 'foo', sent: 'foo' });
  });

  it('makes no refusal of a success', () => {
    expect(read('{"error":"foo","x":"\\u0000"}', 200)).toBeUndefined();
  });
});

describe('the word that was sent (ours stood in its place)', () => {
  it.each<[unknown, number, string, string | undefined]>([
    [{ error: 'slow' }, 429, 'rate_limited', 'slow'],
    ['', 429, 'rate_limited', undefined],
    [{ error: 'issuer_not_enabled' }, 400, 'invalid_issuer', 'issuer_not_enabled'],
    [{ error: { code: 'invalid_issuer' } }, 400, 'invalid_issuer', 'invalid_issuer'],
  ])('of %j with %i stands beside %s', (body, status, code, sent) => {
    const problem = read(body, status);
    expect(problem?.code).toBe(code);
    expect(problem?.sent).toBe(sent);
  });

  it('is no code where it is a sentence, and no secret', () => {
    expect(read({ error: 'Not Found' }, 404)).toMatchObject({ code: undefined, sent: 'Not Found' });
    const token = 'abcdefghij0123456789abcdefghij';
    expect(read({ error: token })?.sent).not.toContain(token);
  });
});

describe('a 429 is rate_limited, whatever is in it', () => {
  it.each<[unknown, AgentSurface]>([
    ['', 'identity'],
    ['<!doctype html>', 'claim'],
    [{ error: 'too_many_requests' }, 'token'],
    [{ error: 'invalid_grant' }, 'token'],
    [{ error: 'invalid_request' }, 'revocation'],
    [{ error: { code: 'slow', message: 'Slow down.' } }, 'provider'],
  ])('%j at the endpoint of %s', (body, surface) => {
    const problem = read(body, 429, { 'retry-after': '30' }, surface);
    expect(problem).toMatchObject({
      code: 'rate_limited',
      move: 'retry_later',
      retryAfter: 30_000,
    });
  });

  it.each<[string, AgentSurface]>([
    ['too_many_attempts', 'claim'],
    ['slow_down', 'token'],
    ['authorization_pending', 'provider'],
  ])('unless its code says more: %s of %s', (error, surface) => {
    expect(read({ error }, 429, {}, surface)?.code).toBe(error);
  });

  it('with the seconds of its body where no header has them', () => {
    expect(read({ retry_after: 12 }, 429)?.retryAfter).toBe(12_000);
    expect(read({ retry_after: 'soon' }, 429)?.retryAfter).toBeUndefined();
  });
});

describe('the words of a service', () => {
  it.each([
    ['The token at_Zk3vQ9xWm2Lr8Tn5Yb7c is over.', 'The token … is over.'],
    ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln is malformed', '… is malformed'],
    ['Wrong type urn:ietf:params:oauth:grant-type:jwt-bearer', undefined],
    ['identity_assertion_not_enabled is what it is', undefined],
    ['See https://docs.example.com/agents/errors#aud', undefined],
  ])('%s: a secret that they quote is left out', (said, shown) => {
    expect(read({ error: 'x', error_description: said })?.description).toBe(shown ?? said);
  });
});
