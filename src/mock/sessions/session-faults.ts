/** What a mock can be told to do wrong with sessions and sign-ins. */
export const SESSION_FAULTS = {
  sessionIdKept: 'keeps the id of a session at sign-in, planted ones too (attack A-14)',
  signInUnchecked: 'takes a sign-in from any page (attack A-13)',
  signInByAddress: 'signs in by a GET (RFC 9110 §9.2.1)',
  openRedirect: 'goes on after a sign-in to whatever address return_to says (RFC 9700 §4.11)',
  openRefresh:
    'goes on after a sign-in by a Refresh to whatever address return_to says (attack A-12)',
  originUnchecked: 'minds the token of a form and not its Origin',
  nullOriginTaken: 'takes a form whose Origin is null (attack A-13)',
  nullOriginRefused: 'refuses a form of its own page whose Origin is null',
  headerTokenIgnored: 'does not read the token from X-CSRF-Token',
  jsonOriginDemanded: 'refuses JSON of a program, which has no Origin',
  typedUnescaped: 'writes what was typed into its sign-in page unescaped (attack A-30)',
  signOutUnchecked: 'takes a sign-out from any page (attack A-13)',
  signOutAnywhere: 'goes on after a sign-out to whatever address return_to says (RFC 9700 §4.11)',
  signOutForgetsWay: 'forgets at a sign-out where its visitor wanted to get to',
  signOutOnlyHere: 'takes the cookie away at a sign-out and leaves the session alive',
} as const satisfies Readonly<Record<string, string>>;

export interface SessionFaults {
  has(name: keyof typeof SESSION_FAULTS): boolean;
}

export const NO_SESSION_FAULTS: SessionFaults = { has: () => false };
