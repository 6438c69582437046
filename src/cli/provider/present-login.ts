import type { Ceremony, ProviderSession } from '../../agent/model.ts';
import { ceremonyJson, ceremonyText } from '../handover/present-ceremony.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { endJson } from '../terminal/time.ts';

export function presentSigningIn(
  context: Context,
  provider: string,
  ceremony: Ceremony,
): Rendering {
  const next = nextLine(context, 'provider login', 'wait', provider);
  return {
    schema: 'providerLogin',
    json: () => ({
      status: 'pending',
      provider,
      sign_in: ceremonyJson(context, provider, ceremony),
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} The sign-in at ${new URL(provider).host} waits for its user:`,
        '',
        ceremonyText(context, style, ceremony),
        '',
        `  Next: ${style.cyan(next.line)}`,
      ].join('\n'),
  };
}

export function presentSignedIn(context: Context, session: ProviderSession): Rendering {
  const next = nextLine(context, 'register', '--provider', session.issuer);
  return {
    schema: 'providerLogin',
    json: () => ({
      status: 'signed_in',
      provider: session.issuer,
      account: session.account,
      ...endJson('expires_at', session.expiresAt, context.clocks.now(session.issuer)),
      next,
    }),
    human: (style) =>
      `${style.green('✓')} Signed in at ${style.bold(session.issuer)}${session.account === null ? '' : ` as ${session.account}`}.\n  Next: ${style.cyan(next.line)}`,
  };
}
