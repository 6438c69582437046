import { describeDuration } from '../../../protocol/durations.ts';
import { claimLink } from '../../claim-secrets/attempt-secrets.ts';
import type { MailedCode, MailText, Speaker } from '../dialect.ts';

/**
 * The mail with a code: for whom, what it gives, and a link to a page that says the same and can deny. Nothing in
 * it comes from the agent.
 */
export function codeMail(
  { attempt, facts, serviceName }: MailedCode,
  { issuer, now }: Speaker,
): MailText {
  const scopes = facts.postClaimScopes.join(', ');
  return {
    subject: `Your code for ${serviceName}`,
    text: [
      `An agent asks for access to your account at ${serviceName}: ${scopes}.`,
      // Without spaces, so that the recorder of exchanges knows it.
      `Code: ${attempt.userCode}`,
      `If you started this, read the code to your agent within ${describeDuration(attempt.expiresAt - now)}. Give it to no one else.`,
      'What the agent will be able to do, and how to deny it:',
      claimLink(issuer, attempt.token),
    ].join('\n'),
  };
}
