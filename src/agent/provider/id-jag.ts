import { decodeJwt, displayText, isJwtType, JWT_TYPE } from '../../protocol/index.ts';
import type { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';
import { backOff, isLoss, pause } from '../http/send-patiently.ts';
import type { Service, Warning } from '../model.ts';
import type { ConsentRequired, LoginRequired } from '../outcomes.ts';
import { peerOf, type Tools } from '../tools.ts';
import { mintOnce } from './mint.ts';

const TRIES = 3;

export interface MintRequest {
  readonly provider: string;
  readonly scopes?: readonly string[] | undefined;
}

/** What is done with an ID-JAG that was minted for it. */
interface Use<T> {
  /** @param isLast nothing is tried after this. */
  readonly present: (assertion: Secret, facts: IdJagFacts, isLast: boolean) => Promise<T>;
  /** Whether the service has seen or outlived it. */
  readonly isUsedUp: (result: T) => boolean;
}

/**
 * Mints an ID-JAG and presents it. After a lost answer, or when the service has seen or outlived it, a fresh one is
 * minted: none is ever sent twice (wire contract §3).
 */
export async function withIdJag<T>(
  tools: Tools,
  { issuer: audience, ...service }: Service,
  { provider, scopes }: MintRequest,
  { present, isUsedUp }: Use<T>,
): Promise<T | LoginRequired | ConsentRequired> {
  const mint = { provider, audience, resource: service.resource, scopes };
  for (let tries = 1; ; tries += 1) {
    const minted = await mintOnce(tools, mint);
    if (minted.status !== 'minted') return minted;
    const { assertion } = minted;
    try {
      const now = peerOf(tools, audience).now();
      const facts = checkIdJag(assertion, { ...service, issuer: audience }, now);
      const result = await present(assertion, facts, tries === TRIES);
      if (!isUsedUp(result) || tries === TRIES) return result;
    } catch (error) {
      if (!isLoss(error) || tries === TRIES) throw error;
    }
    await pause(tools, backOff(tools, tries));
  }
}

/** @param what cannot be done before the user has acted at the provider, as the start of a sentence. */
export function userNeeded(
  need: LoginRequired | ConsentRequired,
  provider: string,
  { issuer }: Service,
  what: string,
): AgentError {
  if (need.status === 'consent_required') {
    return new AgentError(`${what}: the user has not agreed at the provider to be named there.`, {
      code: 'consent_needed',
      hint: 'Let the user agree at the provider first, then try again.',
      next: { command: 'provider consent', args: [provider, '--audience', issuer] },
    });
  }
  const isOld = need.askedBy !== 'agent';
  const why = isOld
    ? 'sign-in at the provider is too old'
    : 'user is not signed in at the provider';
  return new AgentError(`${what}: the ${why}.`, {
    code: 'login_needed',
    hint: `Let the user sign in there${isOld ? ' again' : ''}, then try again.`,
    // A browser that is signed in already would bring back the sign-in that was too old.
    next: { command: 'provider login', args: isOld ? [provider, '--fresh'] : [provider] },
  });
}

/** The claims of an ID-JAG that are used here; unverified, since the service alone can verify it. */
interface IdJagFacts {
  readonly issuer: string | null;
  readonly email: string | null;
  readonly warnings: readonly Warning[];
}

/**
 * Whether an ID-JAG is for this service and still good: one that is for another service is not shown to
 * this one, and an expired one is not sent.
 * @param now the service's time.
 * @throws AgentError `not_an_id_jag`, `assertion_for_another_service` or `assertion_expired`.
 */
export function checkIdJag(assertion: Secret, service: Service, now: number): IdJagFacts {
  const jwt = decodeJwt(assertion.reveal());
  if (jwt === undefined) {
    throw new AgentError('The assertion is not a JWT.', { code: 'not_an_id_jag' });
  }
  const { header, payload } = jwt;
  if (header['typ'] !== undefined && !isJwtType(header['typ'], JWT_TYPE.idJag)) {
    throw new AgentError(
      `The assertion is not an ID-JAG: its type is ${displayText(String(header['typ']), 40)}.`,
      { code: 'not_an_id_jag', hint: `An ID-JAG has the type ${JWT_TYPE.idJag}.` },
    );
  }
  const warnings = checkAudience(payload['aud'], service);
  const { exp, iss, email } = payload;
  if (typeof exp === 'number' && exp * 1000 <= now) {
    throw new AgentError('The ID-JAG has expired, so it was not sent.', {
      code: 'assertion_expired',
      hint: 'Mint a new one.',
      next: { command: 'provider mint', args: ['--audience', service.issuer] },
    });
  }
  return {
    issuer: typeof iss === 'string' ? displayText(iss, 200) : null,
    email: typeof email === 'string' ? displayText(email, 254) : null,
    warnings,
  };
}

function checkAudience(aud: unknown, service: Service): readonly Warning[] {
  const audience: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (audience === service.issuer) return [];
  if (audience === service.resource) {
    return [
      {
        code: 'audience_is_resource',
        message:
          'The ID-JAG names the resource as its audience; a strict service requires the issuer.',
      },
    ];
  }
  const named = typeof audience === 'string' ? displayText(audience, 100) : 'no single service';
  throw new AgentError(
    `The ID-JAG is for ${named}, not for ${displayText(service.issuer, 100)}, so it was not sent.`,
    {
      code: 'assertion_for_another_service',
      hint: 'Mint one for this service.',
      next: { command: 'provider mint', args: ['--audience', service.issuer] },
    },
  );
}
