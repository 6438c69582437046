import { type Context, readForm, readQuery } from '../../mock/http/request.ts';
import { invalidRequest, seeOther, wireProblem } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import type { Session } from '../../mock/sessions/sessions.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import { wrongAccountView } from '../../mock/sessions/wrong-account-view.ts';
import { readDecision } from '../checks/user-decision.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { endPage } from '../pages/end-view.ts';
import type { AskedConsent } from '../store/consent-requests.ts';

/** `GET /consent?request=…`: which agent asks, for which service, and what the service learns (IDJ-16, AMD-07). */
export async function showConsent(provider: ProviderContext, c: Context): Promise<Response> {
  const { clock, config, sessions, site, users, views } = provider;
  const id = readQuery(c, 'request');
  const session = await sessions.find(c);
  return withRequest(provider, session, id, async (request, session) => {
    const user = await users.find(request.email);
    const body = views.consent({
      clientName: request.client ?? config.clientName,
      providerName: site.name,
      audience: {
        issuer: request.audience,
        name: config.audience(request.audience)?.name ?? request.audience,
        scopes: request.scopes,
      },
      resource: request.resource,
      user: { email: request.email, name: user?.name, phone: user?.phone },
      open: {
        timeLeft: request.expiresAt - clock.now(),
        until: request.expiresAt,
        lifetime: config.lifetimes.consentRequest,
      },
      requestId: request.id,
      csrfToken: session.csrfToken,
    });
    return page(site, { title: 'Let an agent identify you', body });
  });
}

/** `POST /consent`: the answer. The other ways to a consent are auto-approve and the controls. */
export async function submitConsent(provider: ProviderContext, c: Context): Promise<Response> {
  const form = await readForm(provider.reader, c, 'complete');
  const decision = readDecision(form.get('decision'));
  const session = await provider.sessions.find(c);
  if (session?.visitor) provider.sessions.checkCsrf(c, session, form.get('csrf_token'));
  return withRequest(provider, session, form.get('request'), async (request) => {
    if (decision === undefined) {
      throw invalidRequest('complete', 'The decision is missing.');
    }
    const done = await provider.consents.decide(request.id, request.email, decision);
    if (!done) return closedRequest(provider);
    const about = provider.config.audience(request.audience)?.name ?? request.audience;
    return endPage(provider, decision === 'approve' ? 'consent_approved' : 'consent_denied', {
      about,
    });
  });
}

/** Shows a consent request to its own user; sends others to sign in, or out. */
async function withRequest(
  provider: ProviderContext,
  session: Session | undefined,
  id: string | undefined,
  handle: (request: AskedConsent, session: Session) => Promise<Response>,
): Promise<Response> {
  const { consents, decisions, site } = provider;
  const returnTo = `${PATHS.consent}?request=${encodeURIComponent(id ?? '')}`;
  if (session?.visitor === undefined) return seeOther(signInUrl(returnTo));
  const request = id === undefined ? undefined : await consents.find(id);
  if (request === undefined) return closedRequest(provider);
  if (decisions.mayAnswer(request, session.visitor)) return handle(request, session);
  const { status } = wireProblem('complete', 'wrong_account');
  const body = wrongAccountView({
    signedInAs: session.visitor.email,
    boundTo: request.email,
    returnTo,
    csrfToken: session.csrfToken,
  });
  return page(site, { title: 'Wrong account', body, status });
}

function closedRequest(provider: ProviderContext): Promise<Response> {
  const { status } = wireProblem('complete', 'invalid_claim_attempt');
  return endPage(provider, 'consent_closed', { status });
}
