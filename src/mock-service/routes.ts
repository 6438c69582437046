import {
  type Envelope,
  eventEnvelope,
  forBrowsers,
  oauthEnvelope,
  pageEnvelope,
  publicReply,
  type Route,
  registrationEnvelope,
  signInRoutes,
  styleRoute,
} from '../mock/index.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  MEDIA_TYPE,
  PROTECTED_RESOURCE_PATH,
} from '../protocol/index.ts';
import { approveOrDeny } from './claim/approve-or-deny.ts';
import { followLink, showClaim } from './claim/claim-page.ts';
import { startClaim } from './claim/start.ts';
import { wantsJson } from './claim/wants-json.ts';
import { PATHS } from './config/paths.ts';
import { endConnection, showConnections } from './connections/connections.ts';
import { reviewLink, showLinkReview } from './connections/link-review.ts';
import type { ServiceContext } from './context/service-context.ts';
import { directoryRoutes } from './directory/index.ts';
import { authorizationServerDocument, resourceMetadata } from './discovery/metadata.ts';
import { skillFile } from './discovery/skill.ts';
import { showStart } from './discovery/start-page.ts';
import { register } from './registration/register.ts';
import { resourceRoutes } from './resource/resource-routes.ts';
import { receiveEvent } from './security-events/receive-event.ts';
import { revoke } from './tokens/revocation.ts';
import { tokenEndpoint } from './tokens/token-endpoint.ts';

/** Every route of the service, in one table. */
export function serviceRoutes(service: ServiceContext): readonly Route[] {
  const { config, keys } = service;
  const serverMetadata = () => publicReply(authorizationServerDocument(config));
  const keySet = () => publicReply(keys.jwks(), MEDIA_TYPE.jwkSet);
  const skill = () => {
    const trusted = service.trust.list().map(({ issuer }) => issuer);
    return publicReply(skillFile(config, trusted), MEDIA_TYPE.markdown);
  };
  const token = tokenEndpoint(service);
  const { event, oauth, registration } = programEnvelopes(service);

  const discovery = { method: 'GET', envelope: registration, crossOrigin: true } as const;
  const api = { method: 'POST', crossOrigin: true } as const;
  return [
    {
      ...discovery,
      path: PROTECTED_RESOURCE_PATH,
      handle: () => resourceMetadata(config, config.issuer),
    },
    { ...discovery, path: AUTHORIZATION_SERVER_PATH, handle: serverMetadata },
    { ...discovery, path: PATHS.jwks, handle: keySet },
    { ...discovery, path: PATHS.skill, handle: skill },
    {
      ...api,
      path: PATHS.identity,
      envelope: registration,
      handle: (c) => register(service, c),
    },
    {
      ...api,
      path: PATHS.claim,
      envelope: registration,
      handle: (c) => startClaim(service, c),
    },
    { ...api, path: PATHS.token, envelope: oauth, handle: token },
    {
      ...api,
      path: PATHS.revocation,
      envelope: oauth,
      handle: (c) => revoke(service, c),
    },
    {
      method: 'POST',
      path: PATHS.events,
      envelope: event,
      handle: (c) => receiveEvent(service, c),
    },
    ...pageRoutes(service),
    ...withResources(service, directoryRoutes(service)),
  ];
}

/** The envelopes of endpoints for programs. */
function programEnvelopes({ site }: ServiceContext) {
  return {
    registration: forBrowsers(site, registrationEnvelope),
    oauth: forBrowsers(site, oauthEnvelope),
    event: forBrowsers(site, eventEnvelope),
  };
}

/**
 * The resources among the routes of the directory: one whose path could be anything comes after all of
 * them, any other before those that have a whole tree.
 */
function withResources(service: ServiceContext, directory: readonly Route[]): readonly Route[] {
  const resources = resourceRoutes(service);
  const isTree = ({ path }: Route) => path.endsWith('/*');
  return [
    ...directory.filter((route) => !isTree(route)),
    ...resources.named,
    ...directory.filter(isTree),
    ...resources.openEnded,
  ];
}

/** What the service's user sees. */
function pageRoutes(service: ServiceContext): readonly Route[] {
  const { config, reader, returnTo, sessions, site, users, views } = service;
  const envelope = pageEnvelope(site);
  const forProgramsToo: Envelope = (problem, request) =>
    (wantsJson(request) ? registrationEnvelope : envelope)(problem, request);
  return [
    { method: 'GET', path: PATHS.start, envelope, handle: (c) => showStart(config, site, c) },
    styleRoute(site),
    ...signInRoutes({
      reader,
      returnTo,
      sessions,
      site,
      views,
      onSignIn: (email) => users.signIn(email),
    }),
    {
      method: 'GET',
      path: `${PATHS.claimLink}/:token`,
      envelope: forProgramsToo,
      handle: (c) => followLink(service, c),
    },
    {
      method: 'GET',
      path: PATHS.claimPage,
      envelope: forProgramsToo,
      handle: (c) => showClaim(service, c),
    },
    {
      method: 'POST',
      path: PATHS.complete,
      envelope: forProgramsToo,
      handle: (c) => approveOrDeny(service, c),
    },
    {
      method: 'GET',
      path: PATHS.connections,
      envelope,
      handle: (c) => showConnections(service, c),
    },
    {
      method: 'POST',
      path: PATHS.connections,
      envelope,
      handle: (c) => endConnection(service, c),
    },
    {
      method: 'GET',
      path: PATHS.linkReview,
      envelope,
      handle: (c) => showLinkReview(service, c),
    },
    { method: 'POST', path: PATHS.linkReview, envelope, handle: (c) => reviewLink(service, c) },
  ];
}
