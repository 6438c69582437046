import { publicDocument, type Route } from '../http/index.ts';
import { pageEnvelope } from './page-envelope.ts';
import type { Site } from './site.ts';
import { STYLE, STYLE_PATH } from './style.ts';

/** Serves the style sheet that every page links to. */
export function styleRoute(site: Site): Route {
  const style = publicDocument(() => STYLE, 'text/css; charset=utf-8');
  return { method: 'GET', path: STYLE_PATH, envelope: pageEnvelope(site), handle: style };
}
