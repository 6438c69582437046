import { column, type Database, type Transaction } from '../../mock/index.ts';
import type { Clock } from '../../runtime/index.ts';
import type { RegistrationFacts } from '../claim-machine/index.ts';
import { audit } from './audit.ts';
import { type StoredRegistration, toRegistration } from './rows.ts';

/** An active access token and its registration. */
export interface LiveToken {
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly registration: StoredRegistration;
}

const WITH_REGISTRATION = `SELECT registrations.*, token.scopes AS token_scopes,
    token.resource AS token_resource, token.expires_at AS token_expires_at
  FROM access_tokens AS token JOIN registrations ON registrations.id = token.registration_id
  WHERE token.hash = ?`;

export class TokenStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** `undefined` for an unknown, expired or revoked token. */
  async find(hash: string): Promise<LiveToken | undefined> {
    return this.#db.read(async (reader) => {
      const row = await reader.get(WITH_REGISTRATION, [hash]);
      if (row === undefined) return undefined;
      if (this.#clock.now() >= column.number(row['token_expires_at'])) return undefined;
      const registration = toRegistration(row);
      if (registration.facts.revokedAt !== undefined) return undefined;
      return {
        scopes: column.list(row['token_scopes']),
        resource: column.text(row['token_resource']),
        registration,
      };
    });
  }

  /** Revokes one token; its assertion stays active (wire contract §6). */
  async revoke(hash: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const row = await tx.getForUpdate(
        'SELECT registration_id FROM access_tokens WHERE hash = ?',
        [hash],
      );
      if (row === undefined) return;
      await tx.run('DELETE FROM access_tokens WHERE hash = ?', [hash]);
      const cause = { actor: 'agent', at: this.#clock.now() } as const;
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
