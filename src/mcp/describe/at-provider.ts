import type { ConsentRequired, LoginRequired } from '../../agent/index.ts';
import { type Answer, type Next, nextText, nextTool, ToolError } from '../answer/answer.ts';
import type { McpWorld } from '../world/mcp-world.ts';

/** The user has to act at the provider: sign in there, or agree to be identified. */
export function needsUser(
  { mask }: McpWorld,
  outcome: LoginRequired | ConsentRequired,
  again: Next,
): Answer {
  if (outcome.status === 'login_required') throw loginRequired(outcome, again);
  const { status, audience, consentUri: url, openable, provider } = outcome;
  if (!openable || mask.hide(url) !== url) {
    throw new ToolError(
      'The user has to agree at the provider first, on a page that cannot be shown.',
      {
        code: status,
        hint: `The page is not on the origin of ${provider}. Tell the user.`,
      },
    );
  }
  const same = {
    status,
    data: { provider, audience, consent_uri: url, page_is_of_provider: openable },
    next: again,
  };
  const then = 'Once the user says that they have agreed there, go on.';
  return {
    ...same,
    lines: [
      `The user has to agree that ${provider} identifies them to ${audience}. Show them this link now, as it is:`,
      `  Link: ${url}`,
      then,
    ],
    page: {
      url,
      message: `Open ${new URL(url).host} to agree that it tells ${new URL(audience).host} who you are.`,
      shown: {
        ...same,
        lines: ['The host has shown the page of the provider to the user.', then],
      },
    },
  };
}

function loginRequired(
  { provider, isOpen, maxAge, acrValues, askedBy, clientId }: LoginRequired,
  again: Next,
): ToolError {
  const isAgain = askedBy !== 'agent';
  const asked = {
    ...{ provider, client_id: clientId, fresh: isAgain || undefined },
    ...{ max_age_seconds: maxAge, acr_values: acrValues },
  };
  return new ToolError(
    `The user has to sign in${isAgain ? ' again' : ''} at ${provider ?? 'the provider'} first.`,
    {
      code: 'login_required',
      hint: `Then ${nextText(again).replace(/^Next: /, '')}`,
      next:
        isOpen && provider !== undefined
          ? nextTool('await_sign_in', { provider })
          : nextTool('sign_in', asked, ['provider']),
      details: { asked_by: askedBy, max_age_seconds: maxAge },
    },
  );
}
