import { describe, expect, it } from 'vitest';
import {
  eventEnvelope,
  oauthEnvelope,
  registrationEnvelope,
} from '../../../src/mock/http/envelopes.ts';
import type { Envelope } from '../../../src/mock/http/request.ts';
import {
  transportProblem,
  type WireProblem,
  wireProblem,
} from '../../../src/mock/http/response.ts';
import { WIRE_CODES } from '../../../src/protocol/index.ts';

async function render(
  envelope: Envelope,
  problem: WireProblem,
  headers: Record<string, string> = {},
) {
  const response = await envelope(problem, new Request('https://mock.example/x', { headers }));
  return { response, body: (await response.json()) as Record<string, unknown> };
}

describe('wire problems', () => {
  it('take status and text from the list of codes, for every code of every surface', () => {
    for (const [surface, codes] of Object.entries(WIRE_CODES)) {
      for (const [code, { status, description }] of Object.entries(codes)) {
        const problem = wireProblem(surface as 'token', code as 'invalid_grant');
        expect(problem).toMatchObject({ surface, code, status, description });
      }
    }
  });

  it('refuse a code that the surface does not define', () => {
    expect(() => wireProblem('token', 'replay_detected' as 'invalid_grant')).toThrow(RangeError);
  });

  it('can be made where Error is frozen, and leave its stacks as they were', () => {
    const before = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
    const limit = Error.stackTraceLimit;
    wireProblem('token', 'invalid_grant');
    expect(Error.stackTraceLimit).toBe(limit);
    Object.defineProperty(Error, 'stackTraceLimit', { ...before, writable: false });
    try {
      expect(wireProblem('token', 'invalid_grant').status).toBe(400);
      expect(transportProblem('not_found').status).toBe(404);
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', { ...before, writable: true });
    }
  });

  it('say when to come back, whoever is unavailable', () => {
    expect(wireProblem('events', 'temporarily_unavailable').headers).toEqual({
      'retry-after': '1',
    });
    expect(
      wireProblem('events', 'temporarily_unavailable', { headers: { 'retry-after': '5' } }).headers,
    ).toEqual({ 'retry-after': '5' });
  });
});

describe.each([
  ['registration', registrationEnvelope],
  ['oauth', oauthEnvelope],
  ['event', eventEnvelope],
])('the %s envelope', (_name, envelope) => {
  it('is never kept', async () => {
    const { response } = await render(envelope, wireProblem('token', 'invalid_request'));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('pragma')).toBe('no-cache');
  });

  it('lets only harmless characters into the description (RFC 6749 §5.2)', async () => {
    const description = 'a"b\\c\r\nd\u202eé';
    const { body } = await render(
      envelope,
      wireProblem('token', 'invalid_request', { description }),
    );
    const text = body.error_description ?? body.description;
    expect(text).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it.each([
    ['not_found', 404],
    ['method_not_allowed', 405],
    ['payload_too_large', 413],
    ['unsupported_media_type', 415],
    ['unavailable', 503],
  ] as const)('renders %s', async (kind, status) => {
    const { response, body } = await render(envelope, transportProblem(kind));
    expect(response.status).toBe(status);
    expect(body.error ?? body.err).toMatch(/^(invalid_request|not_found|temporarily_unavailable)$/);
  });
});

describe('the registration envelope', () => {
  it('repeats its text as message, for older clients', async () => {
    const problem = wireProblem('identity', 'invalid_issuer', { description: 'Not here.' });
    const { response, body } = await render(registrationEnvelope, problem);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(body).toEqual({
      error: 'invalid_issuer',
      error_description: 'Not here.',
      message: 'Not here.',
    });
  });

  it('challenges with AgentAuth on 401, with max_age when it is a member', async () => {
    const problem = wireProblem('identity', 'login_required', { members: { max_age: 3600 } });
    const { response, body } = await render(registrationEnvelope, problem);
    expect(body.max_age).toBe(3600);
    expect(response.headers.get('www-authenticate')).toBe(
      'AgentAuth error="login_required", max_age="3600"',
    );
    const plain = await render(registrationEnvelope, wireProblem('claim', 'invalid_claim_token'));
    expect(plain.response.headers.get('www-authenticate')).toBe(
      'AgentAuth error="invalid_claim_token"',
    );
  });
});

describe('the oauth envelope', () => {
  it.each([
    ['Basic Zm9vOmJhcg==', 'Basic'],
    ['basic Zm9vOmJhcg==', 'Basic'],
    ['Bearer abc', 'Bearer'],
    ['Hostile" realm', 'Basic'],
    ['Basically not', 'Basic'],
    [undefined, 'Basic'],
  ])('answers client authentication by %j with a challenge of %s', async (sent, scheme) => {
    const problem = wireProblem('token', 'invalid_client');
    const headers: Record<string, string> = sent === undefined ? {} : { authorization: sent };
    const { response } = await render(oauthEnvelope, problem, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `${scheme} realm="oauth2", error="invalid_client"`,
    );
  });

  it("keeps a handler's own challenge", async () => {
    const problem = wireProblem('resource', 'invalid_token', {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    });
    const { response } = await render(oauthEnvelope, problem);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });
});

describe('the event envelope', () => {
  it('speaks RFC 8935 §2.3', async () => {
    const { response, body } = await render(eventEnvelope, wireProblem('events', 'invalid_issuer'));
    expect(response.status).toBe(400);
    expect(response.headers.get('content-language')).toBe('en');
    expect(body).toEqual({ err: 'invalid_issuer', description: expect.any(String) });
  });

  it('has a known code for an unknown path', async () => {
    const { response, body } = await render(eventEnvelope, transportProblem('not_found'));
    expect([response.status, body.err]).toEqual([404, 'invalid_request']);
  });
});
