import { displayText } from '../../../protocol/index.ts';
import { Secret } from '../../../runtime/index.ts';
import type { IdentityProof } from '../dialect.ts';
import { idJagUser } from '../id-jag-user.ts';

/**
 * The specification does not promise a registration id; something must tell two apart. An ID-JAG leads to
 * the live registration of its user (wire contract §3), so that each of them gives the same one.
 * @param given as the answer has it: some services count their registrations.
 * @param secret what the registration gave.
 */
export function registrationId(given: unknown, proof: IdentityProof, secret: Secret): string {
  const text = typeof given === 'number' ? String(given) : given;
  const named = typeof text === 'string' ? displayText(text, 200) : '';
  return named || `unnamed_${(userKey(proof, secret) ?? secret).fingerprint}`;
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
