import type { IdentityType } from '../protocol/index.ts';
import type { Secret } from '../runtime/index.ts';

/**
 * An answer of success that was not understood: the service did something, and this copy is the only
 * record of it. It may hold secrets.
 */
export interface KeptAnswer {
  /** `kept_` and eight characters: what `forgetKept` takes. */
  readonly id: string;
  /** Who answered. */
  readonly issuer: string;
  /** The service that it is about. */
  readonly resource: string;
  /** Its own name, cleaned. */
  readonly name: string | null;
  /** What was asked for: `claimed` is a poll of a claim, `sign_in` is at a provider. */
  readonly of: 'registration' | 'claim' | 'claimed' | 'token' | 'refresh' | 'sign_in';
  /** The type that was asked for: with `registration`. */
  readonly type: IdentityType | null;
  /** The user that it was asked for. */
  readonly email: string | null;
  /** The issuer and subject of the ID-JAG: with `identity_assertion`. Left out: not known. */
  readonly provider?: string | null;
  readonly subject?: string | null;
  /** The stored registration that it belongs to, where there is one. */
  readonly registrationId: string | null;
  /** When it was kept, on this machine's clock. */
  readonly keptAt: number;
  /** The status of HTTP. */
  readonly status: number;
  /** The body as it came, at most 64 KiB of it. */
  readonly body: Secret;
  /** Whether it was longer. */
  readonly truncated: boolean;
  /** Its members and their types, never a value: `registration_id: string`. */
  readonly members: readonly string[];
}
