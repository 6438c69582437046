import type { Recognition, Verdict } from '../../discovery/index.ts';
import { displayText } from '../../protocol/index.ts';
import { AgentError, type AgentErrorCode } from '../agent-error.ts';

const CODES: Readonly<Record<Verdict, AgentErrorCode>> = {
  usable: 'metadata_invalid',
  choice: 'dialect_missing',
  published_only: 'no_registration',
  client_registration: 'client_registration',
  plain_oauth: 'no_agent_auth',
  not_this_protocol: 'no_agent_auth',
};

/** Why agents cannot register by what was found, and what goes on from there. */
export function noRegistration(issuer: string, recognition: Recognition): AgentError {
  return new AgentError(messageFor(issuer, recognition), {
    code: recognition.defects.some(({ rule }) => rule === 'agent-auth-not-an-object')
      ? 'metadata_invalid'
      : CODES[recognition.verdict],
    hint: hintFor(recognition),
    recognition,
  });
}

function messageFor(issuer: string, { verdict, reason }: Recognition): string {
  const who = displayText(issuer, 100);
  if (verdict === 'plain_oauth' || verdict === 'not_this_protocol') {
    return `${who} offers no agent registration. ${reason}`;
  }
  if (verdict === 'published_only') return `Agents cannot register at ${who}. ${reason}`;
  return reason;
}

function hintFor({ verdict, role, offers, choices, endpoints }: Recognition): string | undefined {
  if (verdict === 'choice') {
    const named = choices.map(
      ({ family, register }) => `${family} for ${displayText(register, 100)}`,
    );
    return `Say which with --dialect: ${named.join(', ')}.`;
  }
  const skill =
    endpoints.skill === undefined
      ? ''
      : ` Its instructions for agents: ${displayText(endpoints.skill, 200)}`;
  if (verdict === 'published_only')
    return `Perhaps agents cannot register there by themselves.${skill}`;
  if (verdict === 'client_registration') {
    return `It registers OAuth clients, for which this program has no command.${skill}`;
  }
  if (role === 'provider') {
    return 'To register at a service with it: name the service, and the provider with --provider.';
  }
  if (offers.includes('token_exchange')) {
    return 'If it is an agent provider: name the service, and the provider with --provider.';
  }
  if (role === 'cross_app') {
    return `Have a client registered there, sign in at a provider that it trusts, and redeem an ID-JAG for its issuer at ${displayText(endpoints.token ?? 'its token endpoint', 200)}.${skill}`;
  }
  if (verdict !== 'plain_oauth') return undefined;
  const signIn = offers.includes('authorization_code')
    ? ' A client that signs its user in (OAuth, as MCP uses it) can use it; lint judges it as such by the profile mcp.'
    : '';
  return `Its metadata has no agent_auth block.${signIn}${skill}`;
}
