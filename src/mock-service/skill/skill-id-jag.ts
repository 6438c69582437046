import { ID_JAG_TOKEN_TYPE, JWT_TYPE, TOKEN_EXCHANGE_GRANT } from '../../protocol/constants.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { displayText } from '../../protocol/text.ts';
import type { ServiceConfig } from '../config/config.ts';
import { MAX_ID_JAG_LIFETIME } from '../config/lifetimes.ts';
import { code } from './skill-text.ts';

/** How an agent gets an ID-JAG, and what it has to hold. */
export function idJagNeeds(config: ServiceConfig, trusted: readonly string[]): string {
  return `Have your provider mint an ID-JAG, by token exchange (${code(TOKEN_EXCHANGE_GRANT)}) with ${code(`requested_token_type=${ID_JAG_TOKEN_TYPE}`)} and ${code(`audience=${config.issuer}`)}, into the variable \`ID_JAG\`. It needs \`typ\` ${code(JWT_TYPE.idJag)}; \`aud\`, the issuer ${code(config.issuer)} alone; \`client_id\`; \`sub\`; a \`jti\` that was never used here; \`iat\` and \`exp\` at most ${describeDuration(MAX_ID_JAG_LIFETIME)} apart; \`auth_time\` at most ${describeDuration(config.lifetimes.maxAuthAge)} ago; and \`email\` with \`email_verified\`, or \`phone_number\` with \`phone_number_verified\`. Trusted providers: ${issuerList(trusted)}.`;
}

const MOST_LISTED = 20;

/** Issuers that somebody may have added while the service runs: shown as code, whatever they hold. */
function issuerList(issuers: readonly string[]): string {
  if (issuers.length === 0) return 'none';
  const more = issuers.length - MOST_LISTED;
  const listed = issuers.slice(0, MOST_LISTED).map((each) => code(displayText(each, 200)));
  return `${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
