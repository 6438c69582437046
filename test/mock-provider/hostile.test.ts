import { describe, expect, it } from 'vitest';
import { Harness, ISSUER } from './harness.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(['/oauth2/token', '/oauth2/device_authorization', '/oauth2/consents/revoke'])(
  '%s',
  (path) => {
    it.each<[string, RequestInit, number]>([
      ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }, 415],
      ['no media type', { body: new Uint8Array([97]) }, 415],
      ['nothing', { body: '', headers: FORM }, 400],
      [
        'a parameter twice',
        { body: 'client_id=agent-auth&client_id=agent-auth', headers: FORM },
        400,
      ],
      ['an unknown parameter twice', { body: 'client_id=agent-auth&x=1&x=2', headers: FORM }, 400],
      ['U+0000', { body: 'client_id=agent-auth&grant_type=%00', headers: FORM }, 400],
      ['bytes that are no text', { body: new Uint8Array([0xff, 0xfe]), headers: FORM }, 400],
      ['70 KB', { body: `x=${'y'.repeat(70_000)}`, headers: FORM }, 413],
      ['a compressed body', { body: 'x', headers: { ...FORM, 'content-encoding': 'gzip' } }, 415],
    ])('answers %s with an OAuth error', async (_what, init, status) => {
      const answer = await (await Harness.start()).send('POST', path, init);
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({
        error: 'invalid_request',
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
      const answer = await (await Harness.start()).send(method, path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });
  },
);

describe('paths', () => {
  it.each([
    '/nothing',
    '/oauth2',
    '/oauth2/token/',
    '/.well-known/openid-configuration/',
    '/consents/x',
    '/oauth2/consents',
    '/%2e%2e/x',
    '/device/x',
  ])('has nothing at %s', async (path) => {
    const answer = await (await Harness.start()).send('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.body['error']).toBe('not_found');
  });

  it.each(['/device', '/consent', '/consents', '/login', '/'])(
    'refuses DELETE on the page %s with a page',
    async (path) => {
      const answer = await (await Harness.start()).send('DELETE', path);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it.each(['/device', '/consent', '/consents', '/login', '/logout'])(
    'refuses JSON on the page %s',
    async (path) => {
      const answer = await (await Harness.start()).send('POST', path, {
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(415);
    },
  );
});

describe('pages', () => {
  it('show hostile names as text (A-30)', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
    const harness = await Harness.start({
      name: hostile,
      clientName: hostile,
      audiences: [{ issuer: 'https://service.test', name: hostile }],
      users: [{ email: 'alice@example.com', name: hostile }],
    });
    const user = harness.newUser();
    const device = await harness.device();
    const pages = [
      await user.open(`${ISSUER}/`),
      await user.openSignedIn(device.verification_uri, 'alice@example.com'),
      await user.open(device.verification_uri_complete),
      await user.open(`${ISSUER}/device?user_code=${encodeURIComponent(hostile)}`),
    ];
    const last = pages[2];
    if (last) pages.push(await user.submit(last, '/device', { decision: 'approve' }));
    const idToken = String((await harness.poll(device.device_code)).body['id_token']);
    const { body } = await harness.mint(idToken);
    pages.push(await user.open(String(body['consent_uri'])));
    expect(pages).toHaveLength(6);
    for (const { document, response } of pages) {
      expect(document.querySelectorAll('script, img, [onerror], [style]')).toEqual([]);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('have a label for each field, a title and a heading', async () => {
    const harness = await Harness.start();
    const user = harness.newUser();
    for (const path of ['/login', '/']) {
      const { document } = await user.open(ISSUER + path);
      expect(document.querySelector('title')?.text).toContain('Example Provider');
      expect(document.querySelectorAll('h1')).toHaveLength(1);
      for (const input of document.querySelectorAll('input:not([type=hidden])')) {
        expect(document.querySelector(`label[for=${input.id}]`)).not.toBeNull();
      }
    }
  });
});
