import { json, wireProblem } from '../../mock/index.ts';
import { ID_JAG_TOKEN_TYPE, NOT_A_BEARER, SECOND } from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import { requireAll } from '../checks/check.ts';
import { requireParameter } from '../checks/require-client.ts';
import { PATHS } from '../config/paths.ts';
import type { Grant } from '../context/provider-context.ts';
import { parseScope } from '../mint/scopes.ts';
import { namedResources } from './named-resources.ts';

/** Token exchange: an ID token for an ID-JAG (RFC 8693 §2, ID-JAG §4.3). */
export const tokenExchangeGrant: Grant = async (provider, form) => {
  const { config, consents, decisions, idTokens, keys, log, random, users } = provider;
  requireAll(decisions.exchangeChecks, {
    form,
    config,
    named: await namedResources(provider, form),
  });
  const audience = requireParameter(form, 'audience');
  const resources = form.getAll('resource');
  const session = await idTokens.verify(requireParameter(form, 'subject_token'));
  const user = session && (await users.find(session.email));
  if (session === undefined || user === undefined) throw wireProblem('provider', 'invalid_grant');

  const minting = await consents.mint(
    {
      email: user.email,
      issuer: config.issuer,
      audience,
      requested: parseScope(form.get('scope') ?? ''),
      offered: config.audience(audience)?.scopes,
      resource: resources.join(' ') || undefined,
      authTime: session.authTime * SECOND,
      autoApproved: user.email === config.autoApprove,
      freshId: randomToken(random, 'csr_'),
    },
    provider,
  );
  if (minting.kind === 'ask') {
    throw wireProblem('provider', 'consent_required', {
      members: {
        consent_uri: `${config.issuer}${PATHS.consent}?request=${minting.requestId}`,
        // Not of the draft: an agent that waits counts what the page counts.
        expires_in: Math.floor(config.lifetimes.consentRequest / SECOND),
      },
    });
  }
  if (minting.kind === 'refused') {
    const stale = minting.code === 'insufficient_user_authentication';
    const max_age = Math.floor(config.lifetimes.maxAuthAge / SECOND);
    throw wireProblem('provider', minting.code, stale ? { members: { max_age } } : {});
  }
  const { decidedAt, scopes } = minting;
  const expiresIn = Math.ceil(config.lifetimes.idJag / SECOND);
  const { typ, claims } = decisions.idJag({
    config,
    jti: randomToken(random, 'jag_'),
    expiresIn,
    user,
    audience,
    resources,
    scopes,
    authTime: session.authTime,
    decidedAt,
  });
  const idJag = await keys.sign(typ, claims);
  log.info('provider.minted', { audience });
  return json({
    access_token: idJag,
    issued_token_type: ID_JAG_TOKEN_TYPE,
    token_type: NOT_A_BEARER,
    expires_in: expiresIn,
    ...(scopes !== undefined && { scope: scopes.join(' ') }),
  });
};
