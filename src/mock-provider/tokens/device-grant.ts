import { wireProblem } from '../../mock/http/response.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { requireParameter } from '../checks/require-agent.ts';
import type { Grant } from '../context/provider-context.ts';
import { answer, freshTokens } from './code-grant.ts';
import { isAgent } from './identify-client.ts';

/** The device grant: polled until the user has decided (RFC 8628 §3.4, §3.5). */
export const deviceGrant: Grant = async (provider, form, client) => {
  const { codes, config, decisions, devices, log, random, signInTokens } = provider;
  if (!config.agentAuth) throw wireProblem('provider', 'unauthorized_client');
  const deviceCodeHash = sha256(requireParameter(form, 'device_code'));
  const polled = await devices.poll(deviceCodeHash, client.id, decisions);
  if (polled === undefined) throw wireProblem('provider', 'invalid_grant');
  const { decision, facts } = polled;
  if (decision.kind !== 'signed_in') throw wireProblem('provider', decision.code);
  log.info('provider.signed_in', { client: client.id });
  const { authTime, email } = decision;
  const session = { clientId: client.id, email, scopes: facts.scopes, authTime };
  if (!isAgent(provider, client.id)) {
    const tokens = freshTokens(provider);
    await codes.grant(deviceCodeHash, session, tokens.stored);
    return answer(provider, session, tokens);
  }
  const access = randomToken(random, 'pat_');
  await signInTokens.issue({
    ...session,
    hash: sha256(access),
    signIn: deviceCodeHash,
    audience: facts.audience,
    lifetime: config.lifetimes.accessToken,
  });
  return answer(provider, session, { access });
};
