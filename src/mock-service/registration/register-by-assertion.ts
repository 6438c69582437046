import type { BodyReader } from '../../mock/http/request.ts';
import { type WireProblem, wireProblem } from '../../mock/http/response.ts';
import type { CodeAt } from '../../protocol/codes.ts';
import { JWT_TYPE } from '../../protocol/constants.ts';
import { SECOND } from '../../protocol/durations.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Clock, Random } from '../../runtime/ports.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { Secrets } from '../claim-attempt/attempt-secrets.ts';
import { freshAttempt, noteOpened } from '../claim-attempt/fresh-attempt.ts';
import type { AssertionTimes, RegistrationFacts } from '../claim-machine/facts.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { Registered, RegistrationRequest, ServiceDialect } from '../dialects/dialect.ts';
import type { IdJagCheck, IdJagRefusal } from '../id-jag/id-jag-checks.ts';
import type { IdJagResult, readIdJag } from '../id-jag/read-id-jag.ts';
import { mailCode } from '../mails/mail-code.ts';
import type { IdJagStore } from '../store/id-jag-store.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { Gate } from '../store/rate-limit.ts';
import type { RegistrationStore } from '../store/registration-store.ts';
import { issueDirect } from '../tokens/issue-direct.ts';
import type { JwtVerifier } from '../trust/jwt-verifier.ts';
import {
  type FailedJwt,
  type JwtProblem,
  unavailableText,
  verifyProviderJwt,
} from '../trust/jwt-verifier.ts';

/** What agents are registered with. */
export interface RegistrationParts {
  readonly assertions: {
    readonly sign: (facts: RegistrationFacts, times: AssertionTimes) => Promise<string>;
  };
  readonly clock: Clock;
  readonly config: ServiceConfig;
  readonly decisions: {
    readonly readEmail: (text: string) => string | undefined;
    readonly readIdJag: typeof readIdJag;
    readonly idJagChecks: readonly IdJagCheck[];
  };
  readonly dialect: ServiceDialect;
  readonly idJags: IdJagStore;
  readonly mails: MailStore;
  readonly random: Random;
  readonly reader: BodyReader;
  readonly registrations: RegistrationStore;
  readonly secrets: Secrets;
  readonly verifier: JwtVerifier;
}

/** `type: identity_assertion`: an ID-JAG, and the three outcomes that it can have (wire contract §3). */
export async function registerByAssertion(
  service: RegistrationParts,
  { agentName, assertion }: Extract<RegistrationRequest, { type: 'identity_assertion' }>,
  gate: Gate | undefined,
): Promise<Registered> {
  const { assertions, clock, config, dialect, idJags, random, secrets } = service;
  const verified = await verifyIdJag(service, assertion);
  if (!verified.ok) throw refusalProblem(verified.refusal);

  const claimToken = secrets.claimToken();
  const fresh = freshAttempt(service);
  const accepted = await idJags.accept(
    verified.idJag,
    {
      registrationId: randomToken(random, 'reg_'),
      userId: randomToken(random, 'usr_'),
      assertionJti: randomToken(random, 'ia_'),
      claimTokenHash: sha256(claimToken),
      attempt: fresh.stored,
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
      const { assertion: times, facts } = accepted;
      const jwt = await assertions.sign(facts, times);
      const direct = await issueDirect(service, facts, times.jti);
      return { kind: 'established', facts, assertion: { jwt, expiresAt: times.expiresAt }, direct };
    }
    case 'confirm': {
      const { expiresAt, facts, interval } = accepted;
      noteOpened(service, fresh);
      const attempt = { ...fresh, expiresAt, interval };
      await mailCode(service, { facts, attempt, email: facts.email });
      const speaker = { issuer: config.issuer, now: clock.now() };
      throw wireProblem('identity', 'interaction_required', {
        members: dialect.registration.confirmation({ facts, claimToken, attempt }, speaker),
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

const CODE_OF: Readonly<Record<JwtProblem, CodeAt<'identity'>>> = {
  not_a_jwt: 'invalid_request',
  wrong_type: 'invalid_request',
  bad_header: 'invalid_signature',
  unknown_issuer: 'invalid_issuer',
  no_key: 'invalid_signature',
  bad_signature: 'invalid_signature',
  keys_unavailable: 'temporarily_unavailable',
};

/** Verifies an ID-JAG up to its `jti`: header, issuer and signature first, then what it says (wire contract §3). */
async function verifyIdJag(
  { clock, config, decisions, verifier }: RegistrationParts,
  assertion: string,
): Promise<IdJagResult> {
  // The time of arrival, however long fetching the keys takes.
  const now = clock.now();
  const verified = await verifyProviderJwt(assertion, JWT_TYPE.idJag, verifier);
  if (!verified.ok) return { ok: false, refusal: refusalOf(verified) };
  const read = decisions.readIdJag(verified.claims, { trusted: verified.trusted, config });
  if (!read.ok) return read;
  const facts = { idJag: read.idJag, config, now };
  for (const { check } of decisions.idJagChecks) {
    const refusal = check(facts);
    if (refusal) return { ok: false, refusal };
  }
  return read;
}

function refusalOf({ problem, url }: FailedJwt): IdJagRefusal {
  const code = CODE_OF[problem];
  if (problem === 'wrong_type') return { code, description: 'The assertion is not an ID-JAG.' };
  return url === undefined ? { code } : { code, description: unavailableText(url) };
}
