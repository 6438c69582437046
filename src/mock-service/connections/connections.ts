import { userActor } from '../../mock/audit/audit.ts';
import type { Context } from '../../mock/http/context.ts';
import { wireProblem } from '../../mock/http/problems.ts';
import { readForm, readQuery } from '../../mock/http/reading.ts';
import { seeOther } from '../../mock/http/replies.ts';
import { page } from '../../mock/pages/page.ts';
import { isStorableText } from '../../protocol/text.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Connection } from '../pages/connections-view.ts';
import type { StoredRegistration } from '../store/rows.ts';
import { linkReviewUrl } from './link-review.ts';
import { requireVisitor } from './require-visitor.ts';

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
  return page(service.site, { title: 'Agents with access', body });
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
