import type { Agent } from '../../agent/agent.ts';
import { AgentError } from '../../agent/agent-error.ts';
import type { Ceremony, TypeThereCeremony } from '../../agent/model.ts';
import { MINUTE } from '../../protocol/durations.ts';
import type { ScriptedUser } from '../../user/scripted-user.ts';
import {
  approveClaim,
  approveConsent,
  approveSignIn,
  openClaimPage,
  openSignedIn,
  tryCode,
} from '../../user/user-steps.ts';
import type { DemoHarness } from './harness.ts';

/** @throws Error for any other outcome than the one that the demo shows at this point. */
function expectStatus<T extends { readonly status: string }, S extends T['status']>(
  outcome: T,
  status: S,
): Extract<T, { readonly status: S }> {
  if (outcome.status !== status) {
    throw new Error(`The demo expected "${status}" but got "${outcome.status}".`);
  }
  return outcome as Extract<T, { readonly status: S }>;
}

/** @throws Error unless the call is refused in the way that the demo shows at this point. */
async function expectRefusal(
  call: () => Promise<unknown>,
  isMeant: (error: AgentError) => boolean,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (error instanceof AgentError && isMeant(error)) return;
    throw error;
  }
  throw new Error('The demo expected the call to be refused.');
}

/** A code for the user to type on a page. @throws Error for any other ceremony: the demo's mock has none. */
function codeToType(ceremony: Ceremony): TypeThereCeremony {
  if (ceremony.kind === 'type_there') return ceremony;
  throw new Error('The demo expected a code for the user to type.');
}

const ALICE = 'alice@example.com';
const BOB = 'bob@example.com';
const DANA = 'dana@example.com';
const RESOURCE = '/api/resource';

/** Works at once, is claimed later: with a wrong code, an expired code, and what the claim changes. */
export async function runAnonymous(harness: DemoHarness): Promise<void> {
  const agent = harness.startFlow('Anonymous', 'The agent works at once; a user claims it later.');
  const bareFetch = harness.fetch;
  const probe = (token: string) =>
    bareFetch(harness.service + RESOURCE, { headers: { authorization: `Bearer ${token}` } });

  harness.say('The agent has one URL. The 401 challenge leads it to the rest.');
  const service = await agent.discover({ resource: harness.service + RESOURCE });
  const registered = expectStatus(
    await agent.register({ service, type: 'anonymous' }),
    'registered',
  );
  await agent.call(RESOURCE);
  harness.say('Before the claim it may read but not write:');
  const write = () => agent.call(RESOURCE, { method: 'POST' });
  await expectRefusal(write, ({ code }) => code === 'insufficient_scope');

  harness.say(`${ALICE} is asked to claim it.`);
  const first = codeToType(expectStatus(await agent.startClaim({ email: ALICE }), 'open').ceremony);
  harness.showCeremony(first);
  const alice = harness.newUser();
  const right = first.userCode.reveal();
  harness.betweenPolls(
    async () => {
      harness.say('Alice opens the page, signs in, and mistypes the code.');
      const page = await openClaimPage(alice, first.verificationUri, ALICE);
      await tryCode(alice, page, right === '000000' ? '000001' : '000000');
    },
    async () => {
      harness.say('Then she goes to lunch. Ten minutes pass and the code expires.');
      harness.clock.advance(10 * MINUTE);
    },
  );
  expectStatus(await agent.waitForClaim(), 'attempt_expired');

  harness.say('The registration is still valid. The agent asks for a new code.');
  const second = codeToType(expectStatus(await agent.startClaim({ renew: true }), 'open').ceremony);
  harness.showCeremony(second);
  harness.betweenPolls(async () => {
    harness.say('Alice is back and still signed in.');
    await approveClaim(alice, second, ALICE);
  });
  const claimed = expectStatus(await agent.waitForClaim(), 'claimed');

  harness.say('The claim revoked the token from before it:');
  await probe(registered.token.value.reveal());
  harness.say('The new token may write:');
  await agent.call(RESOURCE, { method: 'POST' });

  harness.say('The agent revokes its token.');
  await agent.revoke();
  await probe(claimed.token.value.reveal());
  harness.say('The assertion is still valid, so the next call exchanges it for a new token.');
  await agent.call(RESOURCE);
  await harness.endFlow();
}

/** The provider identifies a user who is new to the service. */
export async function runIdentityAssertion(harness: DemoHarness): Promise<void> {
  const agent = harness.startFlow(
    'Identity assertion',
    'The user signs in at a provider, which identifies them to the service.',
  );
  const dana = harness.newUser();
  await signIn(harness, agent, dana, DANA);

  harness.say('The provider shares the user’s identity with a service only after consent:');
  const register = () => registerByProvider(harness, agent);
  const asked = expectStatus(await register(), 'consent_required');
  await approveConsent(dana, asked.consentUri, DANA);
  harness.say(
    'Dana consented. The agent mints an ID-JAG for this service only and registers with it.',
  );
  expectStatus(await register(), 'registered');
  await agent.call(RESOURCE, { method: 'POST' });
  await harness.endFlow();
}

/** The provider identifies the user by an email that has an account already: its user has to confirm. */
export async function runExistingAccount(harness: DemoHarness): Promise<void> {
  const agent = harness.startFlow(
    'Identity assertion, account exists',
    'Alice already has an account from the first flow: an assertion alone does not link it.',
  );
  const alice = harness.newUser();
  await signIn(harness, agent, alice, ALICE);
  const register = () => registerByProvider(harness, agent);
  const asked = expectStatus(await register(), 'consent_required');
  await approveConsent(alice, asked.consentUri, ALICE);
  const waiting = expectStatus(await register(), 'claim_pending');
  const ceremony = codeToType(waiting.ceremony);
  harness.showCeremony(ceremony);
  harness.betweenPolls(async () => {
    harness.say('Alice confirms the link at the service.');
    await approveClaim(alice, ceremony, ALICE);
  });
  expectStatus(await agent.waitForClaim(), 'claimed');
  await agent.call(RESOURCE);
  await harness.endFlow();
}

function registerByProvider({ service, provider }: DemoHarness, agent: Agent) {
  return agent.register({ service, type: 'identity_assertion', provider });
}

async function signIn(
  harness: DemoHarness,
  agent: Agent,
  user: ScriptedUser,
  email: string,
): Promise<void> {
  const login = await agent.providerLogin({ provider: harness.provider });
  const { verificationUri, userCode } = login.ceremony;
  harness.showCeremony(login.ceremony);
  harness.betweenPolls(() => approveSignIn(user, verificationUri, userCode.reveal(), email));
  expectStatus(await login.wait(), 'signed_in');
}

/** No access before the user confirms; later the user revokes it. */
export async function runServiceAuth(harness: DemoHarness): Promise<void> {
  const agent = harness.startFlow(
    'Service auth',
    'The agent names its user and gets no access until that user confirms.',
  );
  const waiting = expectStatus(
    await agent.register({ service: harness.service, type: 'service_auth', loginHint: BOB }),
    'claim_pending',
  );
  const ceremony = codeToType(waiting.ceremony);
  harness.showCeremony(ceremony);
  const bob = harness.newUser();
  harness.betweenPolls(
    async () => harness.say('Bob has not answered yet.'),
    async () => {
      harness.say('Bob opens the page, signs in and enters the code.');
      await approveClaim(bob, ceremony, BOB);
    },
  );
  expectStatus(await agent.waitForClaim(), 'claimed');
  await agent.call(RESOURCE, { method: 'POST' });

  harness.say('Later Bob reviews his connections and revokes this one.');
  const connections = await openSignedIn(bob, `${harness.service}/connections`, BOB);
  await bob.submit(connections, { registration_id: waiting.registration.id });
  harness.say(
    'The agent tries its token, then its assertion, and stops: it does not register again by itself.',
  );
  const call = () => agent.call(RESOURCE);
  await expectRefusal(call, ({ kind }) => kind === 'not_registered');
  await harness.endFlow();
}
