import { json, wireProblem } from '../../mock/index.ts';
import { decodeJwt, type IdentityRequest, instant, SECOND } from '../../protocol/index.ts';
import { randomToken, sha256 } from '../../runtime/index.ts';
import { claimBlock, freshAttempt } from '../claim/attempt-secrets.ts';
import { PATHS } from '../metadata.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Gate } from '../store/index.ts';
import { verifyIdJag } from './id-jag.ts';

/** `type: identity_assertion`: an ID-JAG, and the three outcomes that it can have (wire.md §3). */
export async function registerByAssertion(
  service: ServiceContext,
  { assertion, assertion_type: kind }: IdentityRequest,
  gate: Gate | undefined,
): Promise<Response> {
  const { assertions, clock, config, faults, idJags, moment, random, userCodeKey, verifier } =
    service;
  if (assertion === undefined || (kind === undefined && faults.has('assertionTypeDemanded'))) {
    throw wireProblem('identity', 'invalid_request', { description: 'assertion is missing.' });
  }
  const mistaken = await mistakeKind(service, assertion);
  if (mistaken !== undefined) return mistaken;
  const verified = await verifyIdJag(assertion, verifier, config, moment());
  if (!verified.ok) {
    await burnCarelessly(service, assertion, verified.code);
    const told = faults.has('maxAgeUntrue') ? 0.25 : 1;
    throw refusal(verified.code, verified.description, config.lifetimes.maxAuthAge * told);
  }

  const claimToken = randomToken(random, 'clm_');
  const attempt = freshAttempt(random, userCodeKey, service.faults);
  const accepted = await idJags.accept(
    verified.idJag,
    {
      registrationId: randomToken(random, 'reg_'),
      userId: randomToken(random, 'usr_'),
      assertionJti: randomToken(random, 'ia_'),
      claimTokenHash: sha256(claimToken),
      attempt: attempt.stored,
    },
    gate,
  );
  switch (accepted.kind) {
    case 'refused':
      throw wireProblem('identity', accepted.code, REFUSAL_DETAILS[accepted.code]);
    case 'exhausted':
      throw wireProblem('identity', 'rate_limited', {
        headers: { 'retry-after': String(Math.ceil((accepted.until - clock.now()) / SECOND)) },
      });
    case 'established': {
      const { facts } = accepted;
      return json({
        registration_id: facts.id,
        registration_type: facts.type,
        identity_assertion: await assertions.sign(facts, accepted.assertion),
        assertion_expires: instant(accepted.assertion.expiresAt),
        scopes: facts.postClaimScopes,
      });
    }
    case 'confirm': {
      const { facts } = accepted;
      noteNames(service, facts.id, assertion);
      throw wireProblem('identity', 'interaction_required', {
        members: {
          registration_id: facts.id,
          registration_type: facts.type,
          claim_url: config.issuer + PATHS.claim,
          claim_token: claimToken,
          claim_token_expires: instant(facts.windowEndsAt),
          post_claim_scopes: facts.postClaimScopes,
          claim: claimBlock(config.issuer, attempt, accepted, clock.now()),
        },
      });
    }
  }
}

/** Where the list's own words would not say what is wrong. */
const REFUSAL_DETAILS: Readonly<Record<string, { readonly description: string }>> = {
  missing_verified_email: {
    description: 'The account with that phone number has no email, so nobody can be asked.',
  },
};

function refusal(
  code: Parameters<typeof wireProblem<'identity'>>[1],
  description: string | undefined,
  maxAuthAge: number,
) {
  return wireProblem('identity', code, {
    ...(description !== undefined && { description }),
    ...(code === 'login_required' && { members: { max_age: Math.floor(maxAuthAge / SECOND) } }),
    ...(code === 'temporarily_unavailable' && { headers: { 'retry-after': '5' } }),
  });
}

/** What a service with the mistake takes in the place of an ID-JAG. */
async function mistakeKind(
  { assertions, faults }: ServiceContext,
  token: string,
): Promise<Response | undefined> {
  const own = faults.has('ownAssertionTaken') && (await assertions.verify(token)) !== undefined;
  const bearer = faults.has('accessTokenTaken') && token.startsWith('at_');
  return own || bearer ? json({ identity_assertion: token }) : undefined;
}

/** What the claim page says of a service that believes what a token calls itself (AMD-06). */
function noteNames({ faults, tokenNames }: ServiceContext, id: string, assertion: string): void {
  const { client_name: name, agent_platform: platform } = decodeJwt(assertion)?.payload ?? {};
  const byName = faults.has('nameFromToken') || faults.has('nameFromTokenRaw');
  const said = byName ? name : platform;
  if ((byName || faults.has('platformFromToken')) && typeof said === 'string') {
    tokenNames.set(id, said);
  }
}

async function burnCarelessly(
  { faults, idJags }: ServiceContext,
  assertion: string,
  code: string,
): Promise<void> {
  const forged = code === 'invalid_signature';
  if (!faults.has(forged ? 'forgedJtiBurnt' : 'refusedJtiBurnt')) return;
  const { iss, jti } = decodeJwt(assertion)?.payload ?? {};
  await idJags.burn({ issuer: String(iss), jti: String(jti) });
}
