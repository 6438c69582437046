import { wantsPage } from '../http/request.ts';
import { json } from '../http/response.ts';
import { page } from './page.ts';
import type { Site } from './site.ts';
import { type StartView, startView } from './start-view.ts';

/**
 * The answer of `/`: a page for a browser, for a program what this is and where its documents are.
 * It depends on nothing but the request, and makes no session.
 */
export async function startPage(
  site: Site,
  request: Request,
  view: () => StartView | Promise<StartView>,
): Promise<Response> {
  const start = await view();
  const headers = { vary: 'Accept' };
  if (wantsPage(request)) return page(site, { title: 'Start', body: startView(start), headers });
  const { about, endpoints, issuer } = start;
  return json(
    {
      kind: site.role.toLowerCase(),
      name: site.name,
      issuer,
      description: about,
      endpoints: Object.fromEntries(endpoints.map(({ name, path }) => [name, issuer + path])),
    },
    { headers },
  );
}
