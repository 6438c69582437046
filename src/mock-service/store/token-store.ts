import { AtomicStore } from '../../mock/store/atomic-store.ts';
import { column, type Transaction } from '../../mock/store/database.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { audit } from './audit.ts';
import type { ClientToken } from './client-token-store.ts';

/** The registration of a token, as far as a call wants to know it. */
interface TokenHolder {
  readonly id: string;
  readonly email: string | undefined;
  /** Whether it is its user's: that was confirmed, or its ID-JAG needed no confirmation. */
  readonly isClaimed: boolean;
}

/** An active access token. */
export type LiveToken = {
  readonly scopes: readonly string[];
  readonly resource: string;
} & (
  | { readonly holder: TokenHolder; readonly client?: undefined }
  /** A token that a client redeemed an ID-JAG for: no registration stands behind it. */
  | { readonly client: ClientToken; readonly holder?: undefined }
);

const ACTIVE_TOKEN = `SELECT token.scopes, token.resource, holder.id, holder.email, holder.user_id
  FROM access_tokens AS token JOIN registrations AS holder ON holder.id = token.registration_id
  WHERE token.hash = ? AND token.expires_at > ? AND holder.revoked_at IS NULL`;

export class TokenStore extends AtomicStore {
  /** `undefined` for an unknown, expired or revoked token. */
  async find(hash: string): Promise<LiveToken | undefined> {
    const row = await this.read((reader, now) => reader.get(ACTIVE_TOKEN, [hash, now]));
    return (
      row && {
        scopes: column.list(row['scopes']),
        resource: column.text(row['resource']),
        holder: {
          id: column.text(row['id']),
          email: column.optionalText(row['email']),
          isClaimed: column.optionalText(row['user_id']) !== undefined,
        },
      }
    );
  }

  /** Revokes one token; its assertion stays active (wire contract §6). */
  async revoke(hash: string): Promise<void> {
    await this.change(async (tx, at) => {
      const row = await tx.get('SELECT registration_id FROM access_tokens WHERE hash = ?', [hash]);
      if (row === undefined) return;
      await tx.run('DELETE FROM access_tokens WHERE hash = ?', [hash]);
      const cause = { actor: 'agent', at } as const;
      await audit(tx, cause, 'token.revoked', column.text(row['registration_id']));
    });
  }
}

/** Whether an assertion is active. Without an ID-JAG, its version alone decides. */
export async function isActive(
  tx: Transaction,
  { type }: RegistrationFacts,
  jti: string | undefined,
): Promise<boolean> {
  if (type !== 'identity_assertion' || jti === undefined) return true;
  return (await tx.get('SELECT jti FROM assertions WHERE jti = ?', [jti])) !== undefined;
}

/** A refresh token that was issued and has not expired. */
interface KnownRefreshToken {
  readonly isSpent: boolean;
}

/** `undefined` for an unknown or expired one. */
export async function findRefreshToken(
  tx: Transaction,
  hash: string,
  now: number,
): Promise<KnownRefreshToken | undefined> {
  const row = await tx.get('SELECT spent_at, expires_at FROM refresh_tokens WHERE hash = ?', [
    hash,
  ]);
  if (row === undefined || now >= column.number(row['expires_at'])) return undefined;
  return { isSpent: column.optionalNumber(row['spent_at']) !== undefined };
}

/** Whether the agent has used none of a registration's refresh tokens: it may not have got the first. */
export async function isUnused(tx: Transaction, registrationId: string): Promise<boolean> {
  const rows = await tx.all('SELECT spent_at FROM refresh_tokens WHERE registration_id = ?', [
    registrationId,
  ]);
  return rows.length > 0 && rows.every((row) => row['spent_at'] === null);
}
