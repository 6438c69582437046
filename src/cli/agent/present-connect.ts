import type {
  Connected,
  ConnectPending,
  ConnectRequest,
} from '../../agent/connect/connect-request.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { ceremonyJson, ceremonyText } from '../handover/present-ceremony.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import { endText } from '../terminal/time.ts';
import { callJson, describeCall, serviceJson } from './present-connect-step.ts';
import { forgottenJson } from './present-forget.ts';
import { registrationJson, tokenJson } from './present-registration.ts';

/** What the agent may do now, and until when. */
export function presentConnected(
  context: Context,
  request: ConnectRequest,
  connected: Connected,
): Rendering {
  const { already, service, registration, token, scopes, claimAdds, call, left, warnings } =
    connected;
  const isLeft = left.length > 0;
  const now = context.world.clock.now();
  const next = isLeft ? null : nextLine(context, 'call', '/PATH');
  const more =
    isLeft || claimAdds?.length === 0
      ? null
      : nextLine(
          context,
          'connect',
          request.service,
          '--claim',
          '--email',
          userOf(registration) ?? 'EMAIL',
        );
  return {
    schema: 'connect',
    json: () => ({
      step: 'summary',
      status: 'connected',
      already,
      service: serviceJson(service),
      registration: registrationJson(context, registration),
      scopes,
      token: tokenJson(context, service.issuer, token),
      claim_adds: claimAdds,
      call: call && callJson(call),
      left: left.map((each) => forgottenJson(context, each)),
      warnings,
      next,
      more,
    }),
    human: (style) => {
      const end = (remaining: number | null) =>
        remaining === null ? undefined : endText(now, remaining);
      return [
        `${style.green('✓')} ${isLeft ? 'Connected to' : already ? 'Already connected to' : 'Connected to'} ${style.bold(service.name ?? service.resource)}${isLeft ? ', and left it again' : ''}.`,
        facts(style, [
          ['registration', `${registration.id} (${registration.type})`],
          ['user', userOf(registration) ?? undefined],
          [isLeft ? 'might' : 'may', scopes === null ? 'not said' : scopes.join(' ') || 'nothing'],
          ['until', isLeft ? undefined : end(token.remaining)],
          [
            'a claim adds',
            claimAdds?.length === 0 ? undefined : (claimAdds?.join(' ') ?? 'not said'),
          ],
          ['proof', call === null ? undefined : describeCall(call)],
        ]),
        ...(next === null ? [] : [`  Next: ${style.cyan(next.line)}  ${style.dim('(use it)')}`]),
        ...(more === null ? [] : [`  More: ${style.cyan(more.line)}`]),
      ].join('\n');
    },
  };
}

/** A code waits for its user, and nobody waits here. */
export function presentConnectPending(
  context: Context,
  { service, open }: ConnectPending,
  next: Next,
): Rendering {
  const { ceremony, registration } = open;
  return {
    schema: 'connect',
    json: () => ({
      step: 'summary',
      status: 'pending',
      service: serviceJson(service),
      registration: registrationJson(context, registration),
      claim: ceremonyJson(context, service.issuer, ceremony),
      next,
    }),
    human: (style) =>
      [
        `${style.yellow('…')} ${style.bold(service.name ?? service.resource)} waits for ${userOf(registration) ?? 'the user'}:`,
        '',
        ceremonyText(context, style, ceremony),
        '',
        `  Next: ${style.cyan(next.line)}  ${style.dim('(goes on from here)')}`,
      ].join('\n'),
  };
}
