import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { memberOf, objectOf, textOf } from '../read.ts';
import type { Direction } from './model.ts';

/** The blocks in which a ceremony may stand, and the answer itself, as one vendor has it. */
function blocks(body: JsonObject): readonly JsonObject[] {
  const claim = objectOf(memberOf(body, 'claim'));
  const attempts = [
    memberOf(claim, 'attempt'),
    claim,
    memberOf(body, 'claim_attempt'),
    memberOf(body, 'attempt'),
    body,
  ];
  return attempts.map(objectOf);
}

const PAGES = ['verification_uri', 'verification_url', 'verification_uri_complete'];

/** The direction of a ceremony, by its claim block and never by a version. */
export function readDirection(body: JsonObject): Direction | undefined {
  const all = blocks(body);
  const has = (names: readonly string[]) =>
    all.some((block) => names.some((name) => textOf(memberOf(block, name)) !== undefined));
  const hasPage = has(PAGES);
  if (hasPage) return has(['user_code']) ? 'type_there' : 'read_back_page';
  if (has(['complete_url', 'complete_uri'])) return 'read_back_mailbox';
  // An attempt that was started, and says neither code nor page: the code is in a mail.
  const started = textOf(memberOf(body, 'claim_attempt_id')) !== undefined || isMailed(body);
  return started ? 'read_back_mailbox' : undefined;
}

/** An e-mail registration of the older versions, and an attempt block that is as good as empty. */
function isMailed(body: JsonObject): boolean {
  const type = textOf(memberOf(body, 'registration_type')) ?? textOf(memberOf(body, 'type'));
  if (type === 'email-verification' || type === 'verified_email') return true;
  const claim = memberOf(body, 'claim');
  const attempt = memberOf(body, 'claim_attempt') ?? memberOf(body, 'attempt');
  if (isJsonObject(attempt)) return true;
  return (
    isJsonObject(claim) &&
    textOf(memberOf(claim, 'token')) === undefined &&
    (memberOf(claim, 'expires_in') !== undefined || memberOf(claim, 'expires_at') !== undefined)
  );
}
