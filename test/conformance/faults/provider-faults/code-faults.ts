import { PATHS } from '../../../../src/mock-provider/config/paths.ts';
import { exchanging, type Rewired } from '../../../../src/mock-provider/faults/rewiring.ts';
import { rewire } from '../../../../src/mock-provider/index.ts';
import type { CodeStore } from '../../../../src/mock-provider/store/code-store.ts';
import { REFRESH_TOKEN_TYPE } from '../../../../src/protocol/constants.ts';
import type { ProvenProviderFault } from '../proven-fault.ts';
import { Barrier } from '../service-faults/barrier.ts';

const { on, replacing, saying, withJson, withoutHeaders } = rewire;

type Row = Readonly<Record<string, unknown>> | undefined;

interface Stored {
  readonly codes: CodeStore;
  /** The row of a code, or of a refresh token. */
  row(table: 'authorization_codes' | 'client_refresh_tokens', hash: string): Promise<Row>;
  /** Sets a column of a code. */
  set(column: 'used_at' | 'expires_at', value: number | null, hash: string): Promise<void>;
}

/** Codes and refresh tokens are kept another way. */
function keeping(change: (stored: Stored) => Partial<CodeStore>): Rewired {
  return ({ codes, db }) => ({
    codes: replacing(
      codes,
      change({
        codes,
        row: (table, hash) =>
          db.read((reader) => reader.get(`SELECT * FROM ${table} WHERE hash = ?`, [hash])),
        set: (column, value, hash) =>
          db.transaction(async (tx) => {
            const update = `UPDATE authorization_codes SET ${column} = ? WHERE hash = ?`;
            await tx.run(update, [value, hash]);
          }),
      }),
    ),
  });
}

const ANY_URI = 'http://127.0.0.1/any';

const isSignIn = (path: string, response: Response) => path === PATHS.token && response.ok;

/** Faults: what it does wrong with codes and refresh tokens. */
export const CODE_FAULTS = {
  missingNoStoreOfTokens: {
    description: 'lets caches keep its tokens (RFC 6749 §5.1)',
    answers: on(isSignIn, withoutHeaders('cache-control')),
    fails: { 'idp-code': ['redeemed'], 'idp-exchange': ['uncached'] },
  },
  uncheckedRedeemedUri: {
    description: 'redeems a code whatever the redirect_uri is (RFC 6749 §4.1.3)',
    parts: keeping(({ codes }) => ({
      issue: (code) => codes.issue({ ...code, redirectUri: ANY_URI }),
      redeem: (hash, use, fresh) => codes.redeem(hash, { ...use, redirectUri: ANY_URI }, fresh),
    })),
    fails: { 'idp-code': ['redirect-uri'] },
  },
  acceptedForeignCode: {
    description: 'redeems the code of another client (RFC 6749 §4.1.3)',
    parts: keeping(({ codes, row }) => ({
      redeem: async (hash, use, fresh) => {
        const clientId = String((await row('authorization_codes', hash))?.['client_id']);
        return codes.redeem(hash, { ...use, clientId }, fresh);
      },
    })),
    fails: { 'idp-code': ['other-client'] },
  },
  ignoredSecondUse: {
    description: 'keeps the tokens of a code that is redeemed again (RFC 6749 §4.1.2)',
    parts: keeping(({ codes, row }) => ({
      redeem: async (hash, ...rest) => {
        const used = (await row('authorization_codes', hash))?.['used_at'] ?? undefined;
        return used === undefined ? codes.redeem(hash, ...rest) : undefined;
      },
    })),
    fails: { 'idp-code': ['ended'] },
  },
  racyCode: {
    description: 'redeems a code as often as it is asked to at once (RFC 6749 §4.1.2)',
    parts: (mock) => {
      const barrier = new Barrier<boolean>();
      return keeping(({ codes, row, set }) => ({
        redeem: (hash, ...rest) =>
          barrier.decideLate(
            hash,
            async () => ((await row('authorization_codes', hash))?.['used_at'] ?? null) === null,
            async (isUnused) => {
              if (isUnused) await set('used_at', null, hash);
              return codes.redeem(hash, ...rest);
            },
          ),
      }))(mock);
    },
    fails: { 'idp-code': [], 'idp-code-race': ['parallel'] },
  },
  endlessCode: {
    description: 'redeems a code an hour later (RFC 6749 §4.1.2)',
    parts: keeping(({ codes, set }) => ({
      redeem: async (hash, ...rest) => {
        await set('expires_at', Number.MAX_SAFE_INTEGER, hash);
        return codes.redeem(hash, ...rest);
      },
    })),
    fails: { 'idp-code': ['expired'] },
  },
  extraRefreshTokenOfSignIn: {
    description: 'gives a refresh token that nobody asked for (OpenID Connect Core §11)',
    answers: on(
      isSignIn,
      withJson((body) =>
        'id_token' in body ? { refresh_token: 'prt_0123456789', ...body } : body,
      ),
    ),
    fails: { 'idp-refresh': ['unasked'] },
  },
  acceptedForeignRefreshToken: {
    description: 'takes the refresh token of another client (RFC 6749 §6)',
    parts: keeping(({ codes, row }) => ({
      rotate: async (hash, clientId, fresh) => {
        const owner = (await row('client_refresh_tokens', hash))?.['client_id'];
        return codes.rotate(hash, String(owner ?? clientId), fresh);
      },
    })),
    fails: { 'idp-refresh': ['other-client'] },
  },
  wrongRefreshSubject: {
    description:
      'names another subject for a refresh token than for an ID token (ID-JAG §3.1, sub)',
    parts: exchanging((right) => (provider, form, client) => {
      if (form.get('subject_token_type') !== REFRESH_TOKEN_TYPE)
        return right(provider, form, client);
      const another = saying('idJag', ({ sub }) => ({ sub: `${String(sub)}_again` }));
      return right({ ...provider, decisions: another(provider.decisions) }, form, client);
    }),
    fails: { 'idp-refresh': ['subject'] },
  },
  acceptedForeignRefreshSubject: {
    description: 'exchanges the refresh token of another client (ID-JAG §4.3.3)',
    parts: keeping(({ codes, row }) => ({
      findRefreshToken: async (hash, clientId) => {
        const owner = (await row('client_refresh_tokens', hash))?.['client_id'];
        return codes.findRefreshToken(hash, String(owner ?? clientId));
      },
    })),
    fails: { 'idp-refresh': ['foreign-subject'] },
  },
  acceptedUnknownRefreshSubject: {
    description: 'exchanges a refresh token that it never gave (ID-JAG §4.3.3)',
    parts: (mock) => {
      const known = new Set<string>();
      return keeping(({ codes, row }) => ({
        findRefreshToken: async (hash, clientId) => {
          const session = await codes.findRefreshToken(hash, clientId);
          if (session !== undefined) known.add(hash);
          const [first] = known;
          if (first === undefined || (await row('client_refresh_tokens', hash))) return session;
          return codes.findRefreshToken(first, clientId);
        },
      }))(mock);
    },
    fails: { 'idp-refresh': ['unknown-subject'] },
  },
} satisfies Readonly<Record<string, ProvenProviderFault>>;
