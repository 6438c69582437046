import { parse } from 'hono/utils/cookie';
import type { Context } from './request.ts';

/** The value of one cookie of a request. */
export function readCookie({ req }: Context, name: string): string | undefined {
  const sent = req.header('cookie');
  return sent === undefined ? undefined : parse(sent, name)[name];
}
