import { displayText } from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import type { KeptClient } from '../model.ts';
import type { Step } from '../next-step.ts';
import { problemError, wordsBeside } from '../problems/problem-error.ts';

/** What a client has at the other server is what it is most often shown by mistake. */
const ROLES = {
  provider: { name: 'The provider', other: 'service' },
  service: { name: 'The service', other: 'provider' },
} as const;

/** The command that hands over what a client has at one server. */
export function giveClient(role: keyof typeof ROLES, server: string, clientId = 'ID'): Step {
  const args = [server, '--client-id', clientId, '--client-secret', '@FILE'];
  return { command: role === 'provider' ? 'provider login' : 'connect', args };
}

/**
 * A refusal of a token endpoint, which says at which of the two servers and with which of the two ids.
 * @param url where the client is connected to, where that is the service.
 */
export function clientProblem(
  problem: Problem,
  { clientId, issuer, key, secret }: KeptClient,
  role: keyof typeof ROLES,
  url = issuer,
): AgentError {
  const { code } = problem;
  if (code !== 'invalid_client' && code !== 'unauthorized_client') return problemError(problem);
  const { name, other } = ROLES[role];
  const shown = displayText(clientId, 100);
  const by = secret === null && key === null ? ', without a secret' : '';
  const does =
    code === 'invalid_client'
      ? `does not accept the client ${shown}${by}`
      : `does not let the client ${shown} do this`;
  return new AgentError(
    `${name} (${displayText(issuer, 100)}) ${does}.${wordsBeside(problem, '')}`,
    {
      code,
      kind: 'refused',
      hint: `This is its id at the ${role}; the id at the ${other} is another, as a rule. Give id and secret of the ${role}.`,
      next: giveClient(role, url),
      problem,
    },
  );
}
