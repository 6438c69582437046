import { readFileSync } from 'node:fs';
import { readAccounts } from '../../../src/conformance/user/read-accounts.ts';
import { startWithPasswords } from '../services/with-passwords.ts';
import type { Judged } from './judge.ts';

const file = new URL('../services/with-passwords/accounts.yaml', import.meta.url);

/** Judged with the list of its users: they are six, and new ones cannot sign in. */
export const WITH_PASSWORDS: Judged = {
  start: startWithPasswords,
  options: { accounts: { all: readAccounts(readFileSync(file, 'utf8')), option: '--accounts' } },
};
