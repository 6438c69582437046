import { displayText, normalizeEmail } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';

/** An email address as services compare it (wire contract §3). @throws AgentError `bad_email`. */
export function requireEmail(given: string): string {
  const email = normalizeEmail(given);
  if (email !== undefined) return email;
  throw new AgentError(`'${displayText(given, 80)}' is not a valid email address.`, {
    code: 'bad_email',
    hint: 'Use one such as alice@example.com.',
  });
}
