import type { Actor } from '../../mock/index.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';

export interface Revocation {
  /** `false`: there was no such consent. */
  readonly revoked: boolean;
  /**
   * How telling the audience stands; `undefined` when nothing was ever to be told. Of several events,
   * one of which it was not told.
   */
  readonly event: OutboxEntry | undefined;
}

/** Which consent is taken back, and by whom. */
export interface Revoked {
  readonly email: string;
  readonly audience: string;
  readonly actor: Actor;
}
