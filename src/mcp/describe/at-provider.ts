import type { ConsentRequired, LoginRequired } from '../../agent/index.ts';
import { ToolError } from '../errors/tool-error.ts';
import { type Next, nextJson, nextText, nextTool } from '../next/next.ts';
import type { ToolAnswer } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';

/** The user has to act at the provider: sign in there, or agree to be identified. */
export function needsUser(
  world: McpWorld,
  outcome: LoginRequired | ConsentRequired,
  again: Next,
): ToolAnswer {
  if (outcome.status === 'login_required') throw loginRequired(outcome, again);
  const { audience, consentUri, openable, provider } = outcome;
  const link = world.mask.hide(consentUri) === consentUri ? consentUri : null;
  const data = {
    status: 'consent_required',
    provider,
    audience,
    consent_uri: link,
    page_is_of_provider: openable,
    next: nextJson(again),
  };
  const then = 'Once the user says that they have agreed there, go on.';
  if (link === null || !openable) {
    throw new ToolError(
      'The user has to agree at the provider first, on a page that cannot be shown.',
      {
        code: 'consent_required',
        hint: `The page is not on the origin of ${provider}. Tell the user.`,
      },
    );
  }
  return {
    lines: [
      `The user has to agree that ${provider} identifies them to ${audience}. Show them this link now, as it is:`,
      `  Link: ${link}`,
      then,
      nextText(again),
    ],
    data,
    page: {
      url: link,
      message: `Open ${new URL(link).host} to agree that it tells ${new URL(audience).host} who you are.`,
      shown: {
        lines: ['The host has shown the page of the provider to the user.', then, nextText(again)],
        data,
      },
    },
  };
}

function loginRequired(
  { provider, isOpen, maxAge, acrValues, askedBy, clientId }: LoginRequired,
  again: Next,
): ToolError {
  const isAgain = askedBy !== 'agent';
  return new ToolError(
    `The user has to sign in${isAgain ? ' again' : ''} at ${provider ?? 'the provider'} first.`,
    {
      code: 'login_required',
      hint: `Then ${nextText(again).replace(/^Next: /, '')}`,
      next:
        isOpen && provider !== undefined
          ? nextTool('await_sign_in', { provider })
          : nextTool(
              'sign_in',
              {
                ...{ provider, client_id: clientId, ...(isAgain && { fresh: true }) },
                ...{ max_age_seconds: maxAge, acr_values: acrValues },
              },
              provider === undefined ? ['provider'] : [],
            ),
      details: { asked_by: askedBy, ...(maxAge !== undefined && { max_age_seconds: maxAge }) },
    },
  );
}
