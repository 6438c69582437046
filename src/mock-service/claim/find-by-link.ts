import { wireProblem } from '../../mock/http/problems.ts';
import { isStorableText } from '../../protocol/text.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { StoredRegistration } from '../store/rows.ts';

/** The registration of a link. An unknown link and a replaced one get the same answer. */
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
