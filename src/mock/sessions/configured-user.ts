import { isPhoneNumber, normalizeEmail } from '../../protocol/index.ts';
import { wrongOption } from '../config/index.ts';

/** A user that exists before the first sign-in. */
interface ConfiguredUser {
  readonly email: string;
  /** E.164. */
  readonly phone?: string;
}

/**
 * A configured user with the email normalized: emails are compared in that form alone.
 * @throws TypeError that says what is wrong with the configuration.
 */
export function configuredUser<U extends ConfiguredUser>(user: U): U {
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
  // Without types, a list of emails is given where users are wanted.
  const email = typeof given === 'string' ? normalizeEmail(given) : undefined;
  if (email === undefined) throw wrongOption(option, given, 'Use an email address.');
  return email;
}
