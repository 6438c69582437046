/**
 * The mock signs in without mails. What only a sign-in by mail can do wrong is shown by the bugs of the
 * service `mailed-codes`: bug → the check that it fails.
 */
export const MAILED_SIGN_IN_CASES = {
  'code-of-anybody': 'mailed-sign-in.own-code',
  'code-twice': 'mailed-sign-in.once',
  'code-guessed': 'mailed-sign-in.guesses',
  'folded-email': 'mailed-sign-in.look-alike',
  'link-signs-in-asker': 'mailed-sign-in.opened-link',
  'link-by-forwarded-host': 'mailed-sign-in.link-host',
} as const;

export const MAILED_SIGN_IN = 'mailed-sign-in';
