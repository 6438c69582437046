import { column, on, replacing, type Tamper } from '../../mock/index.ts';
import { MINUTE } from '../../protocol/index.ts';
import { NEVER } from '../claim-machine/index.ts';
import { PATHS } from '../config/paths.ts';
import { TokenStore } from '../store/index.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** The expiry of a token is judged by another time. */
function judgedAt(time: (now: number) => number): Rewired {
  return ({ clock, db, tokens }) => {
    const store = new TokenStore(db, { now: () => time(clock.now()) });
    return { tokens: replacing(tokens, { find: (hash) => store.find(hash) }) };
  };
}

const cacheable: Tamper = (response) => {
  response.headers.set('cache-control', 'max-age=60');
  response.headers.set('pragma', 'cache');
  return response;
};

/** Faults of access tokens: what they look like, how they are kept, and how long. */
export const ACCESS_TOKEN_FAULTS = {
  wrongTokenCacheControl: {
    description: 'lets answers with tokens be cached (RFC 6749 §5.1)',
    answers: on((path, { status }) => path === PATHS.token && status === 200, cacheable),
    breaks: ['TOK-04'],
    fails: { 'cache-headers': ['tokens'] },
  },
  shortTokenEntropy: {
    description: 'numbers its access tokens instead of making them random (RFC 6749 §10.10)',
    parts: ({ accessTokens, clock }) => {
      let last = 0;
      return {
        accessTokens: {
          ...accessTokens,
          mint: () => {
            last += 1;
            return `at_${String(clock.now()).padStart(35, '0')}${String(last).padStart(6, '0')}`;
          },
        },
      };
    },
    breaks: ['TOK-10'],
    fails: { exchange: ['unguessable'] },
  },
  shortToken: {
    description: 'issues short access tokens (RFC 6749 §10.10)',
    parts: ({ accessTokens }) => ({
      accessTokens: {
        ...accessTokens,
        mint: async () => (await accessTokens.mint()).slice(0, 12),
      },
    }),
    breaks: ['TOK-10'],
    fails: { exchange: ['unguessable'] },
  },
  uncheckedTokenSuffix: {
    description: 'stores and compares only the beginning of an access token',
    parts: ({ accessTokens }) => ({
      accessTokens: { ...accessTokens, hash: (token) => accessTokens.hash(token.slice(0, 12)) },
    }),
    breaks: ['AR-ERR-1'],
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
    breaks: ['AR-ERR-1'],
    fails: { 'bearer-errors': ['refused', 'altered'] },
  },
  shortTokenLifetime: {
    description: 'ends access tokens before they expire (RFC 6749 §4.2.2, expires_in)',
    parts: judgedAt((now) => now + MINUTE),
    breaks: ['W0-03'],
    fails: { 'token-expiry': ['still-good'] },
  },
  endlessToken: {
    description: 'accepts access tokens after they have expired (RFC 6749 §4.2.2, expires_in)',
    // Stored so: a row that has ended may be gone with the next change.
    parts: ({ effectWriters }) => ({
      effectWriters: {
        ...effectWriters,
        deliver: (tx, registration, effect) =>
          effectWriters.deliver(tx, registration, {
            ...effect,
            ...(effect.token && { token: { ...effect.token, expiresAt: NEVER } }),
          }),
        issue_token: (tx, registration, effect) =>
          effectWriters.issue_token(tx, registration, {
            ...effect,
            token: { ...effect.token, expiresAt: NEVER },
          }),
      },
    }),
    breaks: ['AR-ERR-1'],
    fails: { 'token-expiry': ['token-over'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;
