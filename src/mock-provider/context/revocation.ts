import type { Actor } from '../../mock/audit/audit.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';

export interface Revocation {
  /** `false`: there was no such consent. */
  readonly revoked: boolean;
  /**
   * The event that notifies the audience; `undefined` when there never was one. Of several events,
   * one that was not delivered.
   */
  readonly event: OutboxEntry | undefined;
}

/** Which consent is revoked, and by whom. */
export interface Revoked {
  readonly email: string;
  readonly audience: string;
  /** Whose consent it is. `undefined`: the agent's. */
  readonly client?: string | undefined;
  readonly actor: Actor;
}
