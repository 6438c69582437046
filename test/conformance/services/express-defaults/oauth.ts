import { type Request, type Response, Router } from 'express';
import type { App } from '../express-defaults.ts';
import type { Registration } from './accounts.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLAIM = 'urn:vendor:agent-auth:grant-type:claim';

const NAMES = ['grant_type', 'assertion', 'claim_token', 'scope'];

export function oauthRouter({ accounts, tokens, now, bug }: App): Router {
  const router = Router();

  router.post('/oauth2/token', async (request: Request, response: Response) => {
    response.set('Cache-Control', 'no-store').set('Pragma', 'no-cache');
    const given = NAMES.map((name) => request.body[name]);
    // RFC 6749 §3.2: what has no value is as though it were left out.
    const [grant, assertion, claimToken, scope] = given.map((value) => value || undefined);
    // A parameter that stands twice is parsed to a list (RFC 6749 §3.2).
    if (given.some((value) => value !== undefined && typeof value !== 'string')) {
      return refuse(response, 'invalid_request');
    }
    // RFC 6749 §2.3: this service has no clients with credentials.
    if (request.get('authorization')?.match(/^Basic /i)) {
      response.set('WWW-Authenticate', 'Basic realm="token"');
      return refuse(response, 'invalid_client', 401);
    }
    if (request.body.client_secret ?? request.body.client_assertion) {
      return refuse(response, 'invalid_client', 401);
    }
    if (grant === JWT_BEARER) {
      if (assertion === undefined) return refuse(response, 'invalid_request');
      const read = await tokens.read(assertion);
      const registration = accounts.withId(read?.id ?? '');
      if (registration === undefined || read?.version !== registration.version) {
        return refuse(response, 'invalid_grant');
      }
      return grantTo(registration, scope, response);
    }
    if (grant === CLAIM && bug !== 'anonymous-alone') {
      if (claimToken === undefined) return refuse(response, 'invalid_request');
      const registration = accounts.withClaimToken(claimToken);
      if (registration === undefined || registration.state === 'revoked') {
        return refuse(response, 'invalid_grant');
      }
      if (registration.state === 'claimed') return grantTo(registration, scope, response, true);
      const isOver = registration.attempt && !accounts.isLive(registration);
      if (isOver || now() >= registration.until) return refuse(response, 'expired_token');
      return refuse(response, 'authorization_pending');
    }
    refuse(response, grant === undefined ? 'invalid_request' : 'unsupported_grant_type');
  });

  router.post('/oauth2/revoke', (request: Request, response: Response) => {
    const { token } = request.body;
    if (typeof token !== 'string') return refuse(response, 'invalid_request');
    accounts.revokeToken(token);
    response.status(200).end();
  });

  return router;

  async function grantTo(
    registration: Registration,
    scope: string | undefined,
    response: Response,
    withAssertion = false,
  ): Promise<void> {
    const own = registration.state === 'claimed' ? ['api.read', 'api.write'] : ['api.read'];
    const asked: string[] = scope?.split(' ') ?? own;
    if (asked.some((scope) => !own.includes(scope))) return refuse(response, 'invalid_scope');
    const { token, seconds } = accounts.token(registration);
    response.json({
      access_token: token,
      token_type: 'Bearer',
      expires_in: seconds,
      scope: asked.join(' '),
      ...(withAssertion && { identity_assertion: await tokens.sign(registration) }),
    });
  }
}

function refuse(response: Response, error: string, status = 400): void {
  response.status(status).json({ error });
}
