import { z } from 'zod';
import { readChecked } from '../engine/read-checked.ts';
import type { Account } from './accounts.ts';

const ACCOUNTS = z
  .array(
    z.strictObject({
      email: z.string().regex(/^[^\s@]+@[^\s@]+$/, 'an email address is expected'),
      password: z.string().min(1).optional(),
      notes: z.string().optional(),
    }),
  )
  .min(1);

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
