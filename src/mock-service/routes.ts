import type { Context, Envelope, Route } from '../mock/http/request.ts';
import { publicDocument, wireProblem } from '../mock/http/response.ts';
import { assetRoutes } from '../mock/pages/asset-routes.ts';
import { forBrowsers, pageEnvelope } from '../mock/pages/page-envelope.ts';
import { signInRoutes } from '../mock/sessions/sign-in-routes.ts';
import { MEDIA_TYPE } from '../protocol/constants.ts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../protocol/urls.ts';
import { wantsJson } from './claim/claim-form.ts';
import { approveOrDeny, followLink, showClaim } from './claim/claim-page.ts';
import { redeem } from './claim/read-back.ts';
import { confirmOrDeny, denyMailed, showMailed, showReadBack } from './claim/read-back-page.ts';
import { startClaim } from './claim/start-claim.ts';
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
  const { config, dialect, keys, views } = service;
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
  const envelope = forBrowsers(views.site, dialect.problems.registration);
  const discovery = { method: 'GET', envelope, crossOrigin: true } as const;
  const routes = dialect.routes(endpoints(service));
  return [
    {
      ...discovery,
      path: PROTECTED_RESOURCE_PATH,
      handle: publicDocument(() => resourceDocument(config, dialect, config.issuer)),
    },
    { ...discovery, path: AUTHORIZATION_SERVER_PATH, handle: serverMetadata },
    { ...discovery, path: PATHS.jwks, handle: keySet },
    { ...discovery, path: PATHS.skill, handle: skill },
    ...routes.api,
    ...(config.redeemsIdJags ? crossAppRoutes(service) : []),
    ...pageRoutes(service, routes),
    ...(config.servesMcp ? mcpRoutes(service) : []),
    ...withResources(service, directoryRoutes(service)),
  ];
}

/** What cross-app access has beside the token endpoint. */
function crossAppRoutes(service: ServiceContext): readonly Route[] {
  const { dialect, views } = service;
  const { site } = views;
  const called = routesWith(service, forBrowsers(site, dialect.problems.oauth), {
    crossOrigin: true,
  });
  return [
    called('POST', PATHS.introspection, introspect),
    routesWith(service, pageEnvelope(site))('GET', PATHS.authorize, refuseSignIn),
  ];
}

/** `GET /oauth2/authorize`: published since clients cannot read the metadata without it. Nobody is redirected. */
function refuseSignIn(): never {
  throw wireProblem('token', 'unauthorized_client', {
    description:
      'Nobody signs in here: a client redeems an ID-JAG of its identity provider at the token endpoint.',
  });
}

/** What answers at a path. */
type Handle = (service: ServiceContext, c: Context) => Response | Promise<Response>;

/** Routes whose problems are told alike. */
function routesWith(
  service: ServiceContext,
  envelope: Envelope,
  more?: Pick<Route, 'crossOrigin'>,
) {
  return (method: 'GET' | 'POST', path: string, handle: Handle) =>
    ({ ...more, method, path, envelope, handle: (c: Context) => handle(service, c) }) as const;
}

/** What a dialect chooses from. */
function endpoints(service: ServiceContext): ServiceEndpoints {
  const { dialect, views } = service;
  const { event, oauth, registration } = dialect.problems;
  const forPrograms = (envelope: Envelope, more?: Pick<Route, 'crossOrigin'>) =>
    routesWith(service, forBrowsers(views.site, envelope), more);
  const called = { crossOrigin: true } as const;
  const ofAgents = forPrograms(registration, called);
  const ofTokens = forPrograms(oauth, called);
  const page = routesWith(service, forProgramsToo(service));
  const token = tokenEndpoint(service);
  return {
    register: ofAgents('POST', PATHS.identity, register),
    startClaim: ofAgents('POST', PATHS.claim, startClaim),
    token: ofTokens('POST', PATHS.token, (_service, c) => token(c)),
    revoke: ofTokens('POST', PATHS.revocation, revoke),
    // From providers: no page of a browser sends one.
    receiveEvent: forPrograms(event)('POST', PATHS.events, receiveEvent),
    typeThere: {
      page: page('GET', PATHS.claimPage, showClaim),
      complete: page('POST', PATHS.complete, approveOrDeny),
    },
    readBack: {
      page: page('GET', PATHS.claimPage, showReadBack),
      confirm: page('POST', PATHS.claimPage, confirmOrDeny),
      redeem: (wire) => ofAgents('POST', PATHS.complete, (_service, c) => redeem(service, c, wire)),
    },
    mailed: {
      page: page('GET', PATHS.claimPage, showMailed),
      deny: page('POST', PATHS.claimPage, denyMailed),
    },
  };
}

/** A problem of a page, for whom it is: a page, or JSON. */
function forProgramsToo({ dialect, views }: ServiceContext): Envelope {
  const envelope = pageEnvelope(views.site);
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
function pageRoutes(service: ServiceContext, routes: DialectRoutes): readonly Route[] {
  const { config, decisions, dialect, reader, sessions, users, views } = service;
  const { returnTo } = decisions;
  const { site } = views;
  const page = routesWith(service, pageEnvelope(site));
  const pageOrJson = routesWith(service, forProgramsToo(service));
  const start = (c: Context) => showStart(config, { dialect, routes }, site, c);
  const onSignIn = (email: string) => users.signIn(email);
  return [
    page('GET', PATHS.start, (_service, c) => start(c)),
    ...assetRoutes(site),
    ...signInRoutes({ reader, returnTo, sessions, site, views, onSignIn }),
    pageOrJson('GET', `${PATHS.claimLink}/:token`, followLink),
    ...routes.claimPages,
    // In each dialect: a user who looks for a code here is told that none is mailed.
    pageOrJson('GET', PATHS.mails, showMails),
    page('GET', PATHS.connections, showConnections),
    page('POST', PATHS.connections, endConnection),
    page('GET', PATHS.linkReview, showLinkReview),
    page('POST', PATHS.linkReview, reviewLink),
  ];
}
