import type { Context } from 'hono';
import { formOf } from './bodies.ts';
import type { BugId } from './bugs.ts';
import { type Session, same } from './sessions.ts';
import { Refusal, type Site } from './site.ts';

/** The fields of a form of ours, sent from a page of ours in this session. */
export async function ownForm(
  site: Site,
  c: Context,
  session: Session,
): Promise<Readonly<Record<string, string>>> {
  const form = await formOf(c);
  judgeOrigin(site, c);
  judgeCsrf(session, form['_csrf'], site.bug);
  return form;
}

export function judgeCsrf(session: Session, sent: string | undefined, bug?: BugId): void {
  if (bug === 'csrf-only-if-sent' && sent === undefined) return;
  if (sent === undefined || !same(sent, session.csrf))
    throw new Refusal(
      403,
      'csrf_failed',
      'This form is from another session. Load the page again.',
    );
}

/** A browser tells where a POST comes from; what sends nothing has no cookies of a victim. */
export function judgeOrigin(site: Site, c: Context): void {
  const origin = c.req.header('origin');
  const fetchSite = c.req.header('sec-fetch-site');
  const ours =
    origin === site.base ||
    (origin === 'null' ? fetchSite === 'same-origin' : origin === undefined) ||
    false;
  if (!ours || fetchSite === 'cross-site')
    throw new Refusal(403, 'csrf_failed', 'This form was sent from another site.');
}

/** A path of this site, or the front page: nothing that a browser could take for another host. */
export function localTarget(site: Site, next: string | undefined): string {
  const fallback = '/connections';
  if (next === undefined) return fallback;
  if (site.bug === 'next-by-first-slash') return next.startsWith('/') ? next : fallback;
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return fallback;
  const url = new URL(next, site.base);
  // What dots leave of a path can begin with two slashes: `/.//host`.
  const path = url.pathname + url.search;
  return url.origin === site.base && !path.startsWith('//') ? path : fallback;
}
