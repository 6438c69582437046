import { timingSafeEqual } from 'node:crypto';
import { type Call, json, type Reply, Stop } from './http.ts';

/** The members of a body of JSON, as if a form had sent them. */
export function jsonForm({ body }: Call): FormData {
  const form = new FormData();
  try {
    const members: unknown = JSON.parse(body.toString());
    for (const [name, value] of Object.entries(members ?? {})) {
      if (typeof value !== 'string') throw new TypeError(name);
      form.set(name, value);
    }
  } catch {
    throw new Stop(json(400, { error: 'invalid_request' }, { 'cache-control': 'no-store' }));
  }
  return form;
}

export function withCookies(reply: Reply, cookies: readonly string[]): Reply {
  return {
    ...reply,
    headers: { ...reply.headers, 'set-COOKIE': cookies, 'cache-CONTROL': 'no-store' },
  };
}

export function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function plain(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`);
}
