import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import { FAMILIES, type FamilyId } from '../model.ts';
import { memberOf, objectOf, textOf } from '../read.ts';
import type { AnswerRecognition, Given } from './model.ts';
import { readDirection } from './read-ceremony.ts';
import { type HeaderFields, readError } from './read-error.ts';

/**
 * What one answer shows: its family, what it gives, which way the ceremony goes. Of any JSON, without an
 * exception; the members decide, never the status alone.
 */
export function recogniseAnswer(
  body: unknown,
  status = 200,
  headers?: HeaderFields,
): AnswerRecognition {
  const json: JsonObject = isJsonObject(body) ? body : {};
  const secrets = secretsIn(json);
  const gives = givenBy(json, secrets);
  const error = readError(json, status, headers);
  return {
    families: familiesOf(json),
    gives,
    direction: readDirection(json),
    error,
    nothing:
      gives.length > 0 || error !== undefined || isProgress(json)
        ? undefined
        : whyNothing(body, json, secrets),
    remarks: remarksOn(json),
  };
}

/** By whom an answer is written, alone: what {@link recogniseAnswer} says of that. */
export function recogniseWriter(
  json: JsonObject,
): Pick<AnswerRecognition, 'families' | 'direction'> {
  return { families: familiesOf(json), direction: readDirection(json) };
}

interface Secrets {
  readonly assertion: string | undefined;
  readonly credential: string | undefined;
  readonly token: string | undefined;
  readonly refresh: string | undefined;
}

function secretsIn(body: JsonObject): Secrets {
  const identity = objectOf(memberOf(body, 'identity'));
  const first = (...values: readonly unknown[]) =>
    values.map(textOf).find((text) => text !== undefined);
  return {
    assertion: first(memberOf(body, 'identity_assertion'), memberOf(identity, 'assertion')),
    credential: first(
      memberOf(body, 'credential'),
      memberOf(body, 'credential_token'),
      memberOf(body, 'api_key'),
    ),
    token: first(memberOf(body, 'access_token')),
    refresh: first(
      memberOf(objectOf(memberOf(identity, 'refresh_token')), 'value'),
      memberOf(identity, 'refresh_token'),
      memberOf(body, 'refresh_token'),
    ),
  };
}

/** A word where a secret belongs: everybody has it, so it opens nothing. */
const NO_SECRET =
  /^(anonymous|none|null|public|guest|test|demo|placeholder|token|undefined|true|false)$/i;

function isSecret(text: string | undefined): boolean {
  return text !== undefined && !NO_SECRET.test(text);
}

function givenBy(body: JsonObject, secrets: Secrets): readonly Given[] {
  const claim = objectOf(memberOf(body, 'claim'));
  const hasClaim =
    textOf(memberOf(body, 'claim_token')) !== undefined ||
    textOf(memberOf(claim, 'token')) !== undefined ||
    textOf(memberOf(body, 'claim_attempt_id')) !== undefined ||
    readDirection(body) !== undefined;
  const has: Readonly<Record<Given, boolean>> = {
    assertion: isSecret(secrets.assertion),
    credential: isSecret(secrets.credential),
    token: isSecret(secrets.token),
    refresh: isSecret(secrets.refresh),
    claim: hasClaim,
  };
  return (Object.keys(has) as Given[]).filter((given) => has[given]);
}

/** Members that one family alone writes; a claim token beside them says nothing. */
function familiesOf(body: JsonObject): readonly FamilyId[] {
  const has = (name: string) => memberOf(body, name) !== undefined && memberOf(body, name) !== null;
  const claim = objectOf(memberOf(body, 'claim'));
  const isText = (name: string) => textOf(memberOf(body, name)) !== undefined;
  const direction = readDirection(body);
  const shown: Readonly<Record<FamilyId, boolean>> = {
    nested:
      isJsonObject(memberOf(body, 'identity')) ||
      isJsonObject(memberOf(body, 'attempt')) ||
      (isText('id') && isText('type')) ||
      textOf(memberOf(claim, 'token')) !== undefined ||
      isJsonObject(memberOf(claim, 'attempt')),
    flat:
      isText('identity_assertion') ||
      isText('access_token') ||
      (direction === 'type_there' && !isText('credential')) ||
      (isText('claim_token') && isJsonObject(memberOf(body, 'claim'))),
    first:
      has('credential_type') ||
      isText('credential') ||
      isText('credential_token') ||
      isText('api_key') ||
      memberOf(body, 'registration_type') === 'email-verification' ||
      memberOf(body, 'registration_type') === 'agent-provider' ||
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

function whyNothing(given: unknown, body: JsonObject, secrets: Secrets): string {
  if (!isJsonObject(given)) return 'The answer is not a JSON object.';
  const word = Object.values(secrets).find((text) => text !== undefined);
  if (word !== undefined) return `It gives the word “${word}” to everybody, which is no secret.`;
  const hasAccount = [
    'email',
    'external_id',
    'account',
    'user',
    'plan_name',
    'product_environments',
  ].some((name) => memberOf(body, name) !== undefined);
  return hasAccount
    ? 'It describes an account of its vendor, with no assertion, credential or claim of this protocol.'
    : 'It holds no assertion, no credential, no token and no claim.';
}

function remarksOn(body: JsonObject): readonly string[] {
  const list: string[] = [];
  if (isJsonObject(memberOf(body, 'project')) || Array.isArray(memberOf(body, 'capabilities'))) {
    list.push(
      "It has a project and capabilities, which are its vendor's own: a claim without a claim token is a call of that vendor's API.",
    );
  }
  if (textOf(memberOf(body, 'claim_link')) !== undefined) {
    list.push('It has a claim_link, by which the user claims without a code.');
  }
  return list;
}
