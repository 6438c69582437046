import { AgentError } from '../../../agent/agent-error.ts';
import { MINUTE } from '../../../protocol/durations.ts';
import { approveClaim, openClaimPage, tryCode } from '../../../user/user-steps.ts';
import type { DemoHarness } from '../harness.ts';
import { codeToType, expectStatus } from './expected.ts';

const ALICE = 'alice@example.com';
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
  await refusedForScope(() => agent.call(RESOURCE, { method: 'POST' }));

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

async function refusedForScope(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (error instanceof AgentError && error.code === 'insufficient_scope') return;
    throw error;
  }
  throw new Error('The demo expected the call to be refused.');
}
