import { describe, expect, it } from 'vitest';
import { DECISIONS } from '../../src/mock-provider/context/decisions.ts';
import { Harness, type Json, SERVICE } from './harness.ts';

const LISTS = ['clientChecks', 'exchangeChecks', 'idTokenChecks'] as const;

it.each(LISTS)('%s have a name each, and say what has to hold', (list) => {
  const names = DECISIONS[list].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { description } of DECISIONS[list]) expect(description).toMatch(/^\S.{10,}\.$/);
});

const WRONG = {
  requested_token_type: undefined,
  audience: undefined,
  subject_token: undefined,
  subject_token_type: undefined,
  actor_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  resource: 'https://elsewhere.test/api',
  scope: '"',
} as const;

/** Each step puts one thing right; what is said then is the next thing that is wrong. */
const STEPS: readonly (readonly [fields: Json, error: string, description: RegExp])[] = [
  [{}, 'invalid_request', /^requested_token_type is missing/],
  [{ requested_token_type: 'urn:x' }, 'invalid_request', /^The requested_token_type is not/],
  [
    { requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag' },
    'invalid_request',
    /^audience is missing/,
  ],
  [{ audience: 'urn:nobody' }, 'invalid_request', /^subject_token is missing/],
  [{ subject_token: 'no-token' }, 'invalid_request', /^subject_token_type is missing/],
  [{ subject_token_type: 'urn:x' }, 'invalid_request', /^The subject_token_type is not/],
  [
    { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
    'invalid_request',
    /^actor_token_type is not supported/,
  ],
  [{ actor_token_type: undefined }, 'invalid_target', /./],
  [{ audience: SERVICE }, 'invalid_target', /^The resource does not belong/],
  [{ resource: `${SERVICE}/api` }, 'invalid_scope', /./],
  [{ scope: 'api.read' }, 'invalid_grant', /./],
];

describe('a token exchange with several things wrong', () => {
  it('is refused for the first of them, in the order of the checks', async () => {
    const harness = await Harness.start();
    let fields: Record<string, string | undefined> = WRONG;
    for (const [change, error, description] of STEPS) {
      fields = { ...fields, ...(change as typeof fields) };
      const { body } = await harness.mint('', fields);
      expect(body['error']).toBe(error);
      expect(body['error_description']).toMatch(description);
    }
  });
});
