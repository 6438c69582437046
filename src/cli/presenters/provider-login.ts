import type { Ceremony, ProviderSession } from '../../agent/model.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../next-line.ts';
import type { Rendering } from '../output.ts';
import { endJson } from '../terminal/time.ts';
import { ceremonyJson } from './ceremony.ts';

export function presentSigningIn(
  context: Context,
  provider: string,
  ceremony: Ceremony,
): Rendering {
  return {
    schema: 'providerLogin',
    json: () => ({
      status: 'pending',
      provider,
      sign_in: ceremonyJson(context, provider, ceremony),
    }),
    human: () => '',
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
