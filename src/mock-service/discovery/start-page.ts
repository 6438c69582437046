import { OPENAPI_PATH } from '../../mock/http/openapi-route.ts';
import type { Context } from '../../mock/http/request.ts';
import type { Site } from '../../mock/pages/site.ts';
import {
  getEndpoint as get,
  liveViewLine,
  postEndpoint as post,
  type StartEndpoint,
  type StartView,
  startPage,
} from '../../mock/pages/start-page.ts';
import { AUTHORIZATION_SERVER_PATH, PROTECTED_RESOURCE_PATH } from '../../protocol/urls.ts';
import { shellWord } from '../../runtime/shell-word.ts';
import { describesItself, type ServiceConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import { exampleResource } from '../config/resource.ts';
import type { DialectRoutes, ServiceDialect } from '../dialects/dialect.ts';

/** What a service has in its dialect. */
interface ServedDialect {
  readonly dialect: Pick<ServiceDialect, 'claimGrant' | 'codeMail'>;
  readonly routes: DialectRoutes;
}

/** `GET /`: what this is, and how to try it. */
export function showStart(
  config: ServiceConfig,
  served: ServedDialect,
  site: Site,
  c: Context,
): Promise<Response> {
  return startPage(site, c.req.raw, () => describe(config, served));
}

function describe(config: ServiceConfig, served: ServedDialect): StartView {
  const { issuer } = config;
  const { path: resource } = exampleResource(config);
  return {
    title: 'A mock service for tests',
    about:
      'Agents register here, users claim what they registered, and agents call the API with the tokens that they get.',
    issuer,
    actions: [
      { path: PATHS.connections, text: 'See which agents are connected to your account' },
      ...(served.dialect.codeMail !== undefined
        ? [{ path: PATHS.mails, text: 'Read what this service mailed to you' }]
        : []),
      { path: PATHS.skill, text: 'Read what an agent reads' },
    ],
    lines: [
      {
        line: `agent-auth connect ${issuer} --call ${shellWord(resource)}`,
        description: 'Register an agent and call the API:',
      },
      {
        line: `curl -i ${shellWord(issuer + resource)}`,
        description: 'See how discovery begins, with a call that has no token:',
      },
      {
        line: `curl ${issuer}${PATHS.skill}`,
        description: 'Read every step as curl lines:',
      },
      liveViewLine(issuer),
    ],
    endpoints: endpoints(config, served),
  };
}

function endpoints(
  config: ServiceConfig,
  { dialect, routes }: ServedDialect,
): readonly StartEndpoint[] {
  const { path, resource } = exampleResource(config);
  return [
    get('skill', PATHS.skill, 'what an agent has to do, in Markdown'),
    get('protected_resource_metadata', PROTECTED_RESOURCE_PATH, 'RFC 9728'),
    get('authorization_server_metadata', AUTHORIZATION_SERVER_PATH, 'RFC 8414, with agent_auth'),
    get('jwks', PATHS.jwks, 'the keys of identity assertions'),
    ...[
      post('identity', PATHS.identity, 'registers an agent'),
      post('claim', PATHS.claim, 'opens a claim attempt'),
      post('claim_complete', PATHS.complete, 'takes the code that a user read to the agent'),
      post(
        'token',
        PATHS.token,
        dialect.claimGrant ? 'access tokens, and polls of a claim' : 'access tokens',
      ),
      post('revocation', PATHS.revocation, 'ends an access token'),
      post('events', PATHS.events, 'revocation events of providers'),
      // Not every dialect has each: what answers nobody is not named.
    ].filter(({ path: own }) => routes.api.some((route) => route.path === own)),
    ...(config.redeemsIdJags
      ? [
          post('introspection', PATHS.introspection, 'says what the token of a client is good for'),
          get('authorization', PATHS.authorize, 'says that nobody signs in here'),
        ]
      : []),
    ...(config.servesMcp ? [post('mcp', PATHS.mcp, 'an MCP server, with a token of its own')] : []),
    {
      name: 'resource',
      method: resource.method,
      path,
      description: `needs an access token${resource.scopes.length > 0 ? ` with ${resource.scopes.join(', ')}` : ''}`,
    },
    get('directory', '/api/services.json', 'the directory of services'),
    ...(describesItself(config)
      ? [get('openapi', OPENAPI_PATH, 'this as OpenAPI 3.1, in the dialect flat')]
      : []),
  ];
}
