import { type Envelope, wantsPage } from '../http/request.ts';
import { pageEnvelope } from './page-envelope.ts';
import type { Site } from './site.ts';

/**
 * The envelope of an endpoint for programs. A browser that opens its URL gets a page where the request
 * did not reach the endpoint's own rules: an unknown path, a method that it does not take.
 */
export function forBrowsers(site: Site, envelope: Envelope): Envelope {
  const asPage = pageEnvelope(site);
  return (problem, request) =>
    (problem.surface === 'transport' && wantsPage(request) ? asPage : envelope)(problem, request);
}
