/** What stands in the place of a credential. */
const HIDDEN = '[secret removed]';

/**
 * A member of JSON that holds a credential, by its name in the standards and in the dialects, or of a form. What an
 * endpoint for tokens answers to `call` is a credential that the mask has never met.
 */
const MEMBER =
  /("(?:access_token|refresh_token|id_token|identity_assertion|assertion|claim_token|device_code|client_secret|registration_access_token|api_key|credential|token)"\s*:\s*")((?:[^"\\\s]|\\.){12,})"/gi;

/** The text of a body without the credentials that it hands out. An email address is none. */
export function hideCredentials(text: string): string {
  return text.replace(MEMBER, (whole, name: string, value: string) =>
    value.includes('@') || value.startsWith(HIDDEN) ? whole : `${name}${HIDDEN}"`,
  );
}
