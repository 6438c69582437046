/** What an authorization request meets: the page, a user who is signed in without it, or one who refuses. */
export type SignInDecision =
  | { readonly kind: 'ask' }
  | { readonly kind: 'approve'; readonly email: string }
  | { readonly kind: 'deny' };
