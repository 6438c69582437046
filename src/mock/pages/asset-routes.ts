import { publicDocument, type Route } from '../http/index.ts';
import { FAVICON_PATH, faviconOf } from './favicon.ts';
import { pageEnvelope } from './page-envelope.ts';
import type { Site } from './site.ts';
import { STYLE, STYLE_PATH } from './style.ts';

/** Serves what every page links to: the style sheet and the icon. */
export function assetRoutes(site: Site): readonly Route[] {
  const envelope = pageEnvelope(site);
  const style = publicDocument(() => STYLE, 'text/css; charset=utf-8');
  const favicon = publicDocument(() => faviconOf(site), 'image/svg+xml');
  return [
    { method: 'GET', path: STYLE_PATH, envelope, handle: style },
    { method: 'GET', path: FAVICON_PATH, envelope, handle: favicon },
  ];
}
