import { column, type Database, type Faults, type Transaction } from '../../mock/index.ts';
import { MINUTE } from '../../protocol/index.ts';
import type { Clock } from '../../runtime/index.ts';
import type { RegistrationFacts } from '../claim-machine/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import { audit } from './audit.ts';
import { findRegistration } from './registration-store.ts';
import type { StoredRegistration } from './rows.ts';

/** A living access token and the registration it belongs to. */
export interface LiveToken {
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly registration: StoredRegistration;
}

export class TokenStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #faults: Faults<ServiceFault>;

  constructor(db: Database, clock: Clock, faults: Faults<ServiceFault>) {
    this.#db = db;
    this.#clock = clock;
    this.#faults = faults;
  }

  /** `undefined` for unknown, expired and revoked tokens alike. */
  async find(hash: string): Promise<LiveToken | undefined> {
    return this.#db.read(async (reader) => {
      const row = await reader.get('SELECT * FROM access_tokens WHERE hash = ?', [hash]);
      if (row === undefined) return undefined;
      const early = this.#faults.has('tokensEndEarly') ? MINUTE : 0;
      const isOver = this.#clock.now() >= column.number(row['expires_at']) - early;
      if (isOver && !this.#faults.has('tokensEndless')) return undefined;
      const selector = { by: 'id', value: column.text(row['registration_id']) } as const;
      const registration = await findRegistration(reader, selector);
      if (registration === undefined || registration.facts.revokedAt !== undefined)
        return undefined;
      return {
        scopes: column.list(row['scopes']),
        resource: column.text(row['resource']),
        registration,
      };
    });
  }

  /** What was revoked while a fault made it worth knowing. */
  readonly #revoked = new Set<string>();

  wasRevoked(hash: string): boolean {
    return this.#revoked.has(hash);
  }

  /** Whether a token was issued at some time, be it over. */
  async isKnown(hash: string): Promise<boolean> {
    const row = await this.#db.read((reader) =>
      reader.get('SELECT hash FROM access_tokens WHERE hash = ?', [hash]),
    );
    return row !== undefined;
  }

  /** The one that was issued last: what a careless query finds. */
  async newest(): Promise<LiveToken | undefined> {
    const row = await this.#db.read((reader) =>
      reader.get('SELECT hash FROM access_tokens ORDER BY expires_at DESC LIMIT 1', []),
    );
    return row === undefined ? undefined : this.find(column.text(row['hash']));
  }

  /** Every token of the registration that one of them belongs to. */
  async revokeAll(hash: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const row = await tx.get('SELECT registration_id FROM access_tokens WHERE hash = ?', [hash]);
      if (row === undefined) return;
      const id = column.text(row['registration_id']);
      await tx.run('DELETE FROM access_tokens WHERE registration_id = ?', [id]);
    });
  }

  /** Supersedes the assertions of the registration that a token belongs to. */
  async supersede(hash: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const row = await tx.get('SELECT registration_id FROM access_tokens WHERE hash = ?', [hash]);
      if (row === undefined) return;
      const id = column.text(row['registration_id']);
      await tx.run('UPDATE registrations SET version = version + 1 WHERE id = ?', [id]);
    });
  }

  /** Ends one token; the assertion it came from lives on (wire.md §6). */
  async revoke(hash: string): Promise<void> {
    if (this.#faults.has('revokedTold')) this.#revoked.add(hash);
    await this.#db.transaction(async (tx) => {
      const row = await tx.get('SELECT registration_id FROM access_tokens WHERE hash = ?', [hash]);
      if (row === undefined) return;
      await tx.run('DELETE FROM access_tokens WHERE hash = ?', [hash]);
      const cause = { actor: 'agent', at: this.#clock.now() } as const;
      await audit(tx, cause, 'token.revoked', column.text(row['registration_id']));
    });
  }
}

/** Whether an assertion still stands. Those that rest on no ID-JAG stand by their version alone. */
export async function isStanding(
  tx: Transaction,
  { type }: RegistrationFacts,
  jti: string | undefined,
): Promise<boolean> {
  if (type !== 'identity_assertion' || jti === undefined) return true;
  return (await tx.get('SELECT jti FROM assertions WHERE jti = ?', [jti])) !== undefined;
}
