import type { User } from './user-store.ts';

/** The claims about a user that an ID token and an ID-JAG share. */
export function userClaims({ email, emailVerified, name, phone, tenant }: User) {
  return {
    email,
    email_verified: emailVerified,
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone_number: phone, phone_number_verified: true }),
    ...(tenant !== undefined && { tenant }),
  };
}
