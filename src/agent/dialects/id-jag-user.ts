import { decodeJwt, displayText } from '../../protocol/index.ts';
import { Secret } from '../../runtime/index.ts';
import type { IdentityProof } from './dialect.ts';

/** The user of an ID-JAG, as its claims name it; unverified, since the service alone can verify it. */
export interface IdJagUser {
  readonly provider: string | null;
  /** The user's name at that provider; it means nothing elsewhere. */
  readonly subject: string | null;
  readonly email: string | null;
}

/** Every member is `null` for what is no JWT. */
export function idJagUser(assertion: Secret): IdJagUser {
  const { iss, sub, email } = decodeJwt(assertion.reveal())?.payload ?? {};
  return { provider: text(iss, 200), subject: text(sub, 255), email: text(email, 254) };
}

function text(value: unknown, length: number): string | null {
  return (typeof value === 'string' && displayText(value, length)) || null;
}

/**
 * The specification does not promise a registration id; something must tell two apart. An ID-JAG leads to
 * the live registration of its user (wire contract §3), so that each of them gives the same one.
 * @param given as the answer has it: some services count their registrations.
 * @param secret what the registration gave.
 */
export function registrationId(given: unknown, proof: IdentityProof, secret: Secret): string {
  const named = text(typeof given === 'number' ? String(given) : given, 200);
  return named ?? `unnamed_${(userKey(proof, secret) ?? secret).fingerprint}`;
}

/** Whose registration it is: as the ID-JAG says, else as the service's own assertion does. */
function userKey(proof: IdentityProof, secret: Secret): Secret | undefined {
  if (proof.type !== 'identity_assertion') return undefined;
  const { provider, subject } = idJagUser(proof.assertion);
  const user = subject ?? idJagUser(secret).subject;
  return provider === null || user === null
    ? undefined
    : new Secret(JSON.stringify([provider, user]));
}
