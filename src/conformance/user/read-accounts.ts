import { z } from 'zod';
import { readChecked } from '../engine/read-checked.ts';
import type { Account } from './accounts.ts';
import { EMAIL } from './email.ts';

const TEXT = 'text is expected; put it between quotes';
const ENTRY = z.strictObject(
  {
    email: z.string('an email address is expected').regex(EMAIL, 'an email address is expected'),
    password: z.string(TEXT).min(1, 'it is empty').optional(),
    notes: z.string(TEXT).optional(),
  },
  {
    error: ({ code }) => (code === 'invalid_type' ? 'an entry with email is expected' : undefined),
  },
);
const ACCOUNTS = z.array(ENTRY, 'a list is expected').min(1, 'it lists nobody');

/**
 * Reads the file of `--accounts`, YAML or JSON: a list of `email`, `password` and `notes`.
 * @throws TypeError with a sentence that names the line, and quotes nothing of the file but emails.
 */
export function readAccounts(text: string): readonly [Account, ...Account[]] {
  const { lineOf, value } = readChecked(text, ACCOUNTS);
  const emails = value.map(({ email }) => email);
  const again = emails.findIndex((email, index) => emails.indexOf(email) !== index);
  if (again >= 0) throw new TypeError(`line ${lineOf([again])}: ${emails[again]} is listed twice.`);
  const [first, ...others] = value;
  if (first === undefined) throw new TypeError('it lists nobody.');
  return [first, ...others];
}
