import { wireProblem } from '../../mock/http/problems.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { requireParameter } from '../checks/require-agent.ts';
import type { Grant } from '../context/provider-context.ts';
import { answer } from './code-grant.ts';
import { isAgent } from './identify-client.ts';

/** The device grant: polled until the user has decided (RFC 8628 §3.4, §3.5). */
export const deviceGrant: Grant = async (provider, form, client) => {
  const { config, decisions, devices, log, random, signInTokens } = provider;
  if (!isAgent(provider, client.id)) throw wireProblem('provider', 'unauthorized_client');
  const deviceCodeHash = sha256(requireParameter(form, 'device_code'));
  const polled = await devices.poll(deviceCodeHash, decisions);
  if (polled === undefined) throw wireProblem('provider', 'invalid_grant');
  const { decision, facts } = polled;
  if (decision.kind !== 'signed_in') throw wireProblem('provider', decision.code);
  log.info('provider.signed_in', { client: config.clientId });
  const access = randomToken(random, 'pat_');
  const { authTime, email } = decision;
  const session = { clientId: client.id, email, scopes: facts.scopes, authTime };
  await signInTokens.issue({
    ...session,
    hash: sha256(access),
    signIn: deviceCodeHash,
    audience: facts.audience,
    lifetime: config.lifetimes.accessToken,
  });
  return answer(provider, session, { access });
};
