import { AgentError } from '../../agent/agent-error.ts';
import { expectStatus } from './expect-status.ts';
import type { DemoHarness } from './harness.ts';
import { approveClaim, openSignedIn } from './user-steps.ts';

const BOB = 'bob@example.com';

/** Nothing before the user confirms; and the user can end it. */
export async function actServiceAuth(stage: DemoHarness): Promise<void> {
  const agent = stage.act(
    'Service auth',
    'The agent names its user; nothing is gained before the user confirms.',
  );
  const waiting = expectStatus(
    await agent.register({ service: stage.service, type: 'service_auth', loginHint: BOB }),
    'claim_pending',
  );
  stage.show(waiting.ceremony);
  const bob = stage.newUser();
  stage.meanwhile(
    async () => stage.tell('Bob does not hurry.'),
    async () => {
      stage.tell('Bob opens the page, signs in and types the code.');
      await approveClaim(bob, waiting.ceremony, BOB);
    },
  );
  expectStatus(await agent.waitForClaim(), 'claimed');
  await agent.call('/api/resource', { method: 'POST' });

  stage.tell('Later Bob looks at his connections and ends this one.');
  const connections = await openSignedIn(bob, `${stage.service}/connections`, BOB);
  await bob.submit(connections, { registration_id: waiting.registration.id });
  stage.tell(
    'The agent tries its token, then its assertion, and stops: it makes no new identity by itself.',
  );
  await refusedForGood(() => agent.call('/api/resource'));
  await stage.end();
}

async function refusedForGood(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (error instanceof AgentError && error.kind === 'not_registered') return;
    throw error;
  }
  throw new Error('The demo expected the registration to be over.');
}
