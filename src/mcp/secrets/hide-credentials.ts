/** What stands in the place of a credential. */
const HIDDEN = '[secret removed]';

/** By their names in the standards and in the dialects, also as they are spelled in JavaScript. */
const NAMES =
  'access_?token|refresh_?token|id_?token|identity_?assertion|claim_?token|device_?code|client_?secret|registration_?access_?token|api_?key';

/**
 * A member of JSON that holds a credential, also of JSON in a string. What an endpoint for tokens answers to `call`
 * is a credential that the mask has never met. It begins with the quote: one that began with the backslashes before
 * it would be tried at each of a long run of them.
 */
const MEMBER = new RegExp(
  String.raw`("(?:${NAMES}|assertion|credential|token)\\*"\s*:\s*\\*")((?:[^"\\\s]|\\+[^"\\\s]){12,})`,
  'gi',
);

/** The same of a form, or of a URL. A `token` there may be that of the next page. */
const FIELD = new RegExp(String.raw`\b((?:${NAMES})=)([^&\s"'<>\\]{12,})`, 'gi');

/** A text of a service without the credentials that it hands out. An email address is none. */
export function hideCredentials(text: string): string {
  const hide = (whole: string, name: string, value: string) =>
    /@|%40/.test(value) ? whole : `${name}${HIDDEN}`;
  return text.replace(MEMBER, hide).replace(FIELD, hide);
}
