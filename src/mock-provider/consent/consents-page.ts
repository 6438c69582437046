import { userActor } from '../../mock/audit/audit.ts';
import { type Context, type Form, readForm } from '../../mock/http/request.ts';
import { invalidRequest, seeOther, wireProblem } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import type { Visitor } from '../../mock/sessions/sessions.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import { PATHS } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { describeEvent, describeProblem } from '../outbox/describe-event.ts';
import type { OutboxEntry } from '../outbox/outbox-entry.ts';
import type { RevokedShown } from '../pages/consents-view.ts';

/** The newest revocations; older ones are still tried, and in the outbox. */
const REVOKED_SHOWN = 20;

/** `GET /consents`: what the signed-in user agreed to, and what was revoked. */
export async function showConsents(provider: ProviderContext, c: Context): Promise<Response> {
  const { clock, config, consents, outbox, sessions, site, views } = provider;
  const session = await sessions.find(c);
  if (session?.visitor === undefined) return seeOther(signInUrl(PATHS.consents));
  const { email } = session.visitor;
  const given = await consents.listOf(email);
  const revoked = await outbox.listOf(email, REVOKED_SHOWN);
  const body = views.consents({
    clientName: config.clientName,
    signedInAs: email,
    csrfToken: session.csrfToken,
    consents: given.map(({ audience, client, grantedAt, scopes }) => ({
      issuer: audience,
      client,
      name: nameOf(provider, audience),
      scopes,
      since: grantedAt,
    })),
    revoked: revoked.map((entry) => toRevoked(provider, entry, clock.now())),
  });
  return page(site, { title: 'Your consents', body });
}

/** `POST /consents`: revokes one, or notifies its service again. Another user's look like none. */
export async function submitConsents(provider: ProviderContext, c: Context): Promise<Response> {
  const form = await readForm(provider.reader, c, 'complete');
  const session = await provider.sessions.find(c);
  if (session?.visitor === undefined) return seeOther(signInUrl(PATHS.consents));
  provider.sessions.checkCsrf(c, session, form.get('csrf_token'));
  await act(provider, session.visitor, form);
  return seeOther(PATHS.consents);
}

async function act(provider: ProviderContext, { email }: Visitor, form: Form): Promise<void> {
  const audience = form.get('audience');
  const event = form.get('event');
  switch (form.get('action')) {
    case 'revoke': {
      if (audience === undefined) throw missing('audience');
      // May have been revoked before, in another window: the page shows that it is gone.
      const client = form.get('client');
      await provider.revokeConsent(provider, { email, audience, client, actor: userActor(email) });
      return;
    }
    case 'send_again': {
      if (event === undefined) throw missing('event');
      const entry = await provider.outbox.sendAgain(event, { actor: userActor(email), email });
      if (entry === undefined) {
        throw wireProblem('complete', 'invalid_claim_attempt', {
          description: 'This account has no revocation event with this id.',
        });
      }
      return;
    }
    default:
      throw missing('action');
  }
}

function toRevoked(provider: ProviderContext, entry: OutboxEntry, now: number): RevokedShown {
  const { issuer } = provider.config;
  const { audience, id, isBeingSent, problem, revokedAt, state } = entry;
  // A process that was sending it may have been killed: then another one takes over soon.
  const isInHand = isBeingSent && now < (entry.nextAttemptAt ?? now);
  return {
    issuer: audience,
    name: nameOf(provider, audience),
    revokedAt,
    eventId: id,
    notified: describeEvent(entry, issuer, now),
    problem: problem && describeProblem(problem),
    canSendAgain: state !== 'delivered' && !isInHand && entry.issuer === issuer,
  };
}

function nameOf({ config }: ProviderContext, audience: string): string {
  return config.audience(audience)?.name ?? audience;
}

function missing(name: string) {
  return invalidRequest('complete', `${name} is missing.`);
}
