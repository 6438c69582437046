import { isSecretName } from '../../traffic/secret-names.ts';
import { HIDDEN } from './secret-mask.ts';

/** What asks for the next page of a list opens nothing, and a model needs it. */
const OF_A_LIST = /(?:page|cursor|continuation|next|sync)[_-]?token$/i;

/**
 * A member of JSON, also of JSON in a string. What an endpoint for tokens answers to `call` is a credential that the
 * mask has never met. It begins with the quote: one that began with the backslashes before it would be tried at each
 * of a long run of them.
 */
const MEMBER = /("([\w.-]{1,64})\\*"\s*:\s*\\*")((?:[^"\\\s]|\\+[^"\\\s]){12,})/g;

/** The same of a form, or of a URL. A `token` there may be that of the next page. */
const FIELD = /\b((?!token=)([\w-]{1,64})=)([^&\s"'<>\\]{12,})/gi;

/** Whether what is sent or answered under this name is a credential. */
export function isCredentialName(name: string): boolean {
  return isSecretName(name) && !OF_A_LIST.test(name);
}

/** A text of a service without the credentials that it hands out. An email address is none. */
export function hideCredentials(text: string): string {
  const hide = (whole: string, before: string, name: string, value: string) =>
    !isCredentialName(name) || /@|%40/.test(value) ? whole : `${before}${HIDDEN}`;
  return text.replace(MEMBER, hide).replace(FIELD, hide);
}
