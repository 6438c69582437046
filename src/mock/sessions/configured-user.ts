import { normalizeEmail } from '../../protocol/email.ts';
import { isPhoneNumber } from '../../protocol/phone.ts';
import { wrongOption } from '../config/wrong-option.ts';

/** A user that exists before the first sign-in. */
interface ConfiguredUser {
  readonly email: string;
  /** E.164. */
  readonly phone?: string;
}

/**
 * The configured users.
 * @throws TypeError that says what is wrong with the configuration.
 */
export function configuredUsers<U extends ConfiguredUser>(users: readonly U[] = []): readonly U[] {
  // Without types, an email is given where a user is wanted.
  if (!Array.isArray(users) || users.some((user) => typeof user !== 'object' || user === null)) {
    throw wrongOption(
      'users',
      users,
      "Use a list of { email }, such as [{ email: 'alice@example.com' }].",
    );
  }
  return users.map(configuredUser);
}

/** A user with the email normalized: emails are compared in that form alone. */
function configuredUser<U extends ConfiguredUser>(user: U): U {
  if (user.phone !== undefined && !isPhoneNumber(user.phone)) {
    throw wrongOption('users.phone', user.phone, 'Use a number like +15551234567.');
  }
  return { ...user, email: configuredEmail(user.email, 'users.email') };
}

/**
 * @param option where it was given
 * @throws TypeError when it is no email address.
 */
export function configuredEmail(given: string, option: string): string {
  const email = typeof given === 'string' ? normalizeEmail(given) : undefined;
  if (email === undefined) throw wrongOption(option, given, 'Use an email address.');
  return email;
}
