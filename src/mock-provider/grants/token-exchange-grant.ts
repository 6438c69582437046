import { type Form, json, wireProblem } from '../../mock/index.ts';
import {
  addressProblem,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  isSameOrigin,
  NOT_A_BEARER,
  SECOND,
} from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import { PATHS } from '../metadata.ts';
import { signIdJag } from '../mint/id-jag.ts';
import { parseScope, type Scopes } from '../mint/scopes.ts';
import type { KnownAudience, ProviderConfig } from '../options.ts';
import type { ProviderContext } from '../provider-context.ts';
import { requireParameter } from './client.ts';
import type { Grant } from './index.ts';

/** Token exchange: an ID token for an ID-JAG (RFC 8693 §2, ID-JAG §4.3). */
export const tokenExchangeGrant: Grant = async (provider, form) => {
  const { clock, config, consents, faults, idTokens, log, random, users } = provider;
  if (faults.has('secretDemanded') && form.get('client_secret') === undefined) {
    throw wireProblem('provider', 'invalid_client');
  }
  const { audience, isUnknown, requested, resource, subjectToken } = readRequest(
    form,
    config,
    faults,
  );
  const session = await idTokens.verify(subjectToken);
  const user = session && (await users.find(session.email));
  if (session === undefined || user === undefined) throw wireProblem('provider', 'invalid_grant');

  const minting = await consents.mint(
    {
      email: user.email,
      issuer: config.issuer,
      audience: audience.issuer,
      requested,
      offered: audience.scopes,
      resource,
      authTime: session.authTime * SECOND,
      autoApproved: user.email === config.autoApprove,
      consentSkipped: isUnknown || (await isConsentSkipped(provider, user.email, audience.issuer)),
      freshId: randomToken(random, 'csr_'),
    },
    AGELESS.some((fault) => faults.has(fault))
      ? { ...config.lifetimes, maxAuthAge: Number.POSITIVE_INFINITY }
      : config.lifetimes,
  );
  if (minting.kind === 'ask') {
    throw wireProblem('provider', 'consent_required', {
      members: { consent_uri: `${config.issuer}${PATHS.consent}?request=${minting.requestId}` },
    });
  }
  if (minting.kind === 'refused') {
    const stale = minting.code === 'insufficient_user_authentication';
    const max_age = Math.floor(config.lifetimes.maxAuthAge / SECOND);
    throw wireProblem('provider', minting.code, stale ? { members: { max_age } } : {});
  }
  const { decidedAt, scopes } = minting;
  const oldest = Math.floor((clock.now() - config.lifetimes.maxAuthAge) / SECOND);
  const recent = (authTime: number) => (authTime < oldest ? oldest : authTime);
  const { idJag, expiresIn } = await signIdJag(provider, {
    user,
    audience: audience.issuer,
    resource,
    scopes,
    authTime: faults.has('staleSignInRenewed') ? recent(session.authTime) : session.authTime,
    decidedAt,
  });
  log.info('provider.minted', { audience: audience.issuer });
  return json({
    access_token: idJag,
    issued_token_type: ID_JAG_TOKEN_TYPE,
    token_type: NOT_A_BEARER,
    expires_in: expiresIn,
    ...(scopes !== undefined && !faults.has('idJagScopeUnsaid') && { scope: scopes.join(' ') }),
  });
};

const AGELESS = ['staleSessionMinted', 'staleSignInRenewed', 'sessionNeverEnds'] as const;

/** Faults that ask nobody. */
async function isConsentSkipped(
  { consents, faults }: ProviderContext,
  email: string,
  audience: string,
): Promise<boolean> {
  return (
    faults.has('consentSkipped') ||
    (faults.has('consentForAll') && (await consents.listOf(email)).length > 0) ||
    (faults.has('consentOfAnybody') && (await consents.isKnown(audience)))
  );
}

interface ExchangeRequest {
  readonly audience: KnownAudience;
  /** Nobody knows it, and it is minted for all the same. */
  readonly isUnknown: boolean;
  readonly resource: string | undefined;
  readonly requested: Scopes;
  readonly subjectToken: string;
}

function readRequest(
  form: Form,
  config: ProviderConfig,
  faults: ProviderContext['faults'],
): ExchangeRequest {
  checkRequestedType(form, faults);
  const issuer = requireParameter(form, 'audience');
  const subjectToken = requireParameter(form, 'subject_token');
  if (requireParameter(form, 'subject_token_type') !== ID_TOKEN_TYPE) {
    throw invalid('The subject_token_type is not supported.');
  }
  // RFC 8693 §2.1 wants the two together; nobody acts for somebody else here.
  for (const name of ['actor_token', 'actor_token_type']) {
    if (form.get(name) !== undefined && !faults.has('actorHalfTaken')) {
      throw invalid(`${name} is not supported.`);
    }
  }
  const known = config.audience(issuer);
  if (known === undefined && !faults.has('anyAudienceMinted')) {
    const misnamed = faults.has('unknownAudienceMisnamed');
    throw wireProblem('provider', misnamed ? 'invalid_request' : 'invalid_target');
  }
  const audience = known ?? { issuer, name: issuer };
  const resource = form.get('resource');
  const unchecked = resource === undefined || faults.has('resourceUnchecked');
  if (!unchecked && !belongsTo(resource, audience)) {
    throw wireProblem('provider', 'invalid_target', {
      description: 'The resource does not belong to the audience.',
    });
  }
  return {
    audience,
    isUnknown: known === undefined,
    resource,
    requested: readScope(form),
    subjectToken,
  };
}

function checkRequestedType(form: Form, faults: ProviderContext['faults']): void {
  const given = form.get('requested_token_type');
  if (given === undefined && faults.has('parametersUnchecked')) return;
  if (given !== undefined && faults.has('requestedTypeUnchecked')) return;
  if (requireParameter(form, 'requested_token_type') !== ID_JAG_TOKEN_TYPE) {
    throw invalid('The requested_token_type is not supported.');
  }
}

/** RFC 8707 §2: absolute, no fragment. Whose resources are whose is told by their origin. */
function belongsTo(resource: string, { issuer }: KnownAudience): boolean {
  return addressProblem(resource) === undefined && isSameOrigin(resource, issuer);
}

function readScope(form: Form): Scopes {
  const scope = form.get('scope');
  if (scope === undefined) return undefined;
  const scopes = parseScope(scope);
  if (scopes === undefined) throw wireProblem('provider', 'invalid_scope');
  return scopes;
}

function invalid(description: string) {
  return wireProblem('provider', 'invalid_request', { description });
}
