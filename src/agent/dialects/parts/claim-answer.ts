import { isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import type { Secret } from '../../../runtime/index.ts';
import type { Answer } from '../../http/answer.ts';
import { readCeremony } from '../../http/read-ceremony.ts';
import { readSecret } from '../../http/read-members.ts';
import type { TypeThereAttempt } from '../../model.ts';
import { readNames } from './read-names.ts';

/** The claim token that the start of a claim gives in place of the one that was sent, where it does. */
export function renewedToken(
  answer: Answer,
  who: string,
  { claim, claim_token: given }: JsonObject,
): { readonly claimToken?: Secret } {
  const value = given ?? (isJsonObject(claim) ? claim['token'] : undefined);
  if (typeof value !== 'string') return {};
  return { claimToken: readSecret(answer, who, 'claim_token', value) };
}

/** What a completed claim reaches, where its answer says so. */
export function completedScopes({ scope, scopes }: JsonObject): {
  readonly scopes?: readonly string[];
} {
  const names = readNames(scopes) ?? readNames(scope);
  return names === null ? {} : { scopes: names };
}

/** An attempt whose code its user types on a page; `undefined` for a block without both. */
export function typeThereAttempt(
  answer: Answer,
  who: string,
  { interval, user_code: code, verification_uri: page }: JsonObject,
  now: number,
  expiresAt: number | null,
): TypeThereAttempt | undefined {
  if (typeof code !== 'string' || typeof page !== 'string') return undefined;
  const members = {
    user_code: code,
    verification_uri: page,
    interval: typeof interval === 'number' && interval > 0 ? interval : undefined,
  };
  const end = expiresAt === null ? undefined : new Date(expiresAt).toISOString();
  return { kind: 'type_there', ...readCeremony(answer, who, members, now, end), ended: null };
}
