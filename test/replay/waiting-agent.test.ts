import { expect, it } from 'vitest';
import { transcript } from '../../src/exchanges/index.ts';
import { type ReplayedStep, replayAgent } from '../../src/replay/index.ts';
import type { Fetch } from '../../src/runtime/index.ts';
import { SeededRandom } from '../../src/runtime/index.ts';
import { ScriptedUser } from '../../src/user/scripted-user.ts';
import { openClaimPage, tryCode } from '../../src/user/user-steps.ts';
import { bothMocks } from '../mock/exchanges/all-flows.ts';

interface Registered {
  readonly claim: { readonly verification_uri: string; readonly user_code: string };
  readonly claim_token: string;
}

const BOB = 'bob@example.com';

async function approve(fetch: Fetch, page: string, code: string): Promise<void> {
  const user = new ScriptedUser(fetch);
  const opened = await openClaimPage(user, page, BOB);
  expect((await tryCode(user, opened, code)).status).toBe(200);
}

it('polls until a user has decided, whom it tells page and code', async () => {
  const { clock: then, fetch, log, service } = await bothMocks();
  const registered = await fetch(`${service.issuer}/agent/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'service_auth', login_hint: BOB }),
  });
  const { claim, claim_token: token } = (await registered.json()) as Registered;
  await approve(fetch, claim.verification_uri, claim.user_code);
  then.advance(5_000);
  const grant = 'urn:vendor:agent-auth:grant-type:claim';
  await fetch(`${service.issuer}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: grant, claim_token: token }).toString(),
  });

  const live = await bothMocks({ seed: 12, port: 6950 });
  const steps: ReplayedStep[] = [];
  let told: readonly [string, string] | undefined;
  let waits = 0;
  await replayAgent({
    transcript: transcript(log.read().exchanges),
    service: live.service.issuer,
    user: 'wait',
    timeout: 60_000,
    fetch: live.fetch,
    clock: live.clock,
    random: new SeededRandom(3),
    onUser: (page, code = '') => {
      told = [page, code];
    },
    sleep: async (ms) => {
      live.clock.advance(ms);
      waits += 1;
      if (waits === 2 && told !== undefined) await approve(live.fetch, ...told);
    },
    onStep: (step) => steps.push(step),
  });
  expect(told?.[0]).toMatch(/^http:\/\/127\.0\.0\.1:6950\/c\//);
  expect(waits).toBe(2);
  expect(steps.at(-1)).toMatchObject({ step: 'poll', outcome: 'same', status: 200 });
});

it('says at the start that there is nobody to wait for', async () => {
  const { fetch, log, service } = await bothMocks();
  await fetch(`${service.issuer}/agent/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'anonymous' }),
  });
  const said: string[] = [];
  const live = await bothMocks({ seed: 12, port: 6970 });
  await replayAgent({
    transcript: transcript(log.read().exchanges),
    service: live.service.issuer,
    user: 'wait',
    timeout: 1,
    fetch: live.fetch,
    clock: live.clock,
    random: new SeededRandom(3),
    onNobody: () => said.push('nobody'),
    sleep: async () => {},
    onStep: ({ outcome }) => said.push(outcome),
  });
  expect(said).toEqual(['nobody', 'same']);
});
