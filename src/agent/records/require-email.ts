import { normalizeEmail } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';

/** An email address as services compare it (wire.md §3). @throws AgentError `bad_email`. */
export function requireEmail(given: string): string {
  const email = normalizeEmail(given);
  if (email !== undefined) return email;
  throw new AgentError('That is not an email address that a service accepts.', {
    code: 'bad_email',
    hint: 'ASCII, with one @: alice@example.com.',
  });
}
