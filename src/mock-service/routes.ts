import {
  type Envelope,
  eventEnvelope,
  oauthEnvelope,
  pageEnvelope,
  publicDocument,
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
import { PATHS, PROTECTED_PATHS } from './config/paths.ts';
import { endConnection, showConnections } from './connections/connections.ts';
import { reviewLink, showLinkReview } from './connections/link-review.ts';
import type { ServiceContext } from './context/service-context.ts';
import { directoryRoutes } from './directory/index.ts';
import {
  authorizationServerDocument,
  insertedPath,
  resourceMetadata,
} from './discovery/metadata.ts';
import { skillFile } from './discovery/skill.ts';
import { register } from './registration/register.ts';
import { resource } from './resource/resource.ts';
import { receiveEvent } from './security-events/receive-event.ts';
import { revoke } from './tokens/revocation.ts';
import { tokenEndpoint } from './tokens/token-endpoint.ts';

/** Every route of the service, in one table. */
export function serviceRoutes(service: ServiceContext): readonly Route[] {
  const { config, keys } = service;
  const serverMetadata = () => publicReply(authorizationServerDocument(config));
  const keySet = () => publicReply(keys.jwks(), MEDIA_TYPE.jwkSet);
  const skill = publicDocument(skillFile(config), MEDIA_TYPE.markdown);
  const token = tokenEndpoint(service);

  const discovery = { method: 'GET', envelope: registrationEnvelope } as const;
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
      method: 'POST',
      path: PATHS.identity,
      envelope: registrationEnvelope,
      handle: (c) => register(service, c),
    },
    {
      method: 'POST',
      path: PATHS.claim,
      envelope: registrationEnvelope,
      handle: (c) => startClaim(service, c),
    },
    { method: 'POST', path: PATHS.token, envelope: oauthEnvelope, handle: token },
    {
      method: 'POST',
      path: PATHS.revocation,
      envelope: oauthEnvelope,
      handle: (c) => revoke(service, c),
    },
    {
      method: 'POST',
      path: PATHS.events,
      envelope: eventEnvelope,
      handle: (c) => receiveEvent(service, c),
    },
    ...pageRoutes(service),
    ...PROTECTED_PATHS.flatMap((path) => protectedRoutes(service, path)),
    ...directoryRoutes(service),
  ];
}

/** A protected path, everything below it, and the path-inserted metadata of each (RFC 9728 §3.1). */
function protectedRoutes(service: ServiceContext, path: string): readonly Route[] {
  const { config } = service;
  const handle: Route['handle'] = (c) => resource(service, c);
  const envelope = oauthEnvelope;
  return [
    { method: 'GET', path: `${path}/*`, envelope, handle },
    { method: 'POST', path: `${path}/*`, envelope, handle },
    {
      method: 'GET',
      path: `${PROTECTED_RESOURCE_PATH}${path}/*`,
      envelope: registrationEnvelope,
      handle: (c) => resourceMetadata(config, config.issuer + insertedPath(c)),
    },
  ];
}

/** What the service's user sees. */
function pageRoutes(service: ServiceContext): readonly Route[] {
  const { reader, returnTo, sessions, site, users, views } = service;
  const envelope = pageEnvelope(site);
  const forProgramsToo: Envelope = (problem, request) =>
    (wantsJson(request) ? registrationEnvelope : envelope)(problem, request);
  return [
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
