import { wireProblem } from '../../mock/http/problems.ts';
import { json } from '../../mock/http/replies.ts';
import { SECOND } from '../../protocol/durations.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { requireParameter } from '../checks/require-agent.ts';
import type { Grant } from '../context/provider-context.ts';

/** The device grant: polled until the user has decided (RFC 8628 §3.4, §3.5). */
export const deviceGrant: Grant = async (
  { config, decisions, devices, idTokens, log, random, signInTokens, users },
  form,
  client,
) => {
  if (!config.agentAuth || client.id !== config.clientId)
    throw wireProblem('provider', 'unauthorized_client');
  const deviceCodeHash = sha256(requireParameter(form, 'device_code'));
  const polled = await devices.poll(deviceCodeHash, decisions);
  if (polled === undefined) throw wireProblem('provider', 'invalid_grant');
  const { decision, facts } = polled;
  if (decision.kind !== 'signed_in') throw wireProblem('provider', decision.code);
  const user = await users.find(decision.email);
  if (user === undefined) throw wireProblem('provider', 'invalid_grant');
  log.info('provider.signed_in', { client: config.clientId });
  const accessToken = randomToken(random, 'pat_');
  await signInTokens.issue({
    hash: sha256(accessToken),
    signIn: deviceCodeHash,
    clientId: client.id,
    email: user.email,
    scopes: facts.scopes,
    audience: facts.audience,
    lifetime: config.lifetimes.accessToken,
  });
  return json({
    // For the user info alone: it mints nothing.
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: Math.ceil(config.lifetimes.accessToken / SECOND),
    scope: facts.scopes.join(' '),
    id_token: await idTokens.sign(user, decision.authTime, { clientId: client.id }),
  });
};
