import type { Ceremony, SignInCeremony } from '../../agent/model.ts';
import type { UnansweredPolls } from '../../agent/outcomes.ts';
import { unansweredText } from '../../agent/polling/poll-loop.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import type { Context } from '../shell/context.ts';
import type { Style } from '../terminal/style.ts';
import { endJson } from '../terminal/time.ts';
import { mailedTo, validText } from './code-screen.ts';
import { displayUrl, FOREIGN_PAGE } from './user-page.ts';

/** What another program needs to hand a ceremony of `issuer` to a user. */
export function ceremonyJson(
  { clocks }: Context,
  issuer: string,
  ceremony: Ceremony | SignInCeremony,
) {
  const typed = ceremony.kind === 'type_there';
  return {
    kind: ceremony.kind,
    user_code: typed ? ceremony.userCode.reveal() : null,
    verification_uri: ceremony.verificationUri,
    ...(ceremony.kind === 'read_back' && { mailed_to: ceremony.mailedTo }),
    // Only a page on the origin of its service or provider may be opened.
    openable: ceremony.openable,
    ...endJson('expires_at', ceremony.expiresAt, clocks.now(issuer)),
    interval: typed ? Math.ceil(ceremony.interval / 1000) : null,
  };
}

/** The ceremony between blank lines, and who did not answer the last polls. */
export function waitingText(
  style: Style,
  ceremony: Ceremony | SignInCeremony,
  who = '',
  unanswered?: UnansweredPolls,
): readonly string[] {
  const note = unanswered && [`  ${style.yellow('!')} ${unansweredText(who, unanswered)}`, ''];
  return ['', ceremonyText(style, ceremony), '', ...(note ?? [])];
}

export function ceremonyText(style: Style, ceremony: Ceremony | SignInCeremony): string {
  return [
    ...whatToDo(style, ceremony),
    ...(ceremony.openable || ceremony.verificationUri === null ? [] : [FOREIGN_PAGE]),
    ...(ceremony.kind === 'page' ? [] : [style.dim(validText(ceremony))]),
  ].join('\n');
}

function whatToDo(
  { bold, cyan, dim }: Style,
  ceremony: Ceremony | SignInCeremony,
): readonly string[] {
  if (ceremony.kind === 'page') return [displayUrl(ceremony.verificationUri)];
  if (ceremony.kind === 'type_there') {
    return [
      displayUrl(ceremony.verificationUri),
      '',
      `Code  ${bold(cyan(displayUserCode(ceremony.userCode.reveal())))}`,
      dim('Type it on that page after signing in; do not paste it back here.'),
    ];
  }
  if (ceremony.verificationUri === null) {
    return [`A code was mailed to ${mailedTo(ceremony)}. Ask for it, and hand it in.`];
  }
  return [
    displayUrl(ceremony.verificationUri),
    '',
    dim('After signing in and confirming, that page shows a code. Ask for it, and hand it in.'),
  ];
}
