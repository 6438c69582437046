import { userActor } from '../../mock/audit/audit.ts';
import { type Context, readForm, readQuery } from '../../mock/http/request.ts';
import { invalidRequest, seeOther, wireProblem } from '../../mock/http/response.ts';
import { page } from '../../mock/pages/page.ts';
import { safeReturnTo } from '../../mock/sessions/return-to.ts';
import type { Session, Visitor } from '../../mock/sessions/sessions.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import { isStorableText } from '../../protocol/text.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Connection } from '../pages/connections-view.ts';
import type { StoredRegistration } from '../store/stored-registration.ts';

/** `GET /connections`: which agents have access to the signed-in user's account (wire contract §5). */
export async function showConnections(service: ServiceContext, c: Context): Promise<Response> {
  const visit = await requireVisitor(service, c);
  if ('response' in visit) return visit.response;
  const { csrfToken, visitor } = visit;
  const review = await linkReviewUrl(service, visitor.key, PATHS.connections);
  if (review !== undefined) return seeOther(review);
  const registrations = await service.registrations.listOf(visitor.key);
  const ended = await endedHere(service, visitor.key, readQuery(c, 'ended'));
  const body = service.views.connections({
    ended,
    signedInAs: visitor.email,
    csrfToken,
    connections: registrations.map((registration) => toConnection(service, registration)),
  });
  return page(service.views.site, { title: 'Agents with access', body });
}

/** **End**: revokes one registration of the signed-in user; another's looks like none. */
export async function endConnection(service: ServiceContext, c: Context): Promise<Response> {
  const form = await readForm(service.reader, c, 'complete');
  const visit = await requireVisitor(service, c);
  if ('response' in visit) return visit.response;
  service.sessions.checkCsrf(c, visit, form.get('csrf_token'));
  const id = form.get('registration_id');
  const own = await service.registrations.listOf(visit.visitor.key);
  if (id === undefined || !own.some(({ facts }) => facts.id === id)) {
    throw wireProblem('complete', 'invalid_claim_attempt', {
      description: 'This account has no registration with this id.',
    });
  }
  const actor = userActor(visit.visitor.email);
  await service.registrations.decide('revoke', { by: 'id', value: id }, actor, () => ({}));
  return seeOther(`${PATHS.connections}?ended=${encodeURIComponent(id)}`);
}

/** A registration of the signed-in user that has ended; `undefined` for any other. */
async function endedHere(
  { registrations }: ServiceContext,
  userId: string,
  id: string | undefined,
): Promise<string | undefined> {
  if (id === undefined || !isStorableText(id)) return undefined;
  const facts = (await registrations.find({ by: 'id', value: id }))?.facts;
  return facts?.userId === userId && facts.revokedAt !== undefined ? facts.id : undefined;
}

function toConnection(
  { trust }: ServiceContext,
  { agentName, createdAt, facts, issuer }: StoredRegistration,
): Connection {
  const provider = trust.find(issuer);
  const who = {
    // Its user claimed it since. What it calls itself is no heading of ours.
    anonymous: `The agent of registration ${facts.id}`,
    service_auth: 'An agent that named your email address',
    identity_assertion: `An agent of ${provider?.name ?? issuer ?? 'a provider'}`,
  } as const;
  return {
    id: facts.id,
    who: who[facts.type],
    agentName,
    scopes: facts.postClaimScopes,
    since: facts.claimedAt ?? createdAt,
  };
}

/** Where a user goes first who signs in to an account that a provider created; else `undefined`. */
export async function linkReviewUrl(
  { users }: ServiceContext,
  userId: string,
  returnTo: string,
): Promise<string | undefined> {
  const user = await users.find(userId);
  return user?.provisionedBy !== undefined && user.linkReviewedAt === undefined
    ? `${PATHS.linkReview}?return_to=${encodeURIComponent(returnTo)}`
    : undefined;
}

/** `GET /connections/review`: names the provider, asks to keep or end its link (wire contract §3, outcome 2). */
export async function showLinkReview(service: ServiceContext, c: Context): Promise<Response> {
  const returnTo = returnToOf(service, c.req.query('return_to'));
  const visit = await requireVisitor(service, c);
  if ('response' in visit) return visit.response;
  const { csrfToken, visitor } = visit;
  const user = await service.users.find(visitor.key);
  if (user?.provisionedBy === undefined) return seeOther(returnTo);
  const provider = service.trust.find(user.provisionedBy);
  const linked = await service.registrations.listOf(visitor.key);
  const body = service.views.linkReview({
    signedInAs: visitor.email,
    providerName: provider?.name ?? new URL(user.provisionedBy).host,
    agentNames: linked
      .filter(({ issuer }) => issuer === user.provisionedBy)
      .flatMap(({ agentName }) => agentName ?? []),
    returnTo,
    csrfToken,
  });
  return page(service.views.site, { title: 'Keep the link?', body });
}

export async function reviewLink(service: ServiceContext, c: Context): Promise<Response> {
  const form = await readForm(service.reader, c, 'complete');
  const visit = await requireVisitor(service, c);
  if ('response' in visit) return visit.response;
  service.sessions.checkCsrf(c, visit, form.get('csrf_token'));
  const decision = form.get('decision');
  if (decision !== 'keep' && decision !== 'end') {
    throw invalidRequest('complete', 'decision must be keep or end.');
  }
  const { email, key: userId } = visit.visitor;
  const actor = userActor(email);
  const user = await service.users.find(userId);
  if (decision === 'end' && user?.provisionedBy !== undefined) {
    for (const { facts, issuer } of await service.registrations.listOf(userId)) {
      if (issuer !== user.provisionedBy) continue;
      const link = { by: 'id', value: facts.id } as const;
      await service.registrations.decide('revoke', link, actor, () => ({}));
    }
  }
  await service.users.recordLinkReview(userId, actor, decision);
  return seeOther(returnToOf(service, form.get('return_to')));
}

function returnToOf({ config }: ServiceContext, value: string | undefined): string {
  return safeReturnTo(value, config.issuer, PATHS.connections);
}

export type Visit =
  | (Session & { readonly visitor: Visitor })
  /** No user is signed in: a redirect to the sign-in. */
  | { readonly response: Response };

/** The signed-in user, for a page that needs one. */
export async function requireVisitor({ sessions }: ServiceContext, c: Context): Promise<Visit> {
  const session = await sessions.find(c);
  if (session?.visitor) return { ...session, visitor: session.visitor };
  const { pathname, search } = new URL(c.req.url);
  return {
    response: seeOther(signInUrl(c.req.method === 'POST' ? pathname : pathname + search)),
  };
}
