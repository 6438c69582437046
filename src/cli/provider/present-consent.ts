import type { ConsentRequired } from '../../agent/outcomes.ts';
import { displayUrl, FOREIGN_PAGE } from '../handover/handover-screen.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';

export function presentConsent(context: Context, provider: string, audience: string): Rendering {
  const next = nextLine(context, 'register', audience, '--provider', provider);
  return {
    schema: 'providerConsent',
    json: () => ({ status: 'given', provider, audience, next }),
    human: (style) =>
      `${style.green('✓')} ${provider} may tell ${style.bold(audience)} who you are.\n  Next: ${style.cyan(next.line)}`,
  };
}

/** The page waits for the user, and nobody waits here any more (or not yet). */
export function presentConsentPending(
  context: Context,
  { audience, consentUri, openable, provider }: ConsentRequired,
  scopes: readonly string[] | undefined,
): Rendering {
  // The same question again: another one would have another page.
  const asked = scopes === undefined ? [] : ['--scope', scopes.join(' ')];
  const next = nextLine(
    context,
    'provider consent',
    'wait',
    provider,
    '--audience',
    audience,
    ...asked,
  );
  return {
    schema: 'providerConsent',
    json: () => ({
      status: 'pending',
      provider,
      audience,
      consent_uri: consentUri,
      openable,
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} ${new URL(provider).host} waits for its user to agree:`,
        '',
        displayUrl(consentUri),
        ...(openable ? [] : [FOREIGN_PAGE]),
        '',
        `  Next: ${style.cyan(next.line)}`,
      ].join('\n'),
  };
}
