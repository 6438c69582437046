import { type Context, page } from '../../mock/index.ts';
import type { ProviderContext } from '../context/provider-context.ts';

/** `GET /`: what this is, and where to type a code. */
export async function showHome(
  { config, sessions, site, views }: ProviderContext,
  c: Context,
): Promise<Response> {
  const session = await sessions.find(c);
  const body = views.home({
    issuer: config.issuer,
    signedInAs: session?.visitor?.email,
    csrfToken: session?.csrfToken ?? '',
  });
  return page(site, { title: 'Start', body });
}
