import { readFileSync } from 'node:fs';
import { readAccounts } from '../../../src/conformance/user/accounts.ts';
import { newestMail } from '../services/mailed-codes/post.ts';
import { startMailedCodes } from '../services/mailed-codes.ts';
import { startRawHttp } from '../services/raw-http.ts';
import type { Judged } from './judge.ts';

const file = new URL('../services/raw-http/accounts.yaml', import.meta.url);

/** Judged with the list of its users: they are six, and new ones cannot sign in. */
export const RAW_HTTP: Judged = {
  start: startRawHttp,
  options: { accounts: { all: readAccounts(readFileSync(file, 'utf8')), option: '--accounts' } },
};

/** Judged with its mails, as `--mail-command` reads them. */
export function mailedCodes(): Judged {
  let origin = '';
  return {
    start: async (options) => {
      const service = await startMailedCodes(options);
      origin = service.url;
      return service;
    },
    options: { readMail: async (email) => newestMail(origin, email) },
  };
}
