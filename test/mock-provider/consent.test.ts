import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/protocol/index.ts';
import { type Answer, Harness, ISSUER, SERVICE } from './harness.ts';

const error = ({ status, body }: Answer) => [status, body['error']];

describe('consent', () => {
  it('is asked for before the first ID-JAG for an audience, on a page (IDJ-16)', async () => {
    const harness = await Harness.start();
    const answer = await harness.mint(await harness.signIn());
    expect(error(answer)).toEqual([400, 'consent_required']);
    expect(answer.body['consent_uri']).toMatch(
      new RegExp(`^${ISSUER}/consent\\?request=csr_[\\w-]{27}$`),
    );
  });

  it('shows audience, scopes, agent, and what is told about the user', async () => {
    const harness = await Harness.start({
      audiences: [{ issuer: SERVICE, name: 'Example Shop', scopes: ['api.read', 'api.write'] }],
      users: [{ email: 'alice@example.com', name: 'Alice A', phone: '+15551234567' }],
      clientName: 'Helper',
      name: 'Example ID',
    });
    const resource = `${SERVICE}/api/resource`;
    const answer = await harness.mint(await harness.signIn(), { resource });
    const page = await harness
      .newUser()
      .openSignedIn(String(answer.body['consent_uri']), 'alice@example.com');
    for (const words of [
      'Example Shop',
      SERVICE,
      'api.read',
      'api.write',
      'Helper',
      'Example ID',
      'alice@example.com',
      'Alice A',
      '+15551234567',
      resource,
    ]) {
      expect(page.text).toContain(words);
    }
  });

  it('holds for its audience and its user alone', async () => {
    const harness = await Harness.start();
    const alice = await harness.signIn();
    expect((await harness.mintWithConsent(alice)).status).toBe(200);
    const other = await harness.mint(alice, { audience: 'https://other.test' });
    expect(error(other)).toEqual([400, 'consent_required']);
    const bob = await harness.signIn('bob@example.com');
    expect(error(await harness.mint(bob))).toEqual([400, 'consent_required']);
  });

  it('keeps one page while the agent asks again and again', async () => {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    const first = await harness.mint(idToken);
    harness.clock.advance(5000);
    const second = await harness.mint(idToken);
    expect(second.body['consent_uri']).toBe(first.body['consent_uri']);
  });

  it('is never given to something other than the page showed (A-52)', async () => {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    const little = await harness.mint(idToken, { scope: 'api.read' });
    const user = harness.newUser();
    const page = await user.openSignedIn(String(little.body['consent_uri']), 'alice@example.com');
    const much = await harness.mint(idToken, { scope: 'api.read api.write' });
    expect(much.body['consent_uri']).not.toBe(little.body['consent_uri']);
    const done = await user.submit(page, '/consent', { decision: 'approve' });
    expect(done.response.status).toBe(404);
    expect(error(await harness.mint(idToken, { scope: 'api.read' }))).toEqual([
      400,
      'consent_required',
    ]);
  });

  it('that is refused is told once; then the user may be asked again', async () => {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    const asked = await harness.mint(idToken);
    const page = await harness.decideConsent(asked, 'alice@example.com', 'deny');
    expect(page.text).toContain('Consent denied');
    expect(error(await harness.mint(idToken))).toEqual([400, 'access_denied']);
    const again = await harness.mint(idToken);
    expect(error(again)).toEqual([400, 'consent_required']);
    await harness.decideConsent(again);
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it('takes the same answer again and no other one', async () => {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    const user = harness.newUser();
    const uri = String((await harness.mint(idToken)).body['consent_uri']);
    const page = await user.openSignedIn(uri, 'alice@example.com');
    const submit = async (decision: string) =>
      (await user.submit(page, '/consent', { decision })).response.status;
    expect(await submit('approve')).toBe(200);
    expect(await submit('approve')).toBe(200);
    expect(await submit('deny')).toBe(404);
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it('waits for an hour', async () => {
    const harness = await Harness.start();
    const answer = await harness.mint(await harness.signIn());
    harness.clock.advance(HOUR);
    const user = harness.newUser();
    const page = await user.openSignedIn(String(answer.body['consent_uri']), 'alice@example.com');
    expect(page.response.status).toBe(404);
  });

  it.each([
    '',
    '?request=',
    '?request=csr_unknown',
    '?request[]=x',
    "?request=' OR 1=1 --",
    '?request=%00',
  ])('has no page at /consent%s', async (query) => {
    const harness = await Harness.start();
    const page = await harness
      .newUser()
      .openSignedIn(`${ISSUER}/consent${query}`, 'alice@example.com');
    expect([400, 404]).toContain(page.response.status);
    expect(page.response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('a consent cannot be taken (A-52)', () => {
  async function asked() {
    const harness = await Harness.start();
    const idToken = await harness.signIn();
    const answer = await harness.mint(idToken);
    const uri = new URL(String(answer.body['consent_uri']));
    return { harness, idToken, uri, request: uri.searchParams.get('request') ?? '' };
  }

  it('by another account, which does not even learn whose it is', async () => {
    const { harness, idToken, uri, request } = await asked();
    const mallory = harness.newUser();
    const page = await mallory.openSignedIn(uri.href, 'mallory@example.com');
    expect(page.response.status).toBe(403);
    expect(page.text).toContain('a•••@example.com');
    expect(page.text).not.toContain('alice@example.com');
    const csrf_token =
      page.document.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? '';
    const body = new URLSearchParams({ csrf_token, request, decision: 'approve' });
    const response = await mallory.request(`${ISSUER}/consent`, {
      method: 'POST',
      body,
      headers: { origin: ISSUER },
    });
    expect(response.status).toBe(403);
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
  });

  it('after signing out of another account, by its own', async () => {
    const { harness, idToken, uri } = await asked();
    const user = harness.newUser();
    const wrong = await user.openSignedIn(uri.href, 'mallory@example.com');
    const login = await user.submit(wrong, '/logout', {});
    const question = await user.submit(login, '/login', { email: 'alice@example.com' });
    expect(question.url).toBe(uri.href);
    await user.submit(question, '/consent', { decision: 'approve' });
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it.each<[string, (token: string) => Record<string, string>, Record<string, string>, number]>([
    ['with GET', (csrf_token) => ({ csrf_token, decision: 'approve' }), { method: 'GET' }, 200],
    ['without the CSRF token', () => ({ decision: 'approve' }), { origin: ISSUER }, 403],
    [
      'with a made-up CSRF token',
      () => ({ csrf_token: 'x'.repeat(27), decision: 'approve' }),
      { origin: ISSUER },
      403,
    ],
    [
      'from another site',
      (csrf_token) => ({ csrf_token, decision: 'approve' }),
      { origin: 'https://evil.example' },
      403,
    ],
    ['from nowhere', (csrf_token) => ({ csrf_token, decision: 'approve' }), {}, 403],
    ['without a decision', (csrf_token) => ({ csrf_token }), { origin: ISSUER }, 400],
    [
      'with an odd decision',
      (csrf_token) => ({ csrf_token, decision: 'APPROVE' }),
      { origin: ISSUER },
      400,
    ],
  ])('%s', async (_what, fields, { method = 'POST', ...headers }, status) => {
    const { harness, idToken, uri, request } = await asked();
    const user = harness.newUser();
    const page = await user.openSignedIn(uri.href, 'alice@example.com');
    const token =
      page.document.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? '';
    const body = new URLSearchParams({ ...fields(token), request });
    const response =
      method === 'GET'
        ? await user.request(`${ISSUER}/consent?${body}`)
        : await user.request(`${ISSUER}/consent`, { method, body, headers });
    expect(response.status).toBe(status);
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
  });

  it('without being signed in', async () => {
    const { harness, idToken, request } = await asked();
    const body = new URLSearchParams({ request, decision: 'approve' });
    const response = await harness.newUser().request(`${ISSUER}/consent`, {
      method: 'POST',
      body,
      headers: { origin: ISSUER },
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/login\?return_to=%2Fconsent/);
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
  });
});
