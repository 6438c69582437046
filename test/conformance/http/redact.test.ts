import { describe, expect, it } from 'vitest';
import { Recorder } from '../../../src/conformance/http/recorder.ts';
import { Redactor } from '../../../src/conformance/http/redact.ts';

const SECRET = 'Zx81QpLm40';

describe('a text of a report', () => {
  it.each([
    ['a field with its value first', `<input value="${SECRET}" type="hidden" name="claim_token">`],
    ['a field in single quotes', `<input name='_csrf' value='${SECRET}'>`],
    ['a field without quotes', `<input name=authenticity_token value=${SECRET}>`],
    ['a code in a form', `decision=approve&code=${SECRET}`],
    ...['credential', 'api_key', 'otp', 'refresh_token'].map(
      (name) => [name, JSON.stringify({ [name]: SECRET })] as [string, string],
    ),
    ['JSON in JSON', JSON.stringify({ body: JSON.stringify({ access_token: SECRET }) })],
    ['a JSON member', JSON.stringify({ csrf: SECRET })],
  ])('hides the secret of %s', (_name, text) => {
    const shown = new Redactor().text(text);
    expect(shown).not.toContain(SECRET);
    expect(shown).toMatch(/‹[0-9a-f]{8}›/);
  });

  it.each([
    ['padded', 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkoifQ==.eyJzdWIiOiJhIn0=.c2lnbmF0dXJl=='],
    ['in plain base64', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ+P34vIn0.c2ln/bmF0+dXJl'],
    ['in a form', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln%2FbmF0%2BdXJl%3D%3D'],
    ['broken in lines', 'eyJhbGciOiJFUzI1NiJ9.\neyJzdWIiOiJhIn0.c2lnbmF0dXJl'],
  ])('shows no signature of a JWT that is %s', (_how, jwt) => {
    expect(new Redactor().text(`It sent ${jwt}`)).toMatch(/^It sent ‹[0-9a-f]{8}›$/);
  });

  it('shows no signature of a JWS in JSON', () => {
    const jws = { protected: 'eyJhbGciOiJFUzI1NiJ9', payload: 'e30', signature: 's'.repeat(86) };
    expect(new Redactor().text(JSON.stringify(jws))).not.toContain('sss');
  });

  it('hides a user_code that is a number', () => {
    expect(new Redactor().text('{"user_code": 123456, "interval": 5}')).toMatch(
      /^\{"user_code": "‹[0-9a-f]{8}›", "interval": 5\}$/,
    );
  });

  it('leaves the code of an error', () => {
    expect(new Redactor().text('{"code":"invalid_request"}')).toContain('invalid_request');
  });
});

describe('a secret that was received', () => {
  it.each([
    ['plain', `/claim?attempt=${SECRET}`],
    ['encoded once', `return_to=%2Fclaim%3Fattempt%3D${SECRET}`],
    ['encoded twice', `next=%252Fclaim%253Fattempt%253D${SECRET}%2526a`],
  ])('is hidden in a link, %s', (_how, text) => {
    const redactor = new Redactor();
    redactor.learn(
      [],
      JSON.stringify({ verification_uri: `https://s.example/c?attempt=${SECRET}` }),
    );
    expect(redactor.text(text)).not.toContain(SECRET);
    expect(redactor.text(text)).toBe(text.replace(SECRET, redactor.mark(SECRET)));
  });
});

describe('a secret without a name', () => {
  it.each([
    ['a JWT', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['an access token', 'at_0123456789abcdefghij'],
    ['a claim token', 'clm_abcdefghijklmnopqrstu'],
  ])('is found by how it looks: %s', (_what, secret) => {
    expect(new Redactor().text(`It answered "${secret}".`)).toMatch(
      /^It answered "‹[0-9a-f]{8}›"\.$/,
    );
  });

  it.each([
    ['Authorization', `Bearer ${SECRET}`, /^Bearer ‹[0-9a-f]{8}›$/],
    ['authorization', SECRET, /^‹[0-9a-f]{8}›$/],
    ['Proxy-Authorization', `Basic ${SECRET}`, /^Basic ‹[0-9a-f]{8}›$/],
    ['x-csrf-token', SECRET, /^‹[0-9a-f]{8}›$/],
    ['set-cookie', `sid=${SECRET}; Path=/; HttpOnly`, /^sid=‹[0-9a-f]{8}›; Path=\/; HttpOnly$/],
  ])('is hidden in the header %s: %s', (name, value, shown) => {
    expect(new Redactor().headers([[name, value]])[0]?.[1]).toMatch(shown);
  });
});

describe('a body that is cut', () => {
  it('loses its secrets first: half of one would not be recognised', () => {
    const recorder = new Recorder({ now: () => 0 });
    const jwt = `eyJ${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}`;
    const body = `${'x '.repeat(2000)}${jwt}${' y'.repeat(2000)}`;
    recorder
      .begin({
        from: 'suite',
        to: 'service',
        method: 'POST',
        url: 'https://x.example/',
        headers: [],
        body,
      })
      .fail('It did not answer.');
    const shown = recorder.exchanges()[0]?.request.body ?? '';
    expect(shown.length).toBeLessThan(body.length);
    expect(shown).not.toMatch(/eyJ|aaaa/);
  });
});

describe('a mark', () => {
  it('is one for a secret in a run, and another in the next run', () => {
    const key = new Uint8Array(32);
    expect(new Redactor(key).mark('123456')).toBe(new Redactor(key).mark('123456'));
    expect(new Redactor().mark('123456')).not.toBe(new Redactor().mark('123456'));
  });
});

describe('a secret that was received', () => {
  const receive = (headers: readonly (readonly [string, string])[], body: string) => {
    const recorder = new Recorder({ now: () => 0 });
    const begun = { from: 'suite', to: 'service', method: 'GET', headers: [], body: undefined };
    recorder
      .begin({ ...begun, url: 'https://service.example/' })
      .end({ status: 200, headers, body, duration: 0 });
    recorder.begin({ ...begun, url: `https://service.example/x/${SECRET}?y=${SECRET}` });
    return recorder;
  };

  it.each(['alice@example.com', 'alice%40example.com', '2026-01-01T00:00:00Z'])(
    'is not an email or a time, which occur in many places: %s',
    (value) => {
      const { redactor } = receive([['location', `/claim?x=${value}`]], '');
      expect(redactor.text(`It said ${value}.`)).toBe(`It said ${value}.`);
    },
  );

  it.each([
    'https://service.example:40567/one-service',
    '/consent?to=https%3A%2F%2Fservice.example%3A40567%2Fone-service',
  ])('is not a URL, which the requests name themselves: %s', (value) => {
    const page = `<input type=hidden name=to value="${value}">`;
    const { redactor } = receive([['location', `/next?to=${encodeURIComponent(value)}`]], page);
    const said = 'audience=http%3A%2F%2Fservice.example%3A40567%2Fone-service';
    expect(redactor.text(said)).toBe(said);
  });

  it.each([
    ['in a link in a hidden field', [], `<input type=hidden name=to value="/claim?k=${SECRET}">`],
    ['in a cookie', [['set-cookie', `sid=${SECRET}; Path=/`]], ''],
    ['in a redirect', [['location', `/claim?k=${SECRET}`]], ''],
    ['in a hidden field', [], `<input type=hidden name=q value=${SECRET}>`],
    ['in a token', [], JSON.stringify({ access_token: SECRET })],
    [
      'in the link of a claim',
      [],
      JSON.stringify({ verification_uri: `https://x.example/?k=${SECRET}` }),
    ],
  ] as const)('is hidden wherever it stands: %s', (_name, headers, body) => {
    const recorder = receive(headers, body);
    expect(JSON.stringify(recorder.exchanges())).not.toContain(SECRET);
    expect(recorder.redactor.text(`seen: ${SECRET}`)).not.toContain(SECRET);
  });
});
