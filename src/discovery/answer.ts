import { isJsonObject, type JsonObject } from '../protocol/index.ts';
import { FAMILIES, type FamilyId } from './model.ts';
import { firstMember, listOf, memberOf, objectOf, textAt, textOf } from './read.ts';

/**
 * Who gives the code to whom: the user types the agent's code on a page; or reads one back to the agent, from
 * a page or from a mail.
 */
export type Direction = 'type_there' | 'read_back_page' | 'read_back_mailbox';

/** What one answer of a service shows, by its members alone. */
export interface AnswerRecognition {
  /** The families whose members it has, the plainest first; empty where it has none of any. */
  readonly families: readonly FamilyId[];
  /** `undefined`: no claim attempt is open yet, or none is needed. */
  readonly direction: Direction | undefined;
  /** Why nothing in it can be used; `undefined` where something can, or where it is an error. */
  readonly nothing: string | undefined;
}

/** What any JSON is recognised as, without an exception; the members decide, never the status alone. */
export function recogniseAnswer(given: unknown, status = 200): AnswerRecognition {
  const body = objectOf(given);
  const claim = objectOf(memberOf(body, 'claim'));
  const direction = readDirection(body, claim);
  const words = secretsIn(body);
  const opensClaim =
    direction !== undefined ||
    textAt(claim, 'token') !== undefined ||
    ['claim_token', 'claim_attempt_id'].some((name) => textAt(body, name) !== undefined);
  const error = memberOf(body, 'error') ?? listOf(memberOf(body, 'errors')).find(isJsonObject);
  const isError = status >= 400 || isJsonObject(error) || textOf(error) !== undefined;
  const isUsable = opensClaim || words.some((word) => !NO_SECRET.test(word));
  return {
    families: familiesOf(body, claim, direction),
    direction,
    nothing: isUsable || isError || isProgress(body) ? undefined : whyNothing(given, words),
  };
}

/** A word where a secret belongs: everybody has it, so it opens nothing. */
const NO_SECRET =
  /^(anonymous|none|null|public|guest|test|demo|placeholder|token|undefined|true|false)$/i;

/** What an answer holds that an agent could go on with. */
function secretsIn(body: JsonObject): readonly string[] {
  const identity = objectOf(memberOf(body, 'identity'));
  const refresh = memberOf(identity, 'refresh_token');
  return [
    ...['identity_assertion', 'credential', 'credential_token', 'api_key', 'access_token'].map(
      (name) => textAt(body, name),
    ),
    ...[memberOf(identity, 'assertion'), refresh, memberOf(objectOf(refresh), 'value')].map(textOf),
    textAt(body, 'refresh_token'),
  ].filter((text) => text !== undefined);
}

const PAGES = ['verification_uri', 'verification_url', 'verification_uri_complete'];

/** The direction of a ceremony, by its claim block and never by a version. */
function readDirection(body: JsonObject, claim: JsonObject): Direction | undefined {
  const attempt = memberOf(body, 'claim_attempt') ?? memberOf(body, 'attempt');
  // The blocks in which a ceremony may stand, and the answer itself, as one vendor has it.
  const blocks = [objectOf(memberOf(claim, 'attempt')), claim, objectOf(attempt), body];
  const has = (names: readonly string[]) =>
    blocks.some((block) => names.some((name) => textAt(block, name) !== undefined));
  if (has(PAGES)) return has(['user_code']) ? 'type_there' : 'read_back_page';
  const type = textAt(body, 'registration_type') ?? textAt(body, 'type');
  const isMailed =
    has(['complete_url', 'complete_uri']) ||
    // An attempt that was started, and says neither code nor page: the code is in a mail.
    textAt(body, 'claim_attempt_id') !== undefined ||
    isJsonObject(attempt) ||
    // An e-mail registration of the older versions, and a claim that is as good as empty.
    type === 'email-verification' ||
    type === 'verified_email' ||
    (textAt(claim, 'token') === undefined &&
      firstMember(claim, ['expires_in', 'expires_at']) !== undefined);
  return isMailed ? 'read_back_mailbox' : undefined;
}

/** Members that one family alone writes; a claim token beside them says nothing. */
function familiesOf(
  body: JsonObject,
  claim: JsonObject,
  direction: Direction | undefined,
): readonly FamilyId[] {
  const isText = (name: string) => textAt(body, name) !== undefined;
  const isObject = (name: string) => isJsonObject(memberOf(body, name));
  const type = memberOf(body, 'registration_type');
  const shown: Readonly<Record<FamilyId, boolean>> = {
    nested:
      isObject('identity') ||
      isObject('attempt') ||
      (isText('id') && isText('type')) ||
      textAt(claim, 'token') !== undefined ||
      isJsonObject(memberOf(claim, 'attempt')),
    flat:
      isText('identity_assertion') ||
      isText('access_token') ||
      (direction === 'type_there' && !isText('credential')) ||
      (isText('claim_token') && isObject('claim')),
    first:
      (memberOf(body, 'credential_type') ?? undefined) !== undefined ||
      ['credential', 'credential_token', 'api_key'].some(isText) ||
      type === 'email-verification' ||
      type === 'agent-provider' ||
      (direction === 'read_back_mailbox' && isText('claim_attempt_id')),
  };
  return FAMILIES.filter((family) => shown[family]);
}

/** An answer about a registration that is there already: nothing is given, and nothing is wrong. */
function isProgress(body: JsonObject): boolean {
  const status = memberOf(body, 'status');
  return (
    typeof status === 'string' && /^(initiated|pending|claimed|confirmed|verified)$/.test(status)
  );
}

/** Members by which vendors describe an account. */
const OF_ACCOUNTS = [
  'email',
  'external_id',
  'account',
  'user',
  'plan_name',
  'product_environments',
];

function whyNothing(given: unknown, [word]: readonly string[]): string {
  if (!isJsonObject(given)) return 'The answer is not a JSON object.';
  if (word !== undefined) return `It gives the word “${word}” to everybody, which is no secret.`;
  return firstMember(given, OF_ACCOUNTS) === undefined
    ? 'It holds no assertion, no credential, no token and no claim.'
    : 'It describes an account of its vendor, with no assertion, credential or claim of this protocol.';
}
