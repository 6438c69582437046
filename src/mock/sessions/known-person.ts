import { isPhoneNumber, normalizeEmail } from '../../protocol/index.ts';

/** Somebody whom a mock knows before the first sign-in. */
export interface Person {
  readonly email: string;
  /** E.164. */
  readonly phone?: string;
}

/**
 * A configured person with the email in the one form that is compared: in another spelling it would
 * match nobody.
 * @throws TypeError with a sentence for the person who configured it.
 */
export function knownPerson<P extends Person>(person: P): P {
  if (person.phone !== undefined && !isPhoneNumber(person.phone)) {
    throw new TypeError(`The phone number of ${person.email} is not written like +15551234567.`);
  }
  return { ...person, email: configuredEmail(person.email) };
}

/** @throws TypeError when it is no email address. */
export function configuredEmail(given: string): string {
  const email = normalizeEmail(given);
  if (email === undefined) throw new TypeError(`${given} is not an email address.`);
  return email;
}
