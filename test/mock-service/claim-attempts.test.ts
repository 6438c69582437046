import { expect, it } from 'vitest';
import { Harness } from './harness.ts';

it('a new attempt begins a new count of polls: the first one is never too early', async () => {
  const h = await Harness.start();
  const { body } = await h.register({ type: 'anonymous' });
  const claimToken = body['claim_token'];
  await h.startClaim(claimToken, 'alice@example.com');
  expect((await h.poll(claimToken)).body['error']).toBe('authorization_pending');
  expect((await h.poll(claimToken)).body['error']).toBe('slow_down');
  await h.startClaim(claimToken, 'alice@example.com');
  expect((await h.poll(claimToken)).body['error']).toBe('authorization_pending');
});
