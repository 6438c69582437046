import type { Registration, Service, Warning } from '../../agent/index.ts';
import { registrationState, userOf } from '../../agent/records/registration-state.ts';
import { specificationState } from '../../protocol/index.ts';
import type { SecretMask } from '../secrets/secret-mask.ts';
import type { JsonMembers, JsonValue } from './answer.ts';
import { foreignLine, foreignToken, foreignWord } from './foreign-text.ts';

/** Words that a service makes up and that are named again later: ids, scopes, URLs. Characters. */
const WORD = 200;
const MOST_SCOPES = 60;

/** What the agent has and has read, as answers show it: without a secret, a stranger's words harmless and capped. */
export class Show {
  readonly #mask: SecretMask;
  /** The time on the clock of an issuer. */
  readonly #now: (issuer: string) => number;

  constructor(mask: SecretMask, now: (issuer: string) => number) {
    this.#mask = mask;
    this.#now = now;
  }

  registration(registration: Registration) {
    const state = registrationState(registration, this.#now(registration.issuer));
    return {
      registration_id: this.id(registration),
      type: registration.type,
      state,
      specification_state: specificationState(state, registration.type),
      service: registration.resource,
      issuer: registration.issuer,
      user: this.user(userOf(registration)),
      provider: registration.provider,
      claimed: registration.claimed,
      scopes_before_claim: this.scopes(registration.preClaimScopes),
      scopes_after_claim: this.scopes(registration.postClaimScopes),
    } satisfies JsonMembers;
  }

  /** Registrations that the service no longer had when it was asked, which a user may not know of. */
  ended(...ended: readonly (Registration | undefined)[]): string | undefined {
    const all = ended.filter((one) => one !== undefined);
    if (all.length === 0) return undefined;
    const ids = all.slice(0, 10).map((one) => foreignWord(one.id, 100, this.#mask));
    return `The service no longer has the earlier registration ${ids.join(', ')}: the user or the service has ended it. Tell the user.`;
  }

  /** The id of a registration: a service makes it up. */
  id(registration: Pick<Registration, 'id'> | undefined): string | null {
    return registration === undefined ? null : foreignToken(registration.id, WORD, this.#mask);
  }

  /** An email address, which a service or a provider may have written. */
  user(user: string | null): string | null {
    return user === null ? null : foreignWord(user, 254, this.#mask);
  }

  /** `null`: the service did not say. */
  scopes(scopes: readonly string[] | null): JsonValue {
    if (scopes === null) return null;
    const shown = scopes.slice(0, MOST_SCOPES).map((one) => foreignToken(one, WORD, this.#mask));
    const more = scopes.length - shown.length;
    return more > 0 ? [...shown, `… and ${more} more`] : shown;
  }

  service({
    issuer,
    resource,
    name,
  }: Pick<Service, 'issuer' | 'resource'> & { name?: string | null | undefined }) {
    const untrusted_name = name == null ? null : foreignLine(name, 80, this.#mask);
    return { issuer, resource, untrusted_name };
  }

  /** Sentences of ours that quote what a service published. */
  warnings(warnings: readonly Warning[]): JsonValue {
    return warnings
      .slice(0, 20)
      .map(({ code, message }) => ({ code, message: foreignLine(message, 300, this.#mask) }));
  }

  /** The seconds until an instant on the clock of `issuer`. */
  secondsUntil(issuer: string, instant: number | null | undefined): number | null {
    return instant == null ? null : secondsLeft(instant - this.#now(issuer));
  }
}

/** Seconds that are left, rounded down; `null`: not known. */
export function secondsLeft(remaining: number | null | undefined): number | null {
  return remaining == null ? null : Math.floor(remaining / 1000);
}
