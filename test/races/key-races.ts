import { expect } from 'vitest';
import { DEVICE_CODE_GRANT, decodeJwt } from '../../src/protocol/index.ts';
import type { Arena } from './arena.ts';
import type { Race } from './claim-races.ts';
import type { Received } from './replicas.ts';
import { AT_ONCE, having, mixed, taken, tally, times } from './tally.ts';

const ROTATIONS = 10;

/** What races about signing keys, and at the provider. */
export const KEY_RACES: Readonly<Record<string, Race>> = {
  'of key rotations at once one key waits, at the service': (arena) =>
    expectOneWaits(arena, 'flat', () => arena.register({ type: 'anonymous' })),

  'of key rotations at once one key waits, at the provider': (arena) =>
    expectOneWaits(arena, 'provider', () => authorize(arena)),

  'an assertion is taken whichever key signed it while keys take over': async (arena) => {
    const [, registered] = await mixed(
      times(2, () => () => rotate(arena, 'flat', '0s')),
      times(AT_ONCE / 2, () => () => arena.register({ type: 'anonymous' })),
    );
    expect(tally(registered)).toEqual({ 200: AT_ONCE / 2 });
    const assertions = registered.map(({ body }) => body['identity_assertion']);
    const [, exchanged] = await mixed(
      times(1, () => () => rotate(arena, 'flat', '0s')),
      assertions.map((assertion) => () => arena.exchange(assertion)),
    );
    expect(tally(exchanged)).toEqual({ 200: assertions.length });
    const { body } = await taken(arena.register({ type: 'anonymous' }));
    expect(await publishedKids(arena, 'flat')).toContain(
      decodeJwt(String(body['identity_assertion']))?.header['kid'],
    );
  },

  'of device polls that come together one is in time': async (arena) => {
    const { body } = await taken(authorize(arena));
    const fields = {
      grant_type: DEVICE_CODE_GRANT,
      device_code: String(body['device_code']),
      client_id: 'agent-auth',
    };
    const answers = await Promise.all(
      times(AT_ONCE, () => arena.atProvider('/oauth2/token', fields)),
    );
    expect(tally(answers)).toEqual({
      '400 authorization_pending': 1,
      '400 slow_down': AT_ONCE - 1,
    });
  },
};

/** Requests that need a key, and rotations in their midst: as many keys are published as before them. */
async function expectOneWaits(
  arena: Arena,
  service: string,
  request: () => Promise<Received>,
): Promise<void> {
  await rotate(arena, service, '1h');
  const before = (await publishedKids(arena, service)).length;
  const [, answers] = await mixed(
    times(ROTATIONS, () => () => rotate(arena, service, '1h')),
    times(AT_ONCE - ROTATIONS, () => request),
  );
  expect(having(200, answers)).toHaveLength(answers.length);
  expect(await publishedKids(arena, service)).toHaveLength(before);
}

function rotate(arena: Arena, service: string, lead: string) {
  return arena.replicas.control(service, '/keys/rotate', { lead });
}

async function publishedKids(arena: Arena, service: string): Promise<readonly string[]> {
  const { body } = await arena.replicas.send(service, { path: '/.well-known/jwks.json' });
  return (body['keys'] as readonly { readonly kid: string }[]).map(({ kid }) => kid);
}

function authorize(arena: Arena) {
  return arena.atProvider('/oauth2/device_authorization', {
    client_id: 'agent-auth',
    scope: 'openid email',
  });
}
