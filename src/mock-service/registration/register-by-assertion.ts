import { json, type WireProblem, wireProblem } from '../../mock/index.ts';
import { type IdentityRequest, instant, SECOND } from '../../protocol/index.ts';
import { randomToken, sha256 } from '../../runtime/index.ts';
import { claimBlock, freshAttempt } from '../claim-attempt/fresh-attempt.ts';
import { PATHS } from '../config/paths.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { IdJagRefusal } from '../id-jag/id-jag-checks.ts';
import type { Gate } from '../store/index.ts';

/** `type: identity_assertion`: an ID-JAG, and the three outcomes that it can have (wire contract §3). */
export async function registerByAssertion(
  service: ServiceContext,
  { assertion }: IdentityRequest,
  { agentName, gate }: { readonly agentName: string | undefined; readonly gate: Gate | undefined },
): Promise<Response> {
  const { assertions, clock, config, idJags, random, secrets } = service;
  if (assertion === undefined) {
    throw wireProblem('identity', 'invalid_request', { description: 'assertion is missing.' });
  }
  const verified = await service.verifyIdJag(service, assertion);
  if (!verified.ok) throw refusalProblem(verified.refusal);

  const claimToken = secrets.claimToken();
  const attempt = freshAttempt(service);
  const accepted = await idJags.accept(
    verified.idJag,
    {
      registrationId: randomToken(random, 'reg_'),
      userId: randomToken(random, 'usr_'),
      assertionJti: randomToken(random, 'ia_'),
      claimTokenHash: sha256(claimToken),
      attempt: attempt.stored,
      agentName,
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

/** Where the text of the code is too general. */
const REFUSAL_DETAILS: Readonly<Record<string, { readonly description: string }>> = {
  missing_verified_email: {
    description: 'The account with that phone number has no email, so its owner cannot be asked.',
  },
};

function refusalProblem({ code, ...details }: IdJagRefusal): WireProblem {
  return wireProblem('identity', code, {
    ...details,
    ...(code === 'temporarily_unavailable' && { headers: { 'retry-after': '5' } }),
  });
}
