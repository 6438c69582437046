import { column } from '../../../../src/mock/store/database.ts';
import { NEVER } from '../../../../src/mock-service/claim-machine/facts.ts';
import { readingCredentials } from '../../../../src/mock-service/faults/resource-faults.ts';
import type { Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { writing } from './writing.ts';

const { on, replacing, withJson } = rewire;

/** By what is compared of them. */
const issued = new Map<string, string>();

type Compared = (token: string) => string;

/** The token of a call is any that compares alike. */
const lookingUp = (compared: Compared): Rewired =>
  readingCredentials((right) => async (request) => {
    const given = await right(request);
    const token = issued.get(compared(given?.token ?? ''));
    return token === undefined ? given : { token };
  });

const keptBy = (compared: Compared) =>
  on(
    (path, { status }) => path === '/oauth2/token' && status === 200,
    withJson((body) => {
      const token = String(body['access_token']);
      issued.set(compared(token), token);
      return body;
    }),
  );

/** Faults of access tokens: what they look like, how they are kept, and how long. */
export const ACCESS_TOKEN_FAULTS = {
  shortTokenEntropy: {
    description: 'numbers its access tokens instead of making them random (RFC 6749 §10.10)',
    parts: ({ clock, secrets }) => {
      let last = 0;
      return {
        secrets: {
          ...secrets,
          accessToken: () => {
            last += 1;
            return `at_${String(clock.now()).padStart(35, '0')}${String(last).padStart(6, '0')}`;
          },
        },
      };
    },
    fails: { exchange: ['unguessable'] },
  },
  shortToken: {
    description: 'issues short access tokens (RFC 6749 §10.10)',
    parts: ({ secrets }) => ({
      secrets: { ...secrets, accessToken: () => secrets.accessToken().slice(0, 12) },
    }),
    fails: { exchange: ['unguessable'] },
  },
  uncheckedTokenSuffix: {
    description: 'stores and compares only the beginning of an access token',
    parts: lookingUp((token) => token.slice(0, 12)),
    answers: keptBy((token) => token.slice(0, 12)),
    fails: { 'bearer-errors': ['altered'] },
  },
  ignoredTokenCase: {
    description: 'compares access tokens without letter case, as some databases do',
    parts: lookingUp((token) => token.toLowerCase()),
    answers: keptBy((token) => token.toLowerCase()),
    fails: { 'bearer-errors': ['altered'] },
  },
  acceptedUnknownToken: {
    description: 'accepts an unknown access token as the newest one that it issued (RFC 6750 §3.1)',
    parts: ({ db, tokens }) => ({
      tokens: replacing(tokens, {
        find: async (hash) => {
          const live = await tokens.find(hash);
          if (live !== undefined) return live;
          const newest = await db.read((reader) =>
            reader.get('SELECT hash FROM access_tokens ORDER BY expires_at DESC LIMIT 1'),
          );
          return newest && tokens.find(column.text(newest['hash']));
        },
      }),
    }),
    fails: { 'bearer-errors': ['refused', 'altered'] },
  },
  endlessToken: {
    description: 'accepts access tokens after they have expired (RFC 6749 §4.2.2, expires_in)',
    // Stored so: a row that has ended may be gone with the next change.
    parts: writing((right) => ({
      deliver: (tx, registration, effect) =>
        right.deliver(tx, registration, {
          ...effect,
          ...(effect.token && { token: { ...effect.token, expiresAt: NEVER } }),
        }),
      issue_token: (tx, registration, effect) =>
        right.issue_token(tx, registration, {
          ...effect,
          token: { ...effect.token, expiresAt: NEVER },
        }),
    })),
    fails: { 'token-expiry': ['token-over'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
