/**
 * A service that sends what `agent-registration.md` and `service-directory.md` show, and nothing else: no
 * ids, no lifetimes, no interval, no `token_type`, no words beside an error, no control to deny. Where they
 * show nothing it does the next best thing. It keeps what it promises there: sign-in, claim, second version.
 */

import { directory } from './as-shown/directory.ts';
import { answerEvent } from './as-shown/events.ts';
import { Identities } from './as-shown/identities.ts';
import { answerClaim, answerSignIn, showClaim } from './as-shown/pages.ts';
import { openClaim, register, revoke, token } from './as-shown/protocol.ts';
import type { Service } from './as-shown/service.ts';
import { Signer } from './as-shown/signer.ts';
import { listen, type Routes, type RunningService, type ServiceOptions } from './support.ts';

const READ_AND_WRITE = ['api.read', 'api.write'];

export async function startAsShown(options: ServiceOptions = {}): Promise<RunningService> {
  const { origin, close } = await listen(async (base) => (await asShown(base, options)).routes);
  return { url: origin, resource: `${origin}/api/resource`, close };
}

/** The same without a port. */
export async function asShown(
  base: string,
  { trust = [], now = Date.now }: ServiceOptions,
): Promise<{ readonly service: Service; readonly routes: Routes }> {
  const signer = await Signer.create(base, trust, now);
  const service = { base, now, signer, identities: new Identities(now), visitors: new Map() };
  const metadata = () => Response.json(metadataOf(base));
  const bearer = (request: Request) =>
    /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  return {
    service,
    routes: {
      '/.well-known/oauth-protected-resource': { GET: metadata },
      '/.well-known/oauth-authorization-server': { GET: metadata },
      '/auth.md': { GET: skill },
      '/api/resource': {
        GET: (request) => {
          const identity = service.identities.ofToken(bearer(request));
          if (identity !== undefined) return Response.json({ scope: identity.scope });
          const hint = `Bearer resource_metadata=${base}/.well-known/oauth-protected-resource`;
          return new Response(null, { status: 401, headers: { 'www-authenticate': hint } });
        },
      },
      '/agent/identity': { POST: (request) => register(service, request) },
      '/agent/identity/claim': { POST: (request) => openClaim(service, request) },
      '/claim': { GET: (request) => showClaim(service, request) },
      '/sign-in': { POST: (request) => answerSignIn(service, request) },
      '/agent/identity/claim/complete': { POST: (request) => answerClaim(service, request) },
      '/oauth2/token': { POST: (request) => token(service, request) },
      '/oauth2/revoke': { POST: (request) => revoke(service, request) },
      '/agent/event/notify': { POST: (request) => answerEvent(service, request) },
      ...directory(base),
    },
  };
}

function metadataOf(base: string): object {
  return {
    resource: base,
    authorization_servers: [base],
    scopes_supported: READ_AND_WRITE,
    bearer_methods_supported: ['header'],
    issuer: base,
    token_endpoint: `${base}/oauth2/token`,
    revocation_endpoint: `${base}/oauth2/revoke`,
    grant_types_supported: [
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'urn:vendor:agent-auth:grant-type:claim',
    ],
    agent_auth: {
      skill: `${base}/auth.md`,
      identity_endpoint: `${base}/agent/identity`,
      claim_endpoint: `${base}/agent/identity/claim`,
      events_endpoint: `${base}/agent/event/notify`,
      identity_types_supported: ['anonymous', 'identity_assertion', 'service_auth'],
      identity_assertion: {
        assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
      },
      events_supported: [
        'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked',
      ],
    },
  };
}

function skill(): Response {
  const steps = ['Discover', 'Register', 'Claim', 'Exchange', 'Use', 'Handle revoke'];
  return new Response(steps.map((step) => `## ${step}\n`).join('\n'), {
    headers: { 'content-type': 'text/markdown' },
  });
}
