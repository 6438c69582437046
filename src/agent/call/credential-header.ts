import { AgentError } from '../agent-error.ts';
import type { AccessToken } from '../model.ts';

/**
 * The header that a token travels in: `Authorization` as a bearer token (RFC 6750 §2.1); else the one that the
 * service named for its direct credential, with nothing but the credential in it.
 * @throws AgentError `header_not_allowed` where the caller set that header, too.
 */
export function credentialHeader(
  { value, header }: Pick<AccessToken, 'value' | 'header'>,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (header === undefined) return { authorization: `Bearer ${value.reveal()}` };
  const isSame = (name: string) => name.toLowerCase() === header.toLowerCase();
  if (Object.keys(others).some(isSame)) {
    throw new AgentError(`The header ${header} is set by the agent.`, {
      code: 'header_not_allowed',
      hint: 'Leave it out: the service takes the agent’s credential there.',
    });
  }
  return { [header]: value.reveal() };
}
