import type { ConnectStep, ProofCall } from '../../agent/connect/connect-request.ts';
import type { Registration, Service, SignInCeremony } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { describeLeft } from '../../protocol/durations.ts';
import { displayText } from '../../protocol/text.ts';
import { ceremonyJson, ceremonyText } from '../prompts/ceremony.ts';
import type { Context } from '../shell/context.ts';
import type { Rendering } from '../shell/output.ts';
import { recognitionJson } from '../shell/recognition-json.ts';
import type { Style } from '../terminal/style.ts';
import { describeForgotten, forgottenJson } from './forget.ts';
import {
  describeType,
  endedText,
  goBack,
  registrationJson,
  serviceJson,
} from './registration-lines.ts';
import { tokenJson } from './token-json.ts';

/** Presents a step: a short line as text, one object as JSON. */
export function presentConnectStep(context: Context, step: ConnectStep): Rendering {
  return {
    schema: 'connect',
    json: () => ({ step: step.step, ...stepJson(context, step) }),
    human: (style) => stepText(context, style, step),
  };
}

function stepJson(context: Context, step: ConnectStep) {
  switch (step.step) {
    case 'discover': {
      const { recognition, service, warnings } = step.discovery;
      return {
        service: serviceJson(service),
        identity_types: service.identityTypes,
        scopes: service.scopes,
        recognition: recognitionJson(recognition),
        warnings,
      };
    }
    case 'register':
      return {
        already: step.already,
        registration: registrationJson(context, step.registration),
        previous: step.previous?.id ?? null,
        ended: step.ended.map(({ id }) => id),
        warnings: step.warnings,
      };
    case 'claim':
      return step.status === 'open'
        ? {
            status: 'pending',
            resumed: step.open.resumed,
            registration: registrationJson(context, step.open.registration),
            claim: ceremonyJson(context, step.open.registration.issuer, step.open.ceremony),
            warnings: step.open.warnings,
          }
        : {
            status: 'claimed',
            registration: registrationJson(context, step.registration),
            warnings: step.warnings,
          };
    case 'exchange':
      return {
        provider: step.provider,
        account: step.account,
        client_id: step.clientId,
        scopes: step.scopes,
        warnings: step.warnings,
      };
    case 'token':
      return { token: tokenJson(context, step.registration.issuer, step.token) };
    case 'call':
      return { ...callJson(step.call), warnings: step.warnings };
    case 'leave':
      return leaveJson(context, step);
  }
}

/** The user is taken to a sign-in, and waited for. */
export function presentSigningIn(
  context: Context,
  provider: string,
  ceremony: SignInCeremony,
): Rendering {
  return {
    schema: 'connect',
    json: () => ({
      step: 'sign_in',
      status: 'pending',
      provider,
      sign_in: ceremonyJson(context, provider, ceremony),
    }),
    human: (style) => ceremonyText(style, ceremony),
  };
}

function leaveJson(context: Context, step: Extract<ConnectStep, { step: 'leave' }>) {
  switch (step.status) {
    case 'left':
      return { status: step.status, ...forgottenJson(context, step.forgotten) };
    case 'kept':
      return { status: step.status, registration_id: step.registration.id };
    case 'failed': {
      const { code, message } = step.error;
      return { status: step.status, registration_id: step.registration.id, code, message };
    }
  }
}

function stepText(context: Context, style: Style, step: ConnectStep): string {
  const done = style.green('✓');
  switch (step.step) {
    case 'discover':
      return `${done} Found ${nameOf(style, step.discovery.service)}.`;
    case 'register': {
      const { id, claimed, type } = step.registration;
      const made = `${step.already ? 'Already registered' : 'Registered'}${claimed && type === 'anonymous' ? ',' : ''}`;
      const line = `${done} ${made} ${describeType(step)}: ${id}.`;
      return [line, ...endedText(step), ...goBack(context, style, step)].join('\n');
    }
    case 'claim': {
      if (step.status === 'claimed') return `${done} Claimed${by(step.registration)}.`;
      const who = userOf(step.open.registration) ?? 'the user';
      const why =
        step.open.registration.type === 'identity_assertion'
          ? ': an account with this email exists there, and its owner has to confirm the link'
          : '';
      return `${done} ${step.open.resumed ? 'A claim is open' : 'Opened a claim'}${why}; waiting for ${who}.`;
    }
    case 'exchange': {
      const { account, clientId, provider, scopes } = step;
      const who = account === null ? '' : ` as ${displayText(account, 254)}`;
      const what = scopes === null ? '' : ` for ${displayText(scopes.join(' '), 200) || 'nothing'}`;
      return [
        `${done} Signed in at ${provider}${who}.`,
        `${done} It lets the client ${displayText(clientId, 100)} in there${what} (ID-JAG).`,
      ].join('\n');
    }
    case 'token': {
      const { scopes, remaining } = step.token;
      const what = scopes === null ? '' : ` for ${displayText(scopes.join(' '), 200) || 'nothing'}`;
      const span = remaining === null ? '' : `, valid for ${describeLeft(remaining)}`;
      return `${done} Got a token${what}${span}.`;
    }
    case 'call':
      return `${markOf(style, step.call)} ${describeCall(step.call)}`;
    case 'leave':
      return leaveText(context, style, step);
  }
}

function leaveText(
  context: Context,
  style: Style,
  step: Extract<ConnectStep, { step: 'leave' }>,
): string {
  const wrong = style.yellow('!');
  switch (step.status) {
    case 'left': {
      const { revocation } = step.forgotten;
      const isSure = revocation === 'revoked' || revocation === 'no_token';
      return `${isSure ? style.green('✓') : wrong} ${describeForgotten(context, step.forgotten)}`;
    }
    case 'kept':
      return `${wrong} ${step.registration.id} existed before this run, so it is kept.`;
    case 'failed':
      return `${wrong} ${step.registration.id} could not be left: ${step.error.message}`;
  }
}

function by(registration: Registration): string {
  const user = userOf(registration);
  return user === null ? '' : ` by ${user}`;
}

function nameOf(style: Style, { name, resource }: Service): string {
  return name === undefined ? style.bold(resource) : `${style.bold(name)} at ${resource}`;
}

/** An answered call proves the token only with a 2xx status. */
function markOf(style: Style, { status }: ProofCall): string {
  return status >= 200 && status < 300 ? style.green('✓') : style.yellow('!');
}

export function describeCall({ url, method = 'GET', status }: ProofCall): string {
  const { pathname, search } = new URL(url);
  return `${method} ${displayText(pathname + search, 200)} answered ${status}.`;
}

export function callJson({ url, method = 'GET', status }: ProofCall) {
  return { method, url, status };
}
