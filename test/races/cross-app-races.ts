import { expect } from 'vitest';
import { JWT_BEARER_GRANT } from '../../src/protocol/index.ts';
import { BASE } from '../mock-service/harness.ts';
import { CodeClient, REDIRECT, VERIFIER } from '../support/code-client.ts';
import type { Arena } from './arena.ts';
import type { Race } from './claim-races.ts';
import type { Received } from './replicas.ts';
import { AT_ONCE, having, taken, tally, times } from './tally.ts';

const CREDENTIALS = { client_id: 'app', client_secret: 'a-test-secret' };
const ONE_WINS = { 200: 1, '400 invalid_grant': AT_ONCE - 1 };

/** What races where clients sign users in and redeem ID-JAGs. */
export const CROSS_APP_RACES: Readonly<Record<string, Race>> = {
  'an ID-JAG is redeemed by a client once': async (arena) => {
    const assertion = await idJag(arena);
    const answers = await Promise.all(times(AT_ONCE, () => redeem(arena, assertion)));
    expect(tally(answers)).toEqual(ONE_WINS);
    const [won] = having(200, answers);
    expect(tally([await arena.call(won?.body['access_token'])])).toEqual({ 200: 1 });
  },

  'the first ID-JAGs of a subject make one account': async (arena) => {
    const sub = arena.newName();
    const idJags = await Promise.all(times(AT_ONCE, () => idJag(arena, sub)));
    const answers = await Promise.all(idJags.map((each) => redeem(arena, each)));
    expect(tally(answers)).toEqual({ 200: AT_ONCE });
    const accounts = await Promise.all(
      answers.slice(0, 10).map(async ({ body }) => {
        const token = String(body['access_token']);
        const told = await arena.form('/oauth2/introspect', { token, ...CREDENTIALS });
        return told.body['sub'];
      }),
    );
    expect(new Set(accounts).size).toBe(1);
  },

  'a code is redeemed once, and its copies end what came of it': async (arena) => {
    const code = await newCode(arena);
    const answers = await Promise.all(times(AT_ONCE, () => redeemCode(arena, code)));
    expect(tally(answers)).toEqual(ONE_WINS);
    for (const { body } of having(200, answers)) {
      expect(tally([await refresh(arena, body['refresh_token'])])).toEqual({
        '400 invalid_grant': 1,
      });
    }
  },

  'a refresh token of a client is traded once, and its copies end the next one': async (arena) => {
    const { body: first } = await taken(redeemCode(arena, await newCode(arena)));
    const trade = () => refresh(arena, first['refresh_token']);
    const answers = await Promise.all(times(AT_ONCE, trade));
    expect(tally(answers)).toEqual(ONE_WINS);
    for (const { body } of having(200, answers)) {
      expect(tally([await refresh(arena, body['refresh_token'])])).toEqual({
        '400 invalid_grant': 1,
      });
    }
  },
};

function idJag(arena: Arena, sub = arena.newName()): Promise<string> {
  return arena.provider.idJag({
    sub,
    email: `${sub}@example.com`,
    client_id: CREDENTIALS.client_id,
    resource: `${BASE}/api/resource`,
    scope: 'api.read',
  });
}

function redeem(arena: Arena, assertion: string): Promise<Received> {
  return arena.form('/oauth2/token', { grant_type: JWT_BEARER_GRANT, assertion, ...CREDENTIALS });
}

function refresh(arena: Arena, token: unknown): Promise<Received> {
  return arena.atProvider('/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token: String(token),
    ...CREDENTIALS,
  });
}

/** The code of a fresh sign-in at the provider. */
async function newCode(arena: Arena): Promise<string> {
  const user = arena.browser('provider');
  await user.openSignedIn(`${BASE}/login`, `${arena.newName()}@example.com`);
  const client = new CodeClient(
    { issuer: BASE, user: () => user, form: async () => ({}) },
    CREDENTIALS,
  );
  const { answer } = await client.ask(user, { scope: 'openid offline_access' });
  return answer?.get('code') ?? '';
}

function redeemCode(arena: Arena, code: string): Promise<Received> {
  return arena.atProvider('/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...CREDENTIALS,
  });
}
