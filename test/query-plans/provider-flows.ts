import type { Database } from '../../src/mock/index.ts';
import { DAY, MINUTE } from '../../src/protocol/index.ts';
import { SeededRandom } from '../../src/runtime/index.ts';
import { Harness, ISSUER } from '../mock-provider/harness.ts';
import { Receiver, refusedConnection } from '../mock-provider/outbox/support.ts';
import { until } from '../support/until.ts';

const ALICE = 'alice@example.com';
const OTHER = 'https://other.test';

/** Everything that can be asked of the mock provider, and of its controls. */
export async function useProvider(db: Database): Promise<void> {
  const receiver = new Receiver();
  const harness = await Harness.start({
    db,
    fetch: receiver.fetch,
    users: [{ email: 'known@example.com' }],
  });
  const { controls, outbox } = harness.provider;
  await harness.decideDevice(await harness.device(), 'bob@example.com', 'deny');
  await typeWrongCode(harness);
  await harness.poll((await harness.device()).device_code);
  const device = await harness.device({ audience: 'https://third.test' });
  await harness.decideDevice(device, ALICE, 'approve');
  const { body } = await harness.poll(device.device_code);
  await harness.poll(device.device_code);
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  await harness.send('GET', '/oauth2/userinfo', { headers });

  const idToken = await harness.consented();
  const asked = await harness.mint(idToken, { audience: OTHER });
  await harness.mint(idToken, { audience: OTHER });
  await harness.decideConsent(asked, ALICE, 'deny');
  await harness.mint(idToken, { audience: OTHER });

  receiver.onEvent = refusedConnection;
  await harness.revoke(idToken);
  await harness.revoke(idToken);
  const user = harness.newUser();
  await user.openSignedIn(`${ISSUER}/consents`, ALICE);
  harness.clock.advance(MINUTE);
  receiver.onEvent = () => new Response(null, { status: 400 });
  const [entry] = await outbox.deliverDue();
  await outbox.sendAgain(entry?.id ?? '');
  await outbox.list();

  await controls.rotateKeys(MINUTE);
  await controls.rotateKeys();
  await controls.moveClock({ advance: 40 * DAY });
  // What has expired is removed with what is stored next.
  await harness.mintWithConsent(await harness.signIn(), { audience: OTHER });
  await controls.audit();
  await controls.reset();
  await approveEverything(db, receiver);
}

/** What was withdrawn is not approved; and the provider ends while it tells of it. */
async function approveEverything(db: Database, receiver: Receiver): Promise<void> {
  const random = new SeededRandom(2);
  const { fetch } = receiver;
  const harness = await Harness.start({ autoApprove: ALICE, db, fetch, random });
  const { body } = await harness.poll((await harness.device()).device_code);
  const idToken = String(body['id_token']);
  await harness.mint(idToken);
  const sent = receiver.events.length;
  receiver.onEvent = () => new Promise(() => {});
  const revoking = harness.revoke(idToken);
  await until(() => receiver.events.length > sent);
  await harness.provider.close();
  await revoking;
  await harness.mint(idToken);
}

async function typeWrongCode(harness: Harness): Promise<void> {
  const { user_code: code, verification_uri: url } = await harness.device();
  const user = harness.newUser();
  const form = await user.openSignedIn(url, ALICE);
  const wrong = code.startsWith('B') ? `C${code.slice(1)}` : `B${code.slice(1)}`;
  await user.submit(form, '/device', { user_code: wrong });
  await user.submit(form, '/device', { user_code: wrong });
}
