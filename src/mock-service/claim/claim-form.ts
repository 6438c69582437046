import { userActor } from '../../mock/audit/audit.ts';
import { type Context, readForm, readJsonObject } from '../../mock/http/request.ts';
import {
  invalidRequest,
  seeOther,
  type WireProblem,
  wireProblem,
} from '../../mock/http/response.ts';
import { signInUrl } from '../../mock/sessions/sign-in-routes.ts';
import { MEDIA_TYPE } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { mediaTypeOf } from '../../protocol/media-type.ts';
import { type CompleteRequest, completeRequest } from '../../protocol/schemas/requests.ts';
import { isStorableText } from '../../protocol/text.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Account } from '../claim-machine/events.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Decided, Selector } from '../store/registration-store.ts';
import type { StoredRegistration } from '../store/stored-registration.ts';
import { type ClaimScreen, claimUrl } from './claim-screen.ts';

/** What a signed-in user decided about a claim, and the page that it was on. */
interface DecidedByForm extends Pick<Decided, 'outcome'> {
  /** Whether it comes from our own page; else the same came as JSON. */
  readonly isForm: boolean;
  /** The code that was typed. */
  readonly typed: string;
  readonly screen: ClaimScreen;
}

/** Decides about the registration of a link. */
type DecideByLink = (link: Selector, account: Account) => Promise<Decided | undefined>;

/**
 * Decides as a signed-in user says by a form of a claim page. Session first, then CSRF, the decision, the link. Who is
 * not signed in is led to the sign-in, and back.
 * @param choose what decides; it refuses what this page does not decide.
 */
export async function decideByForm(
  service: ServiceContext,
  c: Context,
  choose: (request: CompleteRequest) => DecideByLink,
): Promise<DecidedByForm | { readonly response: Response }> {
  const isForm = !wantsJson(c.req.raw);
  const fields = isForm
    ? await readFields(service, c)
    : await readJsonObject(service.reader, c, 'complete');
  const session = await service.sessions.find(c);
  if (session?.visitor === undefined) {
    if (!isForm) throw wireProblem('complete', 'login_required');
    return { response: seeOther(signInUrl(claimUrl(fields['claim_attempt_token']))) };
  }
  const csrfToken = fields['csrf_token'];
  service.sessions.checkCsrf(c, session, typeof csrfToken === 'string' ? csrfToken : undefined);
  const request = readDecision(fields);
  const decideByLink = choose(request);
  const { claim_attempt_token: attemptToken, user_code: typed = '' } = request;
  const registration = await findByLink(service, attemptToken);
  const { key: userId, email } = session.visitor;
  // By the link, not by the registration: a newer attempt may have replaced it since it was looked up.
  const link = { by: 'attempt_token_hash', value: sha256(attemptToken) } as const;
  const decided = await decideByLink(link, { userId, email });
  if (decided === undefined) throw wireProblem('complete', 'invalid_claim_attempt');
  const { facts, outcome } = decided;
  const screen = { registration: { ...registration, facts }, session, attemptToken };
  return { isForm, outcome, typed, screen };
}

/** Decides the claim of a link as the signed-in account, and asks for nothing else. */
export function decidingAs(
  { registrations }: ServiceContext,
  event: 'confirm' | 'deny',
): DecideByLink {
  return (link, account) =>
    registrations.decide(event, link, userActor(account.email), () => ({ account }));
}

/** The members that a form may carry; an empty code is a code that was not typed. */
async function readFields({ reader }: ServiceContext, c: Context): Promise<JsonObject> {
  const form = await readForm(reader, c, 'complete');
  const decision = form.get('decision');
  return {
    claim_attempt_token: form.get('claim_attempt_token'),
    csrf_token: form.get('csrf_token'),
    user_code: form.get('user_code') ?? '',
    ...(decision !== undefined && { decision }),
  };
}

/** Which attempt is meant, and what its user decided. */
function readDecision(fields: JsonObject): CompleteRequest {
  const parsed = completeRequest.safeParse(fields);
  if (!parsed.success) throw missingMember(String(parsed.error.issues[0]?.path[0]));
  return parsed.data;
}

export function missingMember(member: string): WireProblem {
  return invalidRequest('complete', `The member ${member} is missing or invalid.`);
}

/** The registration of a link. An unknown link and a replaced one get the same answer. */
export async function findByLink(
  { registrations }: ServiceContext,
  attemptToken: string | undefined,
): Promise<StoredRegistration> {
  const known =
    attemptToken !== undefined && isStorableText(attemptToken)
      ? await registrations.find({ by: 'attempt_token_hash', value: sha256(attemptToken) })
      : undefined;
  if (known === undefined) throw wireProblem('complete', 'invalid_claim_attempt');
  return known;
}

/**
 * Whether to answer with JSON. A POST of a form gets a page, any other POST JSON; a GET gets a page
 * unless it accepts JSON and not HTML.
 */
export function wantsJson(request: Request): boolean {
  if (request.method === 'POST') return mediaTypeOf(request) !== MEDIA_TYPE.form;
  const accept = request.headers.get('accept') ?? '';
  return accept.includes(MEDIA_TYPE.json) && !accept.includes('text/html');
}
