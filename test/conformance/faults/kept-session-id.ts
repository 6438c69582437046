import { replacing } from '../../../src/mock/config/replacing.ts';
import { readCookie } from '../../../src/mock/http/read-cookie.ts';
import type { Context } from '../../../src/mock/http/request.ts';
import type { Sessions } from '../../../src/mock/sessions/sessions.ts';
import type { Database } from '../../../src/mock/store/database.ts';
import { sha256 } from '../../../src/runtime/hash.ts';

/** Sessions that keep their id at a sign-in, even a planted one, where they are meant. */
export function keptSessionId(
  { db, sessions }: { readonly db: Database; readonly sessions: Sessions },
  isMeant: (c: Context) => Promise<boolean> = async () => true,
): Sessions {
  return replacing(sessions, {
    signIn: async (c, key, email) => {
      const isKept = await isMeant(c);
      const headers = await sessions.signIn(c, key, email);
      const [, name = '', made = ''] = /^([^=]+)=([^;]+)/.exec(headers['set-cookie'] ?? '') ?? [];
      const planted = readCookie(c, name);
      if (planted === undefined || !isKept) return headers;
      await db.transaction((tx) =>
        tx.run('UPDATE sessions SET id_hash = ? WHERE id_hash = ?', [
          sha256(planted),
          sha256(made),
        ]),
      );
      return { 'set-cookie': headers['set-cookie']?.replace(made, planted) ?? '' };
    },
  });
}
