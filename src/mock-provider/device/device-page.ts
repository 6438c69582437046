import { type Context, readForm, readQuery } from '../../mock/http/request.ts';
import { seeOther, wireProblem } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import type { Session, Visitor } from '../../mock/sessions/sessions.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import { readDecision } from '../checks/user-decision.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { type DeviceFacts, isRecentEnough } from '../device-code/device-facts.ts';
import { displayDeviceCode, readTypedCode, userCodeHmac } from '../device-code/user-code.ts';
import { endPage } from '../pages/end-view.ts';
import { isAgent } from '../tokens/identify-client.ts';

/** `GET /device`: asks for the code, or with the code in the link whether it is the right one (RFC 8628 §3.3.1). */
export async function showDevice(provider: ProviderContext, c: Context): Promise<Response> {
  const typed = readQuery(c, 'user_code');
  const session = await provider.sessions.find(c);
  if (session?.visitor === undefined) return seeOther(signInUrl(deviceUrl(typed)));
  if (typed === undefined) return askForCode(provider, session);
  return confirm(provider, session, session.visitor, typed);
}

/** `POST /device`: the code that was typed, or with `decision` the answer. */
export async function submitDevice(provider: ProviderContext, c: Context): Promise<Response> {
  const form = await readForm(provider.reader, c, 'complete');
  const typed = form.get('user_code');
  const session = await provider.sessions.find(c);
  if (session?.visitor === undefined) return seeOther(signInUrl(deviceUrl(typed)));
  provider.sessions.checkCsrf(c, session, form.get('csrf_token'));
  const decision = readDecision(form.get('decision'));
  const code = readTypedCode(typed);
  if (decision === undefined || code === undefined) {
    return confirm(provider, session, session.visitor, typed);
  }
  // A refusal needs no fresh sign-in.
  if (decision === 'approve' && isStale(provider, session.visitor)) return signInAgain(typed);
  const hmac = userCodeHmac(provider.userCodeKey, code);
  const { clientId, outcome } = await provider.devices.decide(hmac, session.visitor, decision);
  switch (outcome) {
    case 'approved':
    case 'denied':
      return endPage(provider, `sign_in_${outcome}`, { about: nameOf(provider, clientId) });
    case 'unknown': {
      const { status } = wireProblem('complete', 'invalid_user_code');
      return endPage(provider, 'code_closed', { status });
    }
    case 'sign_in_too_old':
      return signInAgain(typed);
    case 'too_many_attempts':
      throw tooMany();
  }
}

async function confirm(
  provider: ProviderContext,
  session: Session,
  visitor: Visitor,
  typed: string | undefined,
): Promise<Response> {
  const { clock, config, devices, site, userCodeKey, views } = provider;
  if (isStale(provider, visitor)) return signInAgain(typed);
  const code = readTypedCode(typed);
  // What cannot be a code is not counted as an attempt.
  if (code === undefined) return askForCode(provider, session, typed ?? '');
  const found = await devices.look(userCodeHmac(userCodeKey, code), visitor);
  if (found === 'too_many_attempts') throw tooMany();
  if (found === 'unknown') return askForCode(provider, session, typed);
  if (!isRecentEnough(found, visitor.signedInAt)) return signInAgain(typed);
  const body = views.deviceConfirm({
    clientName: nameOf(provider, found.clientId),
    isAsked: isAgent(provider, found.clientId),
    providerName: site.name,
    email: visitor.email,
    userCode: displayDeviceCode(code),
    open: {
      timeLeft: found.expiresAt - clock.now(),
      until: found.expiresAt,
      lifetime: config.lifetimes.deviceCode,
    },
    audience: audienceOf(provider, found),
    csrfToken: session.csrfToken,
  });
  return page(site, { title: 'Sign in an agent', body });
}

/** How a page names a client. */
function nameOf(provider: ProviderContext, clientId = ''): string {
  return isAgent(provider, clientId) ? provider.config.clientName : clientId;
}

/** @param typed what was not a valid code; left out when nothing was typed yet. */
function askForCode(
  { site, views }: ProviderContext,
  { csrfToken, visitor }: Session,
  typed?: string,
): Promise<Response> {
  const { status, description } = wireProblem('complete', 'invalid_user_code', {
    description: 'That code is unknown or has expired. Check the code that your agent shows you.',
  });
  const body = views.deviceCode({
    email: visitor?.email ?? '',
    csrfToken,
    typed,
    problem: typed === undefined ? undefined : description,
  });
  return page(site, {
    title: 'Sign in an agent',
    body,
    ...(typed !== undefined && { status }),
  });
}

function audienceOf({ config }: ProviderContext, { audience, audienceScopes }: DeviceFacts) {
  if (audience === undefined) return undefined;
  const name = config.audience(audience)?.name ?? audience;
  return { issuer: audience, name, scopes: audienceScopes };
}

/** Services check the age of the sign-in (IDJ-21), so an old one is of no use to the agent. */
function isStale({ clock, config }: ProviderContext, { signedInAt }: Visitor): boolean {
  return clock.now() - signedInAt > config.lifetimes.freshSignIn;
}

function signInAgain(typed: string | undefined): Response {
  return seeOther(signInUrl(deviceUrl(typed), { again: true }));
}

function deviceUrl(typed: string | undefined): string {
  const code = readTypedCode(typed);
  return code === undefined ? PATHS.device : `${PATHS.device}?user_code=${displayDeviceCode(code)}`;
}

function tooMany() {
  return wireProblem('complete', 'too_many_attempts', {
    description: 'Too many wrong codes for this account. Wait ten minutes, then try again.',
  });
}
