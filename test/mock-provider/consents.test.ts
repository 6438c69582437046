import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/protocol/index.ts';
import type { Page, TestUser } from '../support/test-user.ts';
import { until } from '../support/until.ts';
import { Harness, ISSUER, SERVICE } from './harness.ts';
import { Receiver, refusedConnection } from './outbox/support.ts';

const PAGE = `${ISSUER}/consents`;
const ALICE = 'alice@example.com';

let receiver: Receiver;
let harness: Harness;
let alice: TestUser;
beforeEach(async () => {
  receiver = new Receiver();
  harness = await Harness.start({
    fetch: receiver.fetch,
    audiences: [
      { issuer: SERVICE, name: 'Example Shop', scopes: ['api.read', 'api.write'] },
      'https://other.test',
    ],
  });
  alice = harness.newUser();
});

const show = (): Promise<Page> => alice.openSignedIn(PAGE, ALICE);
const press = (page: Page, action: string) => alice.submit(page, '/consents', { action });
/** Presses the only button of the page. */
async function revoke(): Promise<Page> {
  return press(await show(), 'revoke');
}

describe('the consents of a user', () => {
  it('are listed with name, URL, scopes and since when', async () => {
    await harness.consented();
    const page = await show();
    expect(page.response.status).toBe(200);
    for (const words of [
      'Example Shop',
      SERVICE,
      'api.read',
      'api.write',
      '2026-01-01 00:00 UTC',
    ]) {
      expect(page.text).toContain(words);
    }
  });

  it('are found from the first page', async () => {
    const home = await alice.open(`${ISSUER}/`);
    expect(home.document.querySelector('a[href="/consents"]')?.text).toContain(
      'See which services',
    );
  });

  it('are nobody else’s: the list asks who it is, and shows one’s own', async () => {
    await harness.consented();
    const stranger = harness.newUser();
    const asked = await stranger.open(PAGE);
    expect(asked.url).toBe(`${ISSUER}/login?return_to=%2Fconsents`);
    const page = await stranger.submit(asked, '/login', { email: 'mallory@example.com' });
    expect(page.text).toContain('You have not agreed to any service.');
    expect(page.text).not.toContain(SERVICE);
  });
});

describe('revoking one on the page', () => {
  it('ends it, tells the service, and says so', async () => {
    const idToken = await harness.consented();
    const page = await revoke();
    expect([page.url, page.response.status]).toEqual([PAGE, 200]);
    expect(page.text).toContain('You have not agreed to any service.');
    expect(page.text).toContain('Yes, the service has been notified.');
    expect(receiver.events).toHaveLength(1);
    expect((await harness.mint(idToken)).body['error']).toBe('consent_required');
    expect(page.document.querySelector('button[value=send_again]')).toBeNull();
  });

  it('leaves the other ones', async () => {
    const idToken = await harness.consented();
    await harness.mintWithConsent(idToken, { audience: 'https://other.test' });
    const page = await show();
    const [first] = page.document.querySelectorAll('button[value=revoke]');
    expect(page.document.querySelectorAll('section')).toHaveLength(2);
    expect(first).toBeDefined();
    const left = await press(page, 'revoke');
    expect(left.document.querySelectorAll('button[value=revoke]')).toHaveLength(1);
  });

  it('twice is revoking once', async () => {
    await harness.consented();
    const page = await show();
    await press(page, 'revoke');
    expect((await press(page, 'revoke')).response.status).toBe(200);
    expect(receiver.events).toHaveLength(1);
  });

  it('shows that the service is not told yet, and tells it at a click', async () => {
    receiver.onMetadata = refusedConnection;
    await harness.consented();
    const page = await revoke();
    expect(page.text).toContain('Not yet. One attempt failed.');
    expect(page.text).toContain('Its server refused the connection.');
    receiver.onMetadata = new Receiver().onMetadata;
    expect((await press(page, 'send_again')).text).toContain('Yes, the service has been notified.');
  });

  it('says that the service is being told, with no time and no button for the next try', async () => {
    receiver.onEvent = () => new Promise(() => {});
    const idToken = await harness.consented();
    harness.revoke(idToken);
    await until(() => receiver.events.length === 1);
    const page = await show();
    expect(page.text).toContain('It is being notified now.');
    expect(page.text).not.toContain('The next attempt is in');
    expect(page.document.querySelector('button[value=send_again]')).toBeNull();
    // Its sender was killed: now it is due.
    harness.clock.advance(MINUTE);
    expect((await show()).document.querySelector('button[value=send_again]')).not.toBeNull();
  });

  it('shows what the service answered, as text (A-30, A-31)', async () => {
    const description = '<img src=x onerror=alert(1)>\u202e';
    receiver.onEvent = () =>
      new Response(JSON.stringify({ err: 'access_denied', description }), { status: 400 });
    await harness.consented();
    const page = await revoke();
    expect(page.text).toContain('No. It is not retried automatically.');
    expect(page.text).toContain('It answered 400, access_denied');
    expect(page.document.querySelectorAll('img, script, [onerror]')).toEqual([]);
    expect(page.document.outerHTML).not.toContain('\u202e');
  });

  it('says that a service accepts no such events', async () => {
    receiver.onMetadata = () => new Response(JSON.stringify({ issuer: SERVICE }));
    await harness.consented();
    expect((await revoke()).text).toContain('This service accepts no such events');
  });
});

describe('a consent cannot be revoked', () => {
  async function form() {
    const idToken = await harness.consented();
    const page = await show();
    const csrf_token =
      page.document.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? '';
    const post = async (fields: Record<string, string>, headers: Record<string, string>) => {
      const body = new URLSearchParams({ action: 'revoke', audience: SERVICE, ...fields });
      return alice.request(PAGE, { method: 'POST', body, headers });
    };
    return { idToken, csrf_token, post };
  }

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the CSRF token', { csrf_token: '' }, { origin: ISSUER }],
    ['with a made-up CSRF token', { csrf_token: 'x'.repeat(27) }, { origin: ISSUER }],
    ['from another site', {}, { origin: 'https://evil.example' }],
    ['from nowhere', {}, {}],
  ])('%s (A-13)', async (_what, fields, headers) => {
    const { idToken, csrf_token, post } = await form();
    expect((await post({ csrf_token, ...fields }, headers)).status).toBe(403);
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['without saying what to do', { action: '' }],
    ['with an odd action', { action: 'REVOKE' }],
    ['without naming which', { audience: '' }],
    ['without naming which event to send', { action: 'send_again' }],
  ])('%s', async (_what, fields) => {
    const { idToken, csrf_token, post } = await form();
    expect((await post({ csrf_token, ...fields }, { origin: ISSUER })).status).toBe(400);
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it('by another user, nor can its event be sent again', async () => {
    const { idToken } = await form();
    const mallory = harness.newUser();
    const home = await mallory.openSignedIn(`${ISSUER}/device`, 'mallory@example.com');
    const csrf_token =
      home.document.querySelector('input[name=csrf_token]')?.getAttribute('value') ?? '';
    const post = (fields: Record<string, string>) =>
      mallory.request(PAGE, {
        method: 'POST',
        body: new URLSearchParams({ csrf_token, ...fields }),
        headers: { origin: ISSUER },
      });
    await post({ action: 'revoke', audience: SERVICE });
    expect((await harness.mint(idToken)).status).toBe(200);

    receiver.onEvent = () => new Response(null, { status: 400 });
    await harness.revoke(idToken);
    const [entry] = await harness.provider.outbox.list();
    expect((await post({ action: 'send_again', event: entry?.id ?? '' })).status).toBe(404);
    expect(receiver.events).toHaveLength(1);
  });

  it('without being signed in', async () => {
    const { idToken } = await form();
    const response = await harness.newUser().request(PAGE, {
      method: 'POST',
      body: new URLSearchParams({ action: 'revoke', audience: SERVICE }),
      headers: { origin: ISSUER },
    });
    expect(response.headers.get('location')).toBe('/login?return_to=%2Fconsents');
    expect((await harness.mint(idToken)).status).toBe(200);
  });
});
