import type { AuthenticatedClient } from '../../mock/clients/authenticate-client.ts';
import { requireKnownClient } from '../../mock/clients/require-known-client.ts';
import type { Context, Form } from '../../mock/http/request.ts';
import { json, WireProblem, wireProblem } from '../../mock/http/response.ts';
import { note } from '../../mock/traffic/recording.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import { decodeJwt } from '../../protocol/jwt.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { REDEMPTION_REFUSED } from '../../traffic/exchange.ts';
import { changedAnswer } from '../config/answer-rule.ts';
import type { ServiceConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import { readTarget } from '../token-request/target.ts';
import { tokenAnswer } from '../token-request/token-answer.ts';
import { verifyProviderJwt } from '../trust/jwt-verifier.ts';
import type { RedemptionParts } from './redemption-parts.ts';
import { redemptionTarget } from './redemption-target.ts';
import {
  type Why,
  whyFailed,
  whyNoTarget,
  whyNotTaken,
  whyUnread,
  whyUnverified,
} from './why-refused.ts';

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
  const { clientTokens, clock, config, decisions, random, secrets, verifier } = service;
  // The time of arrival, however long fetching keys takes.
  const now = clock.now();
  const client = await requireClient(service, c.req.raw, form);
  const asked = readTarget(service, form);
  const verified = await verifyProviderJwt(assertion, JWT_TYPE.idJag, verifier);
  if (!verified.ok) {
    noteRefusal(service, c, whyUnverified(verified, assertion, verifier));
    // The `jti` is not spent: the same ID-JAG is good once the keys can be fetched again.
    const isLater = verified.problem === 'keys_unavailable';
    throw wireProblem('token', isLater ? 'temporarily_unavailable' : 'invalid_grant');
  }
  const { claims, trusted } = verified;
  const read = decisions.readIdJag(claims, { trusted, config });
  if (!read.ok) throw refused(service, c, whyUnread(claims, read.claim));
  const facts = { idJag: read.idJag, claims, clientId: client.id, config, now };
  const failed = decisions.redemptionChecks.find(({ holds }) => !holds(facts));
  if (failed !== undefined) throw refused(service, c, whyFailed(failed, facts));
  const { scope } = claims;
  const namedScope = typeof scope === 'string' ? scope : undefined;
  const target = redemptionTarget(read.idJag, namedScope, asked, config);
  if (target instanceof WireProblem) {
    noteRefusal(service, c, whyNoTarget(target, claims, asked, config));
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
  if (refusal !== undefined) throw refused(service, c, whyNotTaken(refusal, claims));
  const { resource, scopes } = target;
  const answer = {
    ...tokenAnswer({ accessToken, lifetime: lifetimes.accessToken, scopes }),
    resource,
  };
  const { claims: rules } = config;
  if (rules.length === 0) return json(answer);
  const token = await clientTokens.find(sha256(accessToken));
  return json(changedAnswer(answer, rules, 'token_response', token));
}

/** Log and record say why; whoever sent it is told nothing of the JWT (EMA §7.4.2). */
export function noteRefusal(
  { log }: Pick<RedemptionParts, 'log'>,
  { req }: Context,
  why: Why,
): void {
  note(req.raw, log, REDEMPTION_REFUSED, why);
}

function refused(service: RedemptionParts, c: Context, why: Why): WireProblem {
  noteRefusal(service, c, why);
  return wireProblem('token', 'invalid_grant');
}

/** @throws WireProblem `invalid_client`, or `invalid_request` for more than one way to authenticate. */
export function requireClient(
  {
    clientDocuments,
    clientTokens,
    clock,
    config,
    log,
  }: Pick<RedemptionParts, 'clientDocuments' | 'clientTokens' | 'clock' | 'config' | 'log'>,
  request: Request,
  form: Form,
): Promise<AuthenticatedClient> {
  return requireKnownClient(request, form, 'token', {
    clients: config.clients,
    allowPublic: config.allowPublic,
    audiences: [config.issuer, config.issuer + PATHS.token],
    clock,
    log,
    spend: (assertion) => clientTokens.spend(assertion),
    documents: clientDocuments,
  });
}
