import type { Secret } from '../../../runtime/index.ts';
import type { WireRequest } from '../../http/peer.ts';
import { jsonRequest } from '../../http/wire-requests.ts';
import type { ReadBackAttempt } from '../../model.ts';

/**
 * Hands in a code that came by mail. The first versions call it `otp`; services that name the URL for it in
 * their answer (`complete_url`) call it `user_code`. The other name is tried once, after `invalid_request`
 * alone: a strict service refuses both in one body, and a code that it did not read is not used up.
 */
export function oneTimeCode(
  url: string,
  claimToken: Secret,
  code: Secret,
  { submitUrl }: Pick<ReadBackAttempt, 'submitUrl'>,
): readonly [WireRequest, WireRequest] {
  const claim_token = claimToken.reveal();
  const otp = jsonRequest(url, { claim_token, otp: code.reveal() });
  const userCode = jsonRequest(url, { claim_token, user_code: code.reveal() });
  return submitUrl === null ? [otp, userCode] : [userCode, otp];
}
