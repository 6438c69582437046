import type { Ceremony } from '../../agent/model.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import type { Context } from '../shell/context.ts';
import type { JsonData } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';
import { endJson, endText } from '../terminal/time.ts';
import { displayUrl, FOREIGN_PAGE } from './page-url.ts';

/** What another program needs to hand a ceremony of `issuer` to a user. */
export function ceremonyJson({ clocks }: Context, issuer: string, ceremony: Ceremony): JsonData {
  return {
    user_code: ceremony.userCode.reveal(),
    verification_uri: ceremony.verificationUri,
    // Only a page on the origin of its service or provider may be opened.
    openable: ceremony.openable,
    ...endJson('expires_at', ceremony.expiresAt, clocks.now(issuer)),
    interval: Math.ceil(ceremony.interval / 1000),
  };
}

export function ceremonyText({ world }: Context, style: Style, ceremony: Ceremony): string {
  return [
    displayUrl(ceremony.verificationUri),
    '',
    `Code  ${style.bold(style.cyan(displayUserCode(ceremony.userCode.reveal())))}`,
    style.dim('Type it on that page after signing in; do not paste it back here.'),
    ...(ceremony.openable ? [] : [FOREIGN_PAGE]),
    style.dim(`Valid until ${endText(world.clock.now(), ceremony.remaining)}.`),
  ].join('\n');
}
