import { displayText, normalizeEmail } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Registration } from '../model.ts';
import { userOf } from '../records/registration-state.ts';
import { requireEmail } from '../records/require-email.ts';

/**
 * The email address that a claim is to name, checked: only an anonymous registration can be taken over
 * by another user than it names, and only until its claim is complete (wire contract §4).
 * @throws AgentError `bad_email`; for another one than is on record `email_fixed`, or
 *   `already_claimed` where it could be changed before.
 */
export function readClaimEmail(
  registration: Registration,
  given: string | undefined,
): string | undefined {
  if (given === undefined) return undefined;
  const email = requireEmail(given);
  const owner = fixedEmail(registration);
  if (owner !== null && owner !== email) throw emailFixed(registration, owner, email);
  return email;
}

/** The email address that cannot be changed any more; `null` where it can, or is not known. */
function fixedEmail(registration: Registration): string | null {
  if (registration.type === 'anonymous' && !registration.claimed) return null;
  const owner = userOf(registration);
  return owner === null ? null : (normalizeEmail(owner) ?? owner);
}

function emailFixed(registration: Registration, owner: string, other: string): AgentError {
  const { id, type, resource, claimed } = registration;
  const whose = claimed ? 'belongs to' : 'is for';
  return new AgentError(
    `The registration ${id} ${whose} ${displayText(owner, 254)}, which cannot be changed. Nothing was sent.`,
    {
      // One that could be taken over by anybody was: that is no wrong usage.
      code: type === 'anonymous' ? 'already_claimed' : 'email_fixed',
      hint: `Register for ${other}.`,
      next: { command: 'register', args: [resource, '--email', other] },
    },
  );
}
