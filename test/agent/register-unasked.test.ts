import { expect, it } from 'vitest';
import { ANSWER, Bench, ENDPOINT, failure, later, refusal, SERVICE } from './support/bench.ts';

it('a confirmation that a service asks for without an ID-JAG is a refusal: nobody was named', async () => {
  const { agent, store, web } = new Bench();
  web.on(
    ENDPOINT.identity,
    refusal('interaction_required', 401, {
      registration_id: 'reg_1',
      claim_token: 'clm_1',
      claim_token_expires: later(60),
      claim: ANSWER.block(),
    }),
  );
  const registering = agent.register({ service: SERVICE, type: 'anonymous' });
  expect((await failure(registering)).code).toBe('interaction_required');
  expect((await store.read()).services).toEqual([]);
});
