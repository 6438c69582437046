import { invalidRequest } from '../../../mock/http/response.ts';
import type { IdentityRequest } from '../../../protocol/schemas/requests.ts';
import { displayText, isShortText, MAX_TEXT_BYTES } from '../../../protocol/text.ts';

/**
 * What an agent calls itself: `agent_name`, else `client_name` (RFC 7591 §2). A stranger's words: they are
 * never shown in place of a name that was verified (AMD-06). Undefined when nothing of it can be seen.
 * @throws WireProblem `invalid_request` when either is too long.
 */
export function readAgentName({ agent_name, client_name }: IdentityRequest): string | undefined {
  for (const [member, name] of Object.entries({ agent_name, client_name })) {
    if (name === undefined || isShortText(name)) continue;
    throw invalidRequest(
      'identity',
      `The member ${member} is longer than ${MAX_TEXT_BYTES} bytes.`,
    );
  }
  return [agent_name, client_name].find((name) => displayText(name ?? '').trim() !== '');
}
