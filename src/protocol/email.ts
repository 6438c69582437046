const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const MAX_LENGTH = 254;

/**
 * An email address in the one form that is stored and compared: lower-cased, otherwise exactly as given.
 * ASCII only, one `@`, at most 254 characters; `undefined` for anything else (wire contract §3, A-21).
 */
export function normalizeEmail(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const lower = text.toLowerCase();
  const [local, domain, ...rest] = lower.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return undefined;
  // toLowerCase maps a few non-ASCII letters onto ASCII ones (the Kelvin sign): judge the original too.
  if (!/^[\x21-\x7e]+$/.test(text)) return undefined;
  return LOCAL_PART.test(local) && DOMAIN.test(domain) ? lower : undefined;
}

/** The part after the `@` of a normalized email address. */
export function emailDomain(email: string): string {
  return email.slice(email.indexOf('@') + 1);
}

/** `a•••@example.com`: enough for its owner to know it, too little for a stranger. */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}•••@${emailDomain(email)}`;
}
