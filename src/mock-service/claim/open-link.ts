import { wireProblem } from '../../mock/index.ts';
import { isStorableText } from '../../protocol/index.ts';
import { sha256 } from '../../runtime/index.ts';
import { type Account, decide, type Outcome } from '../claim-machine/index.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { StoredRegistration } from '../store/rows.ts';

/** The registration behind a link. An unknown link and one that a newer replaced look alike. */
export async function findByLink(
  { registrations }: ServiceContext,
  attemptToken: string | undefined,
): Promise<StoredRegistration> {
  const known =
    attemptToken !== undefined && isStorableText(attemptToken)
      ? await registrations.find({ by: 'attempt_token_hash', value: sha256(attemptToken) })
      : undefined;
  if (known === undefined) throw wireProblem('complete', 'invalid_claim_attempt');
  return known;
}

/**
 * What submitting would come to if the code were missing: `invalid_user_code` means that one may be
 * typed. So the page and its form can never disagree. Changes nothing.
 */
export function previewSubmit(
  { moment }: ServiceContext,
  { facts }: StoredRegistration,
  account: Account,
): Outcome {
  return decide('submit', facts, { account, code: 'malformed' }, moment()).outcome;
}
