import { AgentError } from '../../../agent/agent-error.ts';
import { approveClaim, openSignedIn } from '../../../user/user-steps.ts';
import type { DemoHarness } from '../harness.ts';
import { codeToType, expectStatus } from './expected.ts';

const BOB = 'bob@example.com';

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
  await agent.call('/api/resource', { method: 'POST' });

  harness.say('Later Bob reviews his connections and revokes this one.');
  const connections = await openSignedIn(bob, `${harness.service}/connections`, BOB);
  await bob.submit(connections, { registration_id: waiting.registration.id });
  harness.say(
    'The agent tries its token, then its assertion, and stops: it does not register again by itself.',
  );
  await refusedForGood(() => agent.call('/api/resource'));
  await harness.endFlow();
}

async function refusedForGood(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (error instanceof AgentError && error.kind === 'not_registered') return;
    throw error;
  }
  throw new Error('The demo expected the registration to be revoked.');
}
