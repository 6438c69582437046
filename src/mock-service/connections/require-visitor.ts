import type { Context } from '../../mock/http/context.ts';
import { seeOther } from '../../mock/http/replies.ts';
import type { Session, Visitor } from '../../mock/sessions/sessions.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import type { ServiceContext } from '../context/service-context.ts';

export type Visit =
  | (Session & { readonly visitor: Visitor })
  /** No user is signed in: a redirect to the sign-in. */
  | { readonly response: Response };

/** The signed-in user, for a page that needs one. */
export async function requireVisitor({ sessions }: ServiceContext, c: Context): Promise<Visit> {
  const session = await sessions.find(c);
  if (session?.visitor) return { ...session, visitor: session.visitor };
  const { pathname, search } = new URL(c.req.url);
  return {
    response: seeOther(signInUrl(c.req.method === 'POST' ? pathname : pathname + search)),
  };
}
