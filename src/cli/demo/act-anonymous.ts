import { AgentError } from '../../agent/agent-error.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { expectStatus } from './expect-status.ts';
import type { DemoHarness } from './harness.ts';
import { approveClaim, openClaimPage, tryCode } from './user-steps.ts';

const ALICE = 'alice@example.com';
const RESOURCE = '/api/resource';

/** Works at once, is claimed later: a wrong code, an expired one, and what the claim changes. */
export async function actAnonymous(stage: DemoHarness): Promise<void> {
  const agent = stage.act('Anonymous', 'The agent works at once; a user takes it over later.');
  const bareFetch = stage.fetchFor('agent');
  const probe = (token: string) =>
    bareFetch(stage.service + RESOURCE, { headers: { authorization: `Bearer ${token}` } });

  stage.tell('The agent knows one address. The refusal tells it the rest.');
  const service = await agent.discover({ resource: stage.service + RESOURCE });
  const registered = expectStatus(
    await agent.register({ service, type: 'anonymous' }),
    'registered',
  );
  await agent.call(RESOURCE);
  stage.tell('Reading is allowed before a claim. Writing is not:');
  await refusedForScope(() => agent.call(RESOURCE, { method: 'POST' }));

  stage.tell(`${ALICE} is to take it over.`);
  const first = expectStatus(await agent.startClaim({ email: ALICE }), 'open');
  stage.show(first.ceremony);
  const alice = stage.newUser();
  const right = first.ceremony.userCode.reveal();
  stage.meanwhile(
    async () => {
      stage.tell('Alice opens the page, signs in, and mistypes the code.');
      const page = await openClaimPage(alice, first.ceremony.verificationUri, ALICE);
      await tryCode(alice, page, right === '000000' ? '000001' : '000000');
    },
    async () => {
      stage.tell('Then she goes to lunch. Ten minutes pass, and with them the code.');
      stage.clock.advance(10 * MINUTE);
    },
  );
  expectStatus(await agent.waitForClaim(), 'attempt_expired');

  stage.tell('The registration lives on. The agent asks for a new code.');
  const second = expectStatus(await agent.startClaim({ renew: true }), 'open');
  stage.show(second.ceremony);
  stage.meanwhile(async () => {
    stage.tell('Alice is back and still signed in.');
    await approveClaim(alice, second.ceremony, ALICE);
  });
  const claimed = expectStatus(await agent.waitForClaim(), 'claimed');

  stage.tell('The token from before the claim died with it:');
  await probe(registered.token.value.reveal());
  stage.tell('The new one may write:');
  await agent.call(RESOURCE, { method: 'POST' });

  stage.tell('The agent gives its token back.');
  await agent.revoke();
  await probe(claimed.token.value.reveal());
  stage.tell('The assertion lives on, so the next call exchanges it by itself.');
  await agent.call(RESOURCE);
  await stage.end();
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
