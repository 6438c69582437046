/**
 * The mock signs in without passwords. What only a sign-in with them can do wrong is shown by the bugs of
 * the service `raw-http`: bug → the check that it fails, or is warned by.
 */
export const PASSWORD_SIGN_IN_CASES = {
  'account-of-the-second-form': { failed: ['password-sign-in.own-account'], warned: [] },
  'unknown-account-told': { failed: [], warned: ['password-sign-in.unknown-alike'] },
} as const;

export const PASSWORD_SIGN_IN = 'password-sign-in';
