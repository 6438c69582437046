import { describe, expect, it } from 'vitest';
import { Answer } from '../../../../src/conformance/http/answer.ts';
import { readFacts } from '../../../../src/conformance/service/service-facts.ts';
import {
  type AccountReader,
  reachesAccount,
} from '../../../../src/conformance/service/steps/account-access.ts';

const answer = (body: object) => new Answer(200, [], JSON.stringify(body), 1, 1);

/** A service whose resource answers each assertion with what is written here. */
function serving(bodies: Readonly<Record<string, object>>): AccountReader {
  return {
    facts: readFacts('https://service.example/api', {}, {}),
    client: {
      exchange: async (assertion) => answer({ access_token: assertion }),
      call: async (token) => answer(bodies[token ?? ''] ?? {}),
    },
  };
}

const theirs = answer({ identity_assertion: 'theirs', registration_id: 'two' });
const owner = {
  email: 'user@example.com',
  completed: answer({ identity_assertion: 'own', registration_id: 'one' }),
};

describe('an ID-JAG that nobody agreed to', () => {
  it('reaches an account where it is answered with the registration of its owner', async () => {
    const same = answer({ identity_assertion: 'theirs', registration_id: 'one' });
    expect(await reachesAccount(serving({}), same, owner)).toBe(true);
  });

  it('reaches an account where the resource has the same user for both', async () => {
    const user = { email: 'user@example.com' };
    expect(await reachesAccount(serving({ theirs: { user }, own: { user } }), theirs, owner)).toBe(
      true,
    );
  });

  it('takes nothing over with an identity of its own', async () => {
    const email = 'user@example.com';
    const world = serving({ theirs: { user: { id: 2, email } }, own: { user: { id: 1, email } } });
    expect(await reachesAccount(world, theirs, owner)).toBe(false);
  });

  it('is not accused where the resource does not show its user', async () => {
    const world = serving({ theirs: { user: null }, own: { user: null } });
    expect(await reachesAccount(world, theirs, owner)).toBe(false);
  });
});
