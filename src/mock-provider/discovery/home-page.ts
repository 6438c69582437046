import type { Context } from '../../mock/http/context.ts';
import { startPage } from '../../mock/pages/start-page.ts';
import type { ProviderContext } from '../context/provider-context.ts';

/** `GET /`: what this is, where to type a code, and how to try it. */
export function showHome(
  { config, sessions, site, views }: ProviderContext,
  c: Context,
): Promise<Response> {
  return startPage(site, c.req.raw, async () => {
    const session = await sessions.find(c);
    return views.home({
      issuer: config.issuer,
      signedInAs: session?.visitor?.email,
      csrfToken: session?.csrfToken ?? '',
    });
  });
}
