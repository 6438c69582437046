import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.ts';
import { Secret } from '../../src/runtime/index.ts';
import { ALICE, Twin } from '../dialects/twin.ts';
import { BASE, Harness } from '../mock-service/harness.ts';
import { typeThere } from '../support/type-there.ts';

let twin: Twin;
beforeEach(async () => {
  twin = await Twin.start({});
});
afterEach(() => twin.close());

// Whole flows, from the registration to its end, are in test/dialects.
describe('the agent against the mock service', () => {
  it('finds it from its URL, from a protected URL and from its issuer, without a warning', async () => {
    for (const target of [
      { address: BASE },
      { address: `${BASE}/` },
      { resource: `${BASE}/api/resource` },
      { issuer: BASE },
    ]) {
      const { service, warnings } = await twin.agent.discover(target);
      expect(service).toMatchObject({ issuer: BASE, resource: BASE });
      expect(warnings).toEqual([]);
    }
  });

  it('collects a claim by itself when the old token and assertion died of it', async () => {
    const { agent, harness } = twin;
    await agent.register({ service: BASE, type: 'anonymous' });
    const started = await agent.startClaim({ email: ALICE });
    if (started.status !== 'open') throw new Error(`The claim is ${started.status}.`);
    const { userCode, verificationUri } = typeThere(started.ceremony);
    await twin.typeCode(verificationUri, userCode.reveal());
    // Another poll of the same claim kills the tokens from before it.
    await harness.poll(started.registration.claim?.token.reveal());
    const answer = await agent.call('/api/resource', { method: 'POST' });
    expect(answer.status).toBe(200);
  });

  it('asks for a new sign-in when the last one is too old', async () => {
    const { provider } = twin.harness;
    const assertion = new Secret(await provider.idJag({ auth_time: provider.now - 7200 }));
    expect(await twin.register({ type: 'identity_assertion', assertion })).toMatchObject({
      status: 'login_required',
      askedBy: 'service',
      maxAge: 3600,
    });
  });

  it('connects by another type where the registration is gone and its type is no longer offered', async () => {
    await twin.agent.connect({ service: BASE });
    const { service } = await Harness.start({ identityTypes: ['service_auth'] });
    const { options } = twin.through((request) => service.fetch(request));
    const { store } = twin.options;
    const outcome = await new Agent({ ...options, store }).connect({ service: BASE, email: ALICE });
    expect(outcome.status).toBe('claim_pending');
    const registrations = await service.controls.registrations();
    expect(registrations.map(({ facts }) => facts.type)).toEqual(['service_auth']);
    await service.close();
  });
});
