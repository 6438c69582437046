import { displayText } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { CallRequest } from '../requests.ts';

/**
 * What could not be sent as it was asked for, before a token is looked for.
 * @throws AgentError `header_not_allowed` or `bad_call`.
 */
export function checkRequest({ method = 'GET', headers = {}, body }: CallRequest): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) {
    throw new AgentError(`That is not an HTTP method: ${displayText(method, 40)}.`, {
      code: 'bad_call',
    });
  }
  if (body !== undefined && /^(GET|HEAD)$/i.test(method)) {
    throw new AgentError(`A ${method} carries no body.`, {
      code: 'bad_call',
      hint: 'Name another method.',
    });
  }
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
}

function checkHeader(name: string, value: string): void {
  // One token, by one method (BRR-03).
  if (name.toLowerCase() === 'authorization') {
    throw new AgentError('The Authorization header is set by the agent.', {
      code: 'header_not_allowed',
      hint: 'Leave it out; a token of your own goes into AGENT_AUTH_TOKEN.',
    });
  }
  try {
    new Headers([[name, value]]);
  } catch {
    // Its value is not echoed: it may be a credential.
    throw new AgentError(`The header ${displayText(name, 60)} cannot be sent as it is.`, {
      code: 'header_not_allowed',
    });
  }
}
