import type { Context } from '../context.ts';
import { nextLine } from '../next-line.ts';
import type { Rendering } from '../output.ts';

export function presentConsent(context: Context, provider: string, audience: string): Rendering {
  const next = nextLine(context, 'register', audience, '--provider', provider);
  return {
    schema: 'providerConsent',
    json: () => ({ status: 'given', provider, audience, next }),
    human: (style) =>
      `${style.green('✓')} ${provider} may tell ${style.bold(audience)} who you are.\n  Next: ${style.cyan(next.line)}`,
  };
}

export function presentConsentPending(
  provider: string,
  audience: string,
  consentUri: string,
): Rendering {
  return {
    schema: 'providerConsent',
    json: () => ({ status: 'pending', provider, audience, consent_uri: consentUri }),
    human: () => '',
  };
}
