import { readFileSync } from 'node:fs';
import { readAccounts } from '../../../src/conformance/user/accounts.ts';
import { startRawHttp } from '../services/raw-http.ts';
import type { Judged } from './judge.ts';

const file = new URL('../services/raw-http/accounts.yaml', import.meta.url);

/** Judged with the list of its users: they are six, and new ones cannot sign in. */
export const RAW_HTTP: Judged = {
  start: startRawHttp,
  options: { accounts: { all: readAccounts(readFileSync(file, 'utf8')), option: '--accounts' } },
};
