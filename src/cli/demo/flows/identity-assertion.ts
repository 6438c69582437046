import type { Agent } from '../../../agent/agent.ts';
import type { ScriptedUser } from '../../../user/scripted-user.ts';
import { approveClaim, approveConsent, approveSignIn } from '../../../user/user-steps.ts';
import type { DemoHarness } from '../harness.ts';
import { codeToType, expectStatus } from './expected.ts';

const DANA = 'dana@example.com';
const ALICE = 'alice@example.com';

/** The provider identifies a user who is new to the service. */
export async function runIdentityAssertion(harness: DemoHarness): Promise<void> {
  const agent = harness.startFlow(
    'Identity assertion',
    'The user signs in at a provider, which identifies them to the service.',
  );
  const dana = harness.newUser();
  await signIn(harness, agent, dana, DANA);

  harness.say('The provider shares the user’s identity with a service only after consent:');
  const register = () =>
    agent.register({
      service: harness.service,
      type: 'identity_assertion',
      provider: harness.provider,
    });
  const asked = expectStatus(await register(), 'consent_required');
  await approveConsent(dana, asked.consentUri, DANA);
  harness.say(
    'Dana consented. The agent mints an ID-JAG for this service only and registers with it.',
  );
  expectStatus(await register(), 'registered');
  await agent.call('/api/resource', { method: 'POST' });
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
  const register = () =>
    agent.register({
      service: harness.service,
      type: 'identity_assertion',
      provider: harness.provider,
    });
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
  await agent.call('/api/resource');
  await harness.endFlow();
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
