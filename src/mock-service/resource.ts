import type { Context } from 'hono';
import { type Faults, json, type WireProblem, wireProblem } from '../mock/index.ts';
import {
  buildChallenge,
  type CodeAt,
  covers,
  protectedResourceMetadataUrl,
} from '../protocol/index.ts';
import { bearerCredentials } from './bearer-credentials.ts';
import type { ServiceFault } from './faults/index.ts';
import type { ServiceContext } from './service-context.ts';
import { type LiveToken, tokenHash } from './store/index.ts';

const SCOPE_OF_METHOD = { GET: 'api.read', POST: 'api.write' } as const;

/** `/api/resource` and below: GET needs `api.read`, POST needs `api.write` (wire.md §2). */
export async function resource(service: ServiceContext, c: Context): Promise<Response> {
  const scope = SCOPE_OF_METHOD[c.req.method === 'POST' ? 'POST' : 'GET'];
  const { registration, scopes } = await authorize(service, c, scope);
  const { claimedAt, email, id, needsClaim } = registration.facts;
  const claimed = claimedAt !== undefined || !needsClaim;
  return json({
    message: scope === 'api.read' ? 'Here is the resource.' : 'The resource was written.',
    registration_id: id,
    scope: scopes.join(' '),
    user: claimed && email !== undefined ? { email } : null,
  });
}

/**
 * The token of a request, if it is good for this address and scope. Expired, revoked, malformed and
 * unknown tokens look alike; a request without one gets a challenge without `error` (RFC 6750 §3.1).
 */
export async function authorize(
  { config, faults, tokens }: ServiceContext,
  c: Context,
  scope: string,
): Promise<LiveToken> {
  const address = config.issuer + new URL(c.req.url).pathname;
  const credentials = await bearerCredentials(c, faults);
  if (credentials === undefined) throw challenge(faults, address, 'missing_token');
  const { token } = credentials;
  if (token === undefined && faults.has('malformedTold')) {
    throw challenge(faults, address, 'invalid_token', undefined, 'The token is malformed.');
  }
  const live = token === undefined ? undefined : await findToken(tokens, token, faults);
  const isCovered =
    live !== undefined &&
    (covers(live.resource, address) || faults.has('resourceUnbound')) &&
    !(
      faults.has('boundExactly') &&
      live.resource.length > config.issuer.length &&
      live.resource !== address
    );
  if (live === undefined && token !== undefined && (await isToldOver(tokens, token, faults))) {
    throw challenge(faults, address, 'invalid_token', undefined, 'The token is over.');
  }
  if (live === undefined || !isCovered || faults.has('tokensRefused')) {
    throw challenge(faults, address, 'invalid_token');
  }
  const isWide =
    live.scopes.includes(scope) || (faults.has('scopeUnchecked') && scope === 'api.write');
  if (!isWide || faults.has('readRefused')) {
    throw challenge(faults, address, 'insufficient_scope', scope);
  }
  return live;
}

async function isToldOver(
  tokens: ServiceContext['tokens'],
  token: string,
  faults: Faults<ServiceFault>,
): Promise<boolean> {
  const hash = tokenHash(token, faults);
  if (faults.has('revokedTold') && tokens.wasRevoked(hash)) return true;
  return faults.has('expiryTold') && (await tokens.isKnown(hash));
}

async function findToken(
  tokens: ServiceContext['tokens'],
  token: string,
  faults: Faults<ServiceFault>,
): Promise<LiveToken | undefined> {
  const live = await tokens.find(tokenHash(token, faults));
  return live === undefined && faults.has('anyTokenTaken') ? tokens.newest() : live;
}

function challenge(
  faults: Faults<ServiceFault>,
  address: string,
  code: CodeAt<'resource'>,
  neededScope?: string,
  description?: string,
): WireProblem {
  const scope = faults.has('neededScopeUntold') ? undefined : neededScope;
  const isErrorless = code === 'invalid_token' && faults.has('badTokenErrorless');
  const isTokenless = code === 'missing_token';
  const error = isTokenless
    ? faults.has('errorWithoutToken')
      ? 'invalid_token'
      : undefined
    : code;
  const resource_metadata = metadataHint(faults, address, isTokenless);
  return wireProblem('resource', code, {
    ...(description !== undefined && { description }),
    headers: {
      'www-authenticate': buildChallenge('Bearer', {
        resource_metadata,
        error: isErrorless ? undefined : error,
        scope,
      }),
    },
  });
}

/** Where the metadata of an address is, for its challenge (RFC 9728 §5.1). */
function metadataHint(
  faults: Faults<ServiceFault>,
  address: string,
  isTokenless: boolean,
): string | undefined {
  if (faults.has('noMetadataHint') || (!isTokenless && faults.has('badTokenHintless'))) {
    return undefined;
  }
  if (faults.has('hintLeadsNowhere')) return `${new URL(address).origin}/nowhere`;
  const named = faults.has('originMetadataAlone') ? new URL(address).origin : address;
  return protectedResourceMetadataUrl(named);
}
