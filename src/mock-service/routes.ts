import { wireProblem } from '../mock/http/problems.ts';
import { publicDocument } from '../mock/http/replies.ts';
import type { Envelope, Route } from '../mock/http/route.ts';
import { assetRoutes } from '../mock/pages/asset-routes.ts';
import { forBrowsers } from '../mock/pages/for-browsers.ts';
import { pageEnvelope } from '../mock/pages/page-envelope.ts';
import { signInRoutes } from '../mock/sessions/sign-in-routes.ts';
import { MEDIA_TYPE } from '../protocol/constants.ts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../protocol/urls.ts';
import { approveOrDeny } from './claim/approve-or-deny.ts';
import { wantsJson } from './claim/claim-form.ts';
import { followLink, showClaim } from './claim/claim-page.ts';
import { confirmOrDeny, denyMailed, showMailed, showReadBack } from './claim/read-back-page.ts';
import { redeem, startClaim } from './claim/redeem.ts';
import { PATHS } from './config/paths.ts';
import {
  endConnection,
  reviewLink,
  showConnections,
  showLinkReview,
} from './connections/connections.ts';
import type { ServiceContext } from './context/service-context.ts';
import type { DialectRoutes, ServiceEndpoints } from './dialects/dialect.ts';
import { directoryRoutes } from './directory/routes.ts';
import { authorizationServerDocument, resourceDocument } from './discovery/metadata.ts';
import { showStart } from './discovery/start-page.ts';
import { showMails } from './mailbox/mailbox.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { introspect } from './redemption/introspection.ts';
import { register } from './registration/register.ts';
import { resourceRoutes } from './resource/resource-routes.ts';
import { receiveEvent } from './security-events/receive-event.ts';
import { revoke } from './tokens/revocation.ts';
import { tokenEndpoint } from './tokens/token-endpoint.ts';

/** Every route of the service, in one table: those that its dialect has, and what every service has. */
export function serviceRoutes(service: ServiceContext): readonly Route[] {
  const { config, dialect, keys, site } = service;
  const serverMetadata = publicDocument(
    () => authorizationServerDocument(config, dialect),
    undefined,
    () => config.clients,
  );
  const jwks = () => keys.jwks();
  const keySet = publicDocument(jwks, MEDIA_TYPE.jwkSet, jwks);
  const trusted = () => service.trust.list();
  const skillText = () =>
    dialect.skill(
      config,
      trusted().map(({ issuer }) => issuer),
    );
  const skill = publicDocument(skillText, MEDIA_TYPE.markdown, trusted);
  const envelope = forBrowsers(site, dialect.problems.registration);
  const discovery = { method: 'GET', envelope, crossOrigin: true } as const;
  const spoken = dialect.routes(endpoints(service));
  return [
    {
      ...discovery,
      path: PROTECTED_RESOURCE_PATH,
      handle: publicDocument(() => resourceDocument(config, dialect, config.issuer)),
    },
    { ...discovery, path: AUTHORIZATION_SERVER_PATH, handle: serverMetadata },
    { ...discovery, path: PATHS.jwks, handle: keySet },
    { ...discovery, path: PATHS.skill, handle: skill },
    ...spoken.api,
    ...(config.redeemsIdJags ? crossAppRoutes(service) : []),
    ...pageRoutes(service, spoken),
    ...(config.servesMcp ? mcpRoutes(service) : []),
    ...withResources(service, directoryRoutes(service)),
  ];
}

/** What cross-app access has beside the token endpoint. */
function crossAppRoutes(service: ServiceContext): readonly Route[] {
  const { dialect, site } = service;
  const envelope = forBrowsers(site, dialect.problems.oauth);
  const post = { method: 'POST', envelope, crossOrigin: true } as const;
  return [
    { ...post, path: PATHS.introspection, handle: (c) => introspect(service, c) },
    { method: 'GET', path: PATHS.authorize, envelope: pageEnvelope(site), handle: refuseSignIn },
  ];
}

/** `GET /oauth2/authorize`: published since clients cannot read the metadata without it. Nobody is redirected. */
function refuseSignIn(): never {
  throw wireProblem('token', 'unauthorized_client', {
    description:
      'Nobody signs in here: a client redeems an ID-JAG of its identity provider at the token endpoint.',
  });
}

/** What a dialect chooses from. */
function endpoints(service: ServiceContext): ServiceEndpoints {
  const { problems } = service.dialect;
  const forPrograms = (envelope: Envelope) => ({
    method: 'POST' as const,
    envelope: forBrowsers(service.site, envelope),
    crossOrigin: true as const,
  });
  const registration = forPrograms(problems.registration);
  const oauth = forPrograms(problems.oauth);
  const { crossOrigin: _fromProviders, ...event } = forPrograms(problems.event);
  const envelope = forProgramsToo(service);
  return {
    register: { ...registration, path: PATHS.identity, handle: (c) => register(service, c) },
    startClaim: { ...registration, path: PATHS.claim, handle: (c) => startClaim(service, c) },
    token: { ...oauth, path: PATHS.token, handle: tokenEndpoint(service) },
    revoke: { ...oauth, path: PATHS.revocation, handle: (c) => revoke(service, c) },
    receiveEvent: { ...event, path: PATHS.events, handle: (c) => receiveEvent(service, c) },
    typeThere: {
      page: {
        method: 'GET',
        path: PATHS.claimPage,
        envelope,
        handle: (c) => showClaim(service, c),
      },
      complete: {
        method: 'POST',
        path: PATHS.complete,
        envelope,
        handle: (c) => approveOrDeny(service, c),
      },
    },
    readBack: {
      page: {
        method: 'GET',
        path: PATHS.claimPage,
        envelope,
        handle: (c) => showReadBack(service, c),
      },
      confirm: {
        method: 'POST',
        path: PATHS.claimPage,
        envelope,
        handle: (c) => confirmOrDeny(service, c),
      },
      redeem: (wire) => ({
        ...registration,
        path: PATHS.complete,
        handle: (c) => redeem(service, c, wire),
      }),
    },
    mailed: {
      page: {
        method: 'GET',
        path: PATHS.claimPage,
        envelope,
        handle: (c) => showMailed(service, c),
      },
      deny: {
        method: 'POST',
        path: PATHS.claimPage,
        envelope,
        handle: (c) => denyMailed(service, c),
      },
    },
  };
}

/** A problem of a page, for whom it is: a page, or JSON. */
function forProgramsToo({ dialect, site }: ServiceContext): Envelope {
  const envelope = pageEnvelope(site);
  return (problem, request) =>
    (wantsJson(request) ? dialect.problems.registration : envelope)(problem, request);
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
function pageRoutes(service: ServiceContext, spoken: DialectRoutes): readonly Route[] {
  const { config, dialect, reader, returnTo, sessions, site, users, views } = service;
  const envelope = pageEnvelope(site);
  return [
    {
      method: 'GET',
      path: PATHS.start,
      envelope,
      handle: (c) => showStart(config, { dialect, routes: spoken }, site, c),
    },
    ...assetRoutes(site),
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
      envelope: forProgramsToo(service),
      handle: (c) => followLink(service, c),
    },
    ...spoken.claimPages,
    // In each dialect: a user who looks for a code here is told that none is mailed.
    {
      method: 'GET',
      path: PATHS.mails,
      envelope: forProgramsToo(service),
      handle: (c) => showMails(service, c),
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
