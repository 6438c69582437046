import type { Agent } from '../../agent/agent.ts';
import { expectStatus } from './expect-status.ts';
import type { DemoHarness } from './harness.ts';
import type { ScriptedUser } from './scripted-user.ts';
import { approveClaim, approveConsent, approveSignIn } from './user-steps.ts';

const DANA = 'dana@example.com';
const ALICE = 'alice@example.com';

/** The provider vouches for a user whom the service has not met. */
export async function actIdentityAssertion(stage: DemoHarness): Promise<void> {
  const agent = stage.act(
    'Identity assertion',
    'The user signs in at a provider, which vouches for the user at the service.',
  );
  const dana = stage.newUser();
  await signIn(stage, agent, dana, DANA);

  stage.tell('The provider names its user to no service without being told to:');
  const register = () =>
    agent.register({
      service: stage.service,
      type: 'identity_assertion',
      provider: stage.provider,
    });
  const asked = expectStatus(await register(), 'consent_required');
  await approveConsent(dana, asked.consentUri, DANA);
  stage.tell(
    'Dana agreed. The agent mints an ID-JAG for this service alone and registers with it.',
  );
  expectStatus(await register(), 'registered');
  await agent.call('/api/resource', { method: 'POST' });
  await stage.end();
}

/** The provider vouches for an address that has an account already: its user has to confirm. */
export async function actExistingAccount(stage: DemoHarness): Promise<void> {
  const agent = stage.act(
    'Identity assertion, account exists',
    'Alice has an account from the first act: an assertion alone does not open it.',
  );
  const alice = stage.newUser();
  await signIn(stage, agent, alice, ALICE);
  const register = () =>
    agent.register({
      service: stage.service,
      type: 'identity_assertion',
      provider: stage.provider,
    });
  const asked = expectStatus(await register(), 'consent_required');
  await approveConsent(alice, asked.consentUri, ALICE);
  const waiting = expectStatus(await register(), 'claim_pending');
  stage.show(waiting.ceremony);
  stage.meanwhile(async () => {
    stage.tell('Alice confirms the link at the service.');
    await approveClaim(alice, waiting.ceremony, ALICE);
  });
  expectStatus(await agent.waitForClaim(), 'claimed');
  await agent.call('/api/resource');
  await stage.end();
}

async function signIn(
  stage: DemoHarness,
  agent: Agent,
  user: ScriptedUser,
  email: string,
): Promise<void> {
  const login = await agent.providerLogin({ provider: stage.provider });
  const { verificationUri, userCode } = login.ceremony;
  stage.show(login.ceremony);
  stage.meanwhile(() => approveSignIn(user, verificationUri, userCode.reveal(), email));
  expectStatus(await login.wait(), 'signed_in');
}
