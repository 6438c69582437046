import type { AuthenticatedClient } from '../../mock/clients/authenticate-client.ts';
import { requireKnownClient } from '../../mock/clients/require-known-client.ts';
import type { Context } from '../../mock/http/context.ts';
import type { Form } from '../../mock/http/form.ts';
import { WireProblem, wireProblem } from '../../mock/http/problems.ts';
import { json } from '../../mock/http/replies.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { decodeJwt } from '../../protocol/jwt.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { LogFields } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { ServiceConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import { readTarget } from '../token-request/target.ts';
import { verifyProviderJwt } from '../trust/verify-jwt.ts';
import type { RedemptionParts } from './redemption-parts.ts';
import { redemptionTarget } from './redemption-target.ts';

/** Whether an assertion is one of a registration, by the issuer that it says (wire contract §13). */
export function isOwn({ issuer }: Pick<ServiceConfig, 'issuer'>, assertion: string): boolean {
  return decodeJwt(assertion)?.payload['iss'] === issuer;
}

/** The two kinds of assertions share no key. */
export function isFromProvider(
  { trust }: Pick<RedemptionParts, 'trust'>,
  assertion: string,
): boolean {
  return trust.find(decodeJwt(assertion)?.payload['iss']) !== undefined;
}

/**
 * The jwt-bearer grant with an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant §4.4): the access token for
 * one resource, and no refresh token.
 */
export async function redeemIdJag(
  service: RedemptionParts,
  c: Context,
  form: Form,
  assertion: string,
): Promise<Response> {
  const { clientTokens, clock, config, decisions, log, random, secrets, verifier } = service;
  // The time of arrival, however long fetching keys takes.
  const now = clock.now();
  const client = await requireClient(service, c.req.raw, form);
  const asked = readTarget(service, form);
  const verified = await verifyProviderJwt(assertion, JWT_TYPE.idJag, verifier);
  if (!verified.ok) {
    // The `jti` is not spent: the same ID-JAG is good once the keys can be fetched again.
    if (verified.problem === 'keys_unavailable')
      throw wireProblem('token', 'temporarily_unavailable');
    throw refused(service, verified.problem);
  }
  const { claims, trusted } = verified;
  const read = decisions.readIdJag(claims, { trusted, config });
  if (!read.ok) throw refused(service, 'claims');
  const facts = { idJag: read.idJag, claims, clientId: client.id, config, now };
  const failed = decisions.redemptionChecks.find(({ holds }) => !holds(facts));
  if (failed !== undefined) {
    const { claim, description, expected, name } = failed;
    throw refused(service, name, {
      claim,
      expected: expected?.(facts) ?? description,
      seen: JSON.stringify(claims[claim]),
    });
  }
  const { scope } = claims;
  const namedScope = typeof scope === 'string' ? scope : undefined;
  const target = redemptionTarget(read.idJag, namedScope, asked, config);
  if (target instanceof WireProblem) {
    log.info('redemption.refused', {
      check: 'target',
      resource: asked.resource,
      scope: asked.scopes?.join(' '),
      claimed_resource: JSON.stringify(claims['resource']),
      claimed_scope: JSON.stringify(scope),
    });
    throw target;
  }
  const accessToken = secrets.accessToken();
  const { lifetimes } = config;
  const refusal = await clientTokens.redeem(
    read.idJag,
    {
      hash: sha256(accessToken),
      clientId: client.id,
      ...target,
      expiresAt: now + lifetimes.accessToken,
    },
    {
      freshUserId: randomToken(random, 'usr_'),
      now,
      rules: {
        mayReuse: config.idJagReuse,
        makesAccounts: config.jitAccounts,
        clockSkew: lifetimes.clockSkew,
      },
    },
  );
  if (refusal !== undefined) throw refused(service, refusal);
  return json({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.ceil(lifetimes.accessToken / SECOND),
    ...(target.scopes.length > 0 && { scope: target.scopes.join(' ') }),
    resource: target.resource,
  });
}

/** The log says why; whoever sent it is told nothing of the JWT (EMA §7.4.2). */
function refused({ log }: RedemptionParts, check: string, why: LogFields = {}): WireProblem {
  log.info('redemption.refused', { check, ...why });
  return wireProblem('token', 'invalid_grant');
}

/** @throws WireProblem `invalid_client`, or `invalid_request` for more than one way to authenticate. */
export function requireClient(
  {
    clientTokens,
    clock,
    config,
    log,
  }: Pick<RedemptionParts, 'clientTokens' | 'clock' | 'config' | 'log'>,
  request: Request,
  form: Form,
): Promise<AuthenticatedClient> {
  return requireKnownClient(request, form, 'token', {
    clients: config.clients,
    allowPublic: config.allowPublic,
    audiences: [config.issuer, config.issuer + PATHS.token],
    clock,
    log,
    spend: (assertion) => clientTokens.spend(assertion, clock.now()),
  });
}
