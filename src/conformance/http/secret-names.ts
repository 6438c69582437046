/** Members, parameters and fields whose values are secrets wherever they occur. */
export const SECRET_NAMES: readonly string[] = [
  'access_token',
  'credential',
  'api_key',
  'otp',
  'assertion',
  'identity_assertion',
  'claim_token',
  'claim_attempt_token',
  'subject_token',
  'actor_token',
  'id_token',
  'refresh_token',
  'device_code',
  'user_code',
  'client_secret',
  'client_assertion',
  'csrf_token',
  '_csrf',
  'csrf',
  'authenticity_token',
  'password',
  'token',
];

/** Secrets only in forms and URLs: in JSON a `code` is mostly that of an error. */
export const FIELD_NAMES: readonly string[] = ['code'];

/** A field of a form; bounded, so that a hostile page cannot cost time. */
export const INPUT = /<input\b(?:"[^"]{0,4000}"|'[^']{0,4000}'|[^<>"']){0,400}>/gi;

export function isSecretField(name: string): boolean {
  return SECRET_NAMES.includes(name.toLowerCase()) || FIELD_NAMES.includes(name.toLowerCase());
}

/** Name, type and value of a field, whatever their order and quotes. */
export function readInput(input: string): {
  readonly name: string;
  readonly type: string;
  readonly value: string | undefined;
} {
  return {
    name: attribute(input, 'name') ?? '',
    type: (attribute(input, 'type') ?? 'text').toLowerCase(),
    value: attribute(input, 'value'),
  };
}

function attribute(input: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
    input,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
