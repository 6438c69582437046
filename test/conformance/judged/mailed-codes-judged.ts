import { newestMail } from '../services/mailed-codes/post.ts';
import { startMailedCodes } from '../services/mailed-codes.ts';
import type { Judged } from './judge.ts';

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
