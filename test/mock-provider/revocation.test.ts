import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/mock/store/open-database.ts';
import { type Answer, Harness, ISSUER, open, SERVICE } from './harness.ts';
import { Receiver, refusedConnection } from './outbox/support.ts';

const error = ({ status, body }: Answer) => [status, body['error']];

async function started() {
  const receiver = new Receiver();
  const harness = await Harness.start({ fetch: receiver.fetch });
  return { receiver, harness };
}

describe('revoking a consent as an agent', () => {
  it('ends it at once: the next ID-JAG needs a new one', async () => {
    const { harness } = await started();
    const idToken = await harness.consented();
    const answer = await harness.revoke(idToken);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.body).toEqual({ audience: SERVICE, revoked: true, event: 'delivered' });
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
    await harness.decideConsent(await harness.mint(idToken));
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it('also when nobody can be told of it', async () => {
    const { harness, receiver } = await started();
    receiver.onMetadata = refusedConnection;
    const idToken = await harness.consented();
    expect((await harness.revoke(idToken)).body).toEqual({
      audience: SERVICE,
      revoked: true,
      event: 'pending',
      event_problem: { code: 'network_refused' },
    });
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
  });

  it('takes the question about more with it: its page is of no use any more', async () => {
    const { harness } = await started();
    const idToken = await harness.signIn();
    await harness.mintWithConsent(idToken, { scope: 'api.read' });
    const more = await harness.mint(idToken, { scope: 'api.read api.write' });
    await harness.revoke(idToken);
    const page = await harness
      .newUser()
      .openSignedIn(String(more.body['consent_uri']), 'alice@example.com');
    expect(page.response.status).toBe(404);
    expect(error(await harness.mint(idToken))).toEqual([400, 'consent_required']);
  });

  it('touches no other audience and no other user', async () => {
    const { harness } = await started();
    const alice = await harness.consented();
    const bob = await harness.consented('bob@example.com');
    await harness.mintWithConsent(alice, { audience: 'https://other.test' });
    await harness.revoke(alice);
    expect((await harness.mint(alice, { audience: 'https://other.test' })).status).toBe(200);
    expect((await harness.mint(bob)).status).toBe(200);
  });

  it('says when there is none, and how the last event about it stands', async () => {
    const { harness, receiver } = await started();
    const idToken = await harness.signIn();
    const none = { audience: SERVICE, revoked: false, event: 'none' };
    expect((await harness.revoke(idToken)).body).toEqual(none);
    expect(receiver.requests).toEqual([]);
    await harness.mintWithConsent(idToken);
    await harness.revoke(idToken);
    expect((await harness.revoke(idToken)).body).toEqual({ ...none, event: 'delivered' });
    expect(receiver.events).toHaveLength(1);
  });

  it('sends what was parked once more when it is asked again, as the agent’s doing', async () => {
    const { harness, receiver } = await started();
    const idToken = await harness.consented();
    receiver.onEvent = () => new Response(null, { status: 400 });
    expect((await harness.revoke(idToken)).body).toMatchObject({ event: 'parked' });
    expect((await harness.revoke(idToken)).body).toMatchObject({ revoked: false, event: 'parked' });
    receiver.onEvent = () => new Response(null, { status: 202 });
    const again = { audience: SERVICE, revoked: false, event: 'delivered' };
    expect((await harness.revoke(idToken)).body).toEqual(again);
    expect((await harness.revoke(idToken)).body).toEqual(again);
    expect(new Set(receiver.events.map((event) => open(event).claims.jti)).size).toBe(1);
    expect(receiver.events).toHaveLength(3);
    const trail = await harness.provider.controls.audit();
    expect(trail.filter(({ action }) => action === 'event.requeued')).toMatchObject([
      { actor: 'agent' },
      { actor: 'agent' },
    ]);
  });

  it('works for an audience that is no longer configured', async () => {
    const db = await openDatabase();
    const receiver = new Receiver();
    const before = await Harness.start({ db, fetch: receiver.fetch });
    const idToken = await before.consented();
    const after = await Harness.start({ db, fetch: receiver.fetch, audiences: [] });
    expect((await after.revoke(idToken)).body).toMatchObject({ revoked: true, event: 'delivered' });
  });

  it('needs no fresh sign-in, but one that has not ended', async () => {
    const { harness } = await started();
    const idToken = await harness.consented();
    harness.clock.advance(11 * 3_600_000);
    expect((await harness.revoke(idToken)).status).toBe(200);
    harness.clock.advance(3_600_000);
    expect(error(await harness.revoke(idToken))).toEqual([400, 'invalid_grant']);
  });

  it.each<[string, Record<string, string | undefined>, number, string]>([
    ['no client', { client_id: undefined }, 400, 'invalid_request'],
    ['another client', { client_id: 'other' }, 401, 'invalid_client'],
    ['a client secret', { client_secret: 'x' }, 401, 'invalid_client'],
    ['no audience', { audience: undefined }, 400, 'invalid_request'],
    ['no token', { subject_token: undefined }, 400, 'invalid_request'],
    ['no token type', { subject_token_type: undefined }, 400, 'invalid_request'],
    ['another token type', { subject_token_type: 'urn:x' }, 400, 'invalid_request'],
    ['a token that is none', { subject_token: 'x.y.z' }, 400, 'invalid_grant'],
  ])('refuses %s, and revokes nothing', async (_what, fields, status, code) => {
    const { harness } = await started();
    const idToken = await harness.consented();
    expect(error(await harness.revoke(idToken, fields))).toEqual([status, code]);
    expect((await harness.mint(idToken)).status).toBe(200);
  });

  it('refuses an ID-JAG in place of the ID token', async () => {
    const { harness } = await started();
    const idToken = await harness.consented();
    const idJag = String((await harness.mint(idToken)).body['access_token']);
    expect(error(await harness.revoke(idJag))).toEqual([400, 'invalid_grant']);
  });
});

describe('the audit trail', () => {
  it('has every step, who made it, and no whole email of a user (AMD-11)', async () => {
    const { harness, receiver } = await started();
    const idToken = await harness.consented();
    receiver.onEvent = () => new Response(null, { status: 400 });
    await harness.revoke(idToken);
    const [entry] = await harness.provider.outbox.list();
    receiver.onEvent = () => new Response(null, { status: 202 });
    await harness.provider.outbox.sendAgain(entry?.id ?? '');
    await harness.decideConsent(await harness.mint(idToken), 'alice@example.com', 'deny');
    await harness.decideDevice(await harness.device(), 'bob@example.com', 'deny');

    const trail = await harness.provider.controls.audit();
    expect(trail.map(({ actor, action }) => `${actor}: ${action}`)).toEqual([
      'user a•••@example.com: user.created',
      'user a•••@example.com: sign_in.approved',
      'user a•••@example.com: consent.granted',
      'agent: id_jag.minted',
      'agent: consent.revoked',
      'agent: event.queued',
      `provider ${ISSUER}: event.parked`,
      'control: event.requeued',
      `provider ${ISSUER}: event.delivered`,
      'user a•••@example.com: consent.denied',
      'user b•••@example.com: user.created',
      'user b•••@example.com: sign_in.denied',
    ]);
    const text = JSON.stringify(trail);
    expect(text).toContain(SERVICE);
    for (const secret of ['alice@', 'bob@', idToken, ...receiver.events]) {
      expect(text).not.toContain(secret);
    }
  });
});
