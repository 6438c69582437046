import type { FindingDetails, Reading } from '../../engine/judge.ts';
import { failing } from '../../engine/rows.ts';
import type { Answer } from '../../http/answer.ts';
import { limitedFor } from '../../target/when-allowed.ts';
import { readClaimBlock } from '../claim-block.ts';

/** Whether a poll or an exchange gave an access token. */
export function isGranted(answer: Answer): boolean {
  return answer.status === 200 && answer.string('access_token') !== undefined;
}

/** Whether the claim is open: `slow_down` says so too (RFC 8628 §3.5). */
export function isPending({ errorCode }: Answer): boolean {
  return errorCode === 'authorization_pending' || errorCode === 'slow_down';
}

/** An access token was given. */
export const granted = (answer: Answer): Reading => ({ ok: isGranted(answer) });

export const notGranted = (answer: Answer): Reading => ({ ok: !isGranted(answer) });

/** A 4xx status, and no access token. */
export const noToken = (answer: Answer): Reading => ({
  ok: answer.refused && answer.string('access_token') === undefined,
  ...failing(answer),
});

/** Its findings do not show the token. */
export const noRefreshToken = (answer: Answer): Reading => ({
  ok: answer.member('refresh_token') === undefined,
  seen: 'It has a refresh_token.',
});

/** The claim is open. */
export const pending = (answer: Answer): Reading => ({ ok: isPending(answer) });

/** A poll brought both an access token and an assertion. */
export const collected = (answer: Answer): Reading => ({
  ok: isGranted(answer) && answer.string('identity_assertion') !== undefined,
});

/** An answer of the claim endpoint: a code and a link. */
export const claimOpened = (answer: Answer): Reading => ({
  ok: answer.status === 200 && readClaimBlock(answer) !== undefined,
});

/** This status with this error code: `410 claim_expired`. */
export const error =
  (status: number, code: string, more: FindingDetails = {}) =>
  (answer: Answer): Reading => ({
    ok: answer.status === status && answer.errorCode === code,
    ...more,
  });

/** What an answer says in its challenge, which is what was seen. */
export const challengeField =
  (test: (field: string, answer: Answer) => boolean) =>
  (answer: Answer): Reading => {
    const field = answer.header('www-authenticate');
    return { ok: test(field ?? '', answer), seen: `WWW-Authenticate: ${field ?? 'none'}` };
  };

/** Words of a `scope` member; undefined when there is none. */
export function scopesOf(answer: Answer): readonly string[] | undefined {
  return answer.string('scope')?.split(' ').filter(Boolean);
}

/** A member that is a list of strings. */
function listOf(answer: Answer, member: string): readonly string[] | undefined {
  const value = answer.member(member);
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}

/** The strings of a list; none where it is no list. */
export function stringsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** The granted scope, where the answer says it, has all that the registration promised. */
export const promisedScopes =
  (registered: Answer) =>
  (answer: Answer): Reading => {
    const given = scopesOf(answer);
    const promised = listOf(registered, 'post_claim_scopes') ?? [];
    return { ok: given === undefined || promised.every((scope) => given.includes(scope)) };
  };

/** What has happened in an exchange. */
interface Exchanged {
  readonly exchange: number | undefined;
  readonly ok?: boolean;
}

/** The exchange that a finding refers to: the first that succeeded, else the first. */
export function shownBy(...all: readonly (Exchanged | undefined)[]): FindingDetails {
  return { exchange: (all.find((each) => each?.ok) ?? all[0])?.exchange };
}

/** RFC 6749 §5.2, RFC 6750 §3: no quote, no backslash, no control character, nothing beyond ASCII. */
const ALLOWED = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** An `error` or `error_description`, where it is a string, has only the allowed characters. */
export function isErrorText(value: unknown): boolean {
  return typeof value !== 'string' || ALLOWED.test(value);
}

/**
 * The answer itself.
 * @throws NeedsOption, CannotTest when it was refused for too many requests only.
 */
export function notLimited(answer: Answer): Answer {
  if (answer.status !== 429) return answer;
  throw limitedFor(answer, 'service');
}

/** The scopes before and after a claim, as far as a service says which they are. */
export class ClaimScopes {
  /** `pre_claim_scopes` of the registration. */
  readonly declared: readonly string[] | undefined;
  /** The scopes as declared, or else as granted before the claim. */
  readonly preClaim: readonly string[] | undefined;
  readonly #postClaim: readonly string[] | undefined;
  readonly #supported: readonly string[];

  /** @param exchanged The first exchange, before the claim. */
  constructor(registered: Answer, exchanged: Answer, metadata: Readonly<Record<string, unknown>>) {
    this.declared = listOf(registered, 'pre_claim_scopes');
    this.preClaim = this.declared ?? scopesOf(exchanged);
    this.#postClaim = listOf(registered, 'post_claim_scopes');
    this.#supported = stringsIn(metadata['scopes_supported']);
  }

  /** Whether an answer grants no more than before the claim. */
  isPreClaim(answer: Answer): boolean {
    return (scopesOf(answer) ?? []).every((scope) => this.preClaim?.includes(scope) ?? true);
  }

  /** Scopes that only a claim brings. */
  get postClaimOnly(): readonly string[] {
    const { preClaim } = this;
    if (preClaim === undefined) return [];
    return (this.#postClaim ?? this.#supported).filter((scope) => !preClaim.includes(scope));
  }

  /** The scopes after the claim: as granted, as promised, or as supported at all. */
  after(claimed: Answer): readonly string[] {
    return scopesOf(claimed) ?? this.#postClaim ?? this.#supported;
  }
}
