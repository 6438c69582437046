import type { Route } from '../http/request.ts';
import { publicDocument } from '../http/response.ts';
import { FAVICON_PATH, faviconOf } from './favicon.ts';
import { pageEnvelope } from './page-envelope.ts';
import type { Site } from './site.ts';
import { STYLE, STYLE_PATH } from './style.ts';

interface Asset {
  readonly path: string;
  readonly answer: () => Response;
}

/** What every page links to: the style sheet and the icon. */
function pageAssets(site: Site): readonly Asset[] {
  return [
    { path: STYLE_PATH, answer: publicDocument(() => STYLE, 'text/css; charset=utf-8') },
    { path: FAVICON_PATH, answer: publicDocument(() => faviconOf(site), 'image/svg+xml') },
  ];
}

/** Serves them. */
export function assetRoutes(site: Site): readonly Route[] {
  const envelope = pageEnvelope(site);
  return pageAssets(site).map(({ answer, path }) => {
    return { method: 'GET', path, envelope, handle: answer };
  });
}
