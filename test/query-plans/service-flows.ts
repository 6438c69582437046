import { expect } from 'vitest';
import type { Database } from '../../src/mock/index.ts';
import type { MockServiceOptions } from '../../src/mock-service/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/protocol/index.ts';
import { SeededRandom } from '../../src/runtime/index.ts';
import { RAW_FLOWS } from '../contract/flows.ts';
import {
  ALICE,
  bodyOf,
  byEmail,
  claimed,
  codeOn,
  confirm,
  redeem,
  refresh,
} from '../mock-service/dialects/nested-harness.ts';
import { BASE, Harness } from '../mock-service/harness.ts';

const KNOWN = 'known@example.com';

/** Everything that can be asked of the mock service on one store, in each dialect, and of its controls. */
export async function useService(db: Database): Promise<void> {
  let seed = 0;
  const start = (options: Partial<MockServiceOptions> = {}) => {
    seed += 1;
    const users = [{ email: KNOWN, phone: '+15550100' }];
    return Harness.start({ db, users, random: new SeededRandom(seed), ...options });
  };
  await useFlat(await start({ rateLimit: true }));
  await useNested(await start({ dialect: 'nested' }));
  await useFirst(await start({ dialect: 'first', linkExisting: 'ask' }));
  await useControls(await start());
}

async function useFlat(h: Harness): Promise<void> {
  for (const flow of Object.values(RAW_FLOWS)) {
    await flow({ fetch: h.service.fetch, clock: h.clock, provider: h.provider });
    h.clock.advance(HOUR);
  }
  const tokens = await h.collect((await h.claimedAnonymous(ALICE))['claim_token']);
  const user = h.user();
  const page = await user.openSignedIn(`${BASE}/connections`, ALICE);
  await user.submit(page, '/connections', { registration_id: registrationOf(tokens) });
  await user.submit(await user.open(`${BASE}/connections`), '/logout', {});
  await useIdJags(h);
  // Until what was stored has expired, and is removed with the next change.
  h.clock.advance(40 * DAY);
  await h.register({ type: 'anonymous' });
}

/** By email and by phone, provisioned, reviewed, confirmed anew, and revoked. */
async function useIdJags(h: Harness): Promise<void> {
  const register = async (claims: Record<string, unknown>) =>
    h.register({ type: 'identity_assertion', assertion: await h.provider.idJag(claims) });
  const notify = async (sub: string, toe = h.provider.now) =>
    h.send('POST', '/agent/event/notify', {
      body: await h.provider.event({ sub, toe }),
      headers: { 'content-type': 'application/secevent+jwt' },
    });
  const newcomer = { sub: 'newcomer', email: 'newcomer@example.com' };
  const { body } = await register(newcomer);
  await h.exchange(body['identity_assertion']);
  const user = h.user();
  const review = await user.openSignedIn(`${BASE}/connections`, newcomer.email);
  await user.submit(review, '/connections/review', { decision: 'keep' });
  const revokedAt = h.provider.now;
  h.clock.advance(MINUTE);
  await register(newcomer);
  // Of the two ID-JAGs, the older one's credentials end.
  await notify('newcomer', revokedAt);
  const byPhone = { email: undefined, email_verified: undefined, phone_number: '+15550100' };
  await register({ sub: 'phone', ...byPhone, phone_number_verified: true });
  // Its link is asked for twice: the second time, the confirmation is kept.
  const asked = await register({ sub: 'asked', email: KNOWN });
  await register({ sub: 'asked', email: KNOWN });
  await h.startClaim(asked.body['claim_token'], KNOWN);
  // Meanwhile it names somebody new: it is provisioned, and the confirmation ends.
  await register({ sub: 'asked', email: 'another@example.com' });
  // Gone without having signed in: its user goes, too.
  await register({ sub: 'orphan', email: 'orphan@example.com' });
  await notify('orphan');
}

async function useNested(h: Harness): Promise<void> {
  const { refresh_token: token } = await claimed(h);
  const next = bodyOf(await refresh(h, token.value)).identity.refresh_token.value;
  await refresh(h, next);
  await refresh(h, token.value);
  const { attempt, token: claimToken } = await byEmail(h);
  const code = codeOn(await confirm(h.user(), attempt));
  await redeem(h, claimToken, code === '000000' ? '111111' : '000000');
  await redeem(h, claimToken, code);
  await redeem(h, claimToken, code);
}

async function useFirst(h: Harness): Promise<void> {
  const { body } = await h.register({ type: 'anonymous', requested_credential_type: 'api_key' });
  await h.call(body['credential']);
  await h.startClaim(body['claim_token'], ALICE);
  const [mail] = await h.service.controls.mails({ to: ALICE });
  await h.post('/agent/identity/claim/complete', {
    claim_token: body['claim_token'],
    otp: mail?.userCode,
  });
  await h.service.controls.mails();
  await h.user().openSignedIn(`${BASE}/mails`, ALICE);
}

async function useControls(h: Harness): Promise<void> {
  const { controls } = h.service;
  const pending = async () => {
    const { body } = await h.register({ type: 'service_auth', login_hint: ALICE });
    return String(body['registration_id']);
  };
  await controls.state();
  await controls.complete(await pending(), ALICE);
  await controls.deny(await pending());
  await controls.registrations();
  await controls.trust({ issuer: 'https://other-provider.test' });
  await controls.setFaults(['unavailable']);
  await controls.setFaults([]);
  await controls.rotateKeys(MINUTE);
  await controls.rotateKeys();
  await controls.moveClock({ advance: HOUR });
  await controls.audit();
  const added = { service_id: 70, service_name: 'orders', service_url: '/v1/orders' };
  const methods = [{ method_id: 71, method_url: '/list.{format}' }];
  await controls.addDirectoryService({ ...added, methods });
  await controls.setDirectoryService(70, { service_name: 'basket' });
  await controls.setDirectoryService('basket', { service_name: 'orders' });
  await controls.removeDirectoryService('orders');
  await expect(controls.removeDirectoryService('orders')).rejects.toThrow();
  await controls.directory();
  await controls.reset();
}

function registrationOf(tokens: Record<string, unknown>): string {
  const [, claims = ''] = String(tokens['identity_assertion']).split('.');
  return String(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub);
}
