import { describe } from 'vitest';
import type { MockService } from '../../src/testing/mock-service.ts';
import { createTestWorld } from '../../src/testing/testing.ts';
import { expect, test } from '../../src/testing/vitest.ts';

/** What a matcher says where it does not match. */
async function failureOf(assert: () => unknown): Promise<string> {
  try {
    await assert();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It matched.');
}

const worlds: MockService[] = [];

// Each looks at what the one before it left, also where the order is drawn.
describe('the fixtures', { shuffle: false }, () => {
  test('are of one world', async ({ world, service, provider, agent, clock, user }) => {
    expect([service, provider, agent, clock, user]).toEqual([
      world.service,
      world.provider,
      world.agent,
      world.clock,
      world.user,
    ]);
    worlds.push(service);
  });

  test('are new in the next test, and those of the last one are closed', async ({ service }) => {
    const [last] = worlds;
    expect(last).toBeDefined();
    expect(service).not.toBe(last);
    await expect(last?.controls.registrations()).rejects.toThrow('closed');
  });

  test.override({ worldOptions: { service: { dialect: 'nested' } } });
  test('take the options of their suite', async ({ service }) => {
    const metadata = await service.fetch(
      new Request(`${service.issuer}/.well-known/oauth-authorization-server`),
    );
    // Where the agent hands the code in, there is no grant to poll with.
    expect(JSON.stringify(await metadata.json())).not.toContain('grant-type:claim');
  });
});

describe('toHaveState', () => {
  test('looks at a registration, a service and an agent', async ({ agent, service }) => {
    await agent.register({ service: service.issuer, type: 'anonymous' });
    const [registration] = await service.controls.registrations();
    expect(registration).toHaveState('unclaimed');
    await expect(service).toHaveState('unclaimed');
    await expect(service).toHaveState('unclaimed', registration?.facts.id);
    await expect(agent).toHaveState('unclaimed');
    await expect(agent).not.toHaveState('claimed');
  });

  test('says which registration it is, and what it is instead', async ({ agent, service }) => {
    expect(await failureOf(() => expect(service).toHaveState('claimed'))).toBe(
      'Expected the registration of the service to have the state claimed. There is no registration.',
    );
    const { registration } = (await agent.register({
      service: service.issuer,
      type: 'anonymous',
    })) as { registration: { id: string } };
    expect(await failureOf(() => expect(service).toHaveState('claimed'))).toBe(
      `Expected the registration ${registration.id} of the service to have the state claimed. It is unclaimed.`,
    );
    expect(await failureOf(() => expect(agent).toHaveState('claimed', 'reg_other'))).toBe(
      `Expected the registration reg_other of the agent to have the state claimed. There are: ${registration.id} is unclaimed.`,
    );
    expect(await failureOf(() => expect(agent).not.toHaveState('unclaimed'))).toContain(
      'of the agent not to have the state unclaimed. It is unclaimed.',
    );
  });

  test('fails under not, too, where there is no such registration', async ({ agent, service }) => {
    const none = 'There is no registration.';
    expect(await failureOf(() => expect(service).not.toHaveState('claimed'))).toContain(none);
    expect(await failureOf(() => expect(agent).not.toHaveState('claimed'))).toBe(
      `Expected the registration of the agent not to have the state claimed. ${none}`,
    );
    await agent.register({ service: service.issuer, type: 'anonymous' });
    const misspelt = () => expect(service).not.toHaveState('claimed', 'reg_other');
    expect(await failureOf(misspelt)).toContain('There are: reg_');
  });

  test('refuses a state that there is not, and what has none', async ({ agent }) => {
    const wrong = 'done' as 'claimed';
    expect(await failureOf(() => expect(agent).toHaveState(wrong))).toContain(
      'There are unclaimed',
    );
    expect(await failureOf(() => expect(1).toHaveState('claimed'))).toContain('agent.status()');
  });
});

describe('toBeIdJagFor', () => {
  const minted = async () => {
    const world = await createTestWorld();
    const { agent, provider, service, user } = world;
    user.whenAsked('approve');
    await (await agent.providerLogin({ provider: provider.issuer })).wait();
    const request = { provider: provider.issuer, audience: service.issuer };
    const outcome = await agent.providerMint({ ...request, onConsentRequired: () => {} });
    if (outcome.status !== 'minted') throw new Error(outcome.status);
    return { ...world, service, provider, clock: world.clock, idJag: outcome.assertion };
  };

  test('takes what the provider minted, with its signature and its time', async () => {
    const { clock, idJag, provider, service } = await minted();
    expect(idJag).toBeIdJagFor(service.issuer);
    expect(idJag.reveal()).toBeIdJagFor(service.issuer);
    expect({ assertion: idJag }).toEqual({ assertion: expect.toBeIdJagFor(service.issuer) });
    await expect(idJag).toBeIdJagFor(service.issuer, provider);
    clock.advance('6m');
    const said = await failureOf(() => expect(idJag).toBeIdJagFor(service.issuer, provider));
    expect(said).toContain('it expired 60 seconds ago, by the provider’s clock');
  });

  test('names each thing that is wrong, and no secret', async () => {
    const { idJag, provider, service } = await minted();
    const other = 'https://other.example';
    const said = await failureOf(() => expect(idJag).toBeIdJagFor(other));
    expect(said).toBe(`Expected an ID-JAG for ${other}. But its aud is "${service.issuer}".`);
    const [head = '', body = ''] = idJag.reveal().split('.');
    const forged = `${head}.${body}.${'A'.repeat(86)}`;
    expect(forged).toBeIdJagFor(service.issuer);
    const unsigned = await failureOf(() => expect(forged).toBeIdJagFor(service.issuer, provider));
    expect(unsigned).toContain(`no key that ${provider.issuer} publishes verifies its signature`);
    for (const message of [said, unsigned]) expect(message).not.toContain(body);
    expect(await failureOf(() => expect(42).toBeIdJagFor(other))).toContain('type number');
    // What a step resolves with is not the token in it.
    const outcome = { status: 'minted', assertion: idJag };
    expect(await failureOf(() => expect(outcome).not.toBeIdJagFor(other))).toBe(
      `Expected no ID-JAG for ${other}. It is an object. Give its member \`assertion\`.`,
    );
    const signed = () => expect(undefined).not.toBeIdJagFor(other, provider);
    expect(await failureOf(signed)).toContain('It is undefined.');
    expect([42, idJag]).toContainEqual(expect.toBeIdJagFor(service.issuer));
    expect('x').not.toBeIdJagFor(other);
    expect(await failureOf(() => expect('x').toBeIdJagFor(other))).toContain('no JWT');
    const empty = [{ alg: 'none' }, {}].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    expect(await failureOf(() => expect(`${empty.join('.')}.`).toBeIdJagFor(other))).toMatch(
      /its typ is missing, not "oauth-id-jag\+jwt"; its alg is "none"; its aud is missing; its iss is missing/,
    );
  });

  test('refuses an audience that is none: under not, everything would pass', async () => {
    const { idJag, provider, service } = await minted();
    const misspelt = (service as { readonly isuer?: string }).isuer as string;
    expect(await failureOf(() => expect(idJag).not.toBeIdJagFor(misspelt))).toBe(
      'toBeIdJagFor(audience): audience is the issuer of the service, such as service.issuer.',
    );
    const by = { provider } as never;
    expect(await failureOf(() => expect(idJag).toBeIdJagFor(service.issuer, by))).toBe(
      'toBeIdJagFor(audience, wanted): there is no "provider". Known: by, client, resource, scope, user.',
    );
  });
});
