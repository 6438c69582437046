import { type WireProblem, wireProblem } from '../../mock/http/problems.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Renewed } from '../dialects/dialect.ts';
import { findRefreshToken } from '../store/refresh-tokens.ts';

/**
 * Trades a refresh token for the next one and a fresh assertion. It works once: a second time, somebody has a
 * copy, and whatever came of it ends (RFC 9700 §4.14.2).
 */
export async function renew(service: ServiceContext, refreshToken: string): Promise<Renewed> {
  const { assertions, clock, random, registrations } = service;
  const hash = sha256(refreshToken);
  const next = randomToken(random, 'art_');
  const assertionJti = randomToken(random, 'ia_');
  const decided = await registrations.decide(
    'refresh',
    { by: 'refresh_token_hash', value: hash },
    'agent',
    async (_facts, tx) => {
      const known = await findRefreshToken(tx, hash, clock.now());
      if (known === undefined) throw notRenewable();
      return { hash, isSpent: known.isSpent, nextHash: sha256(next), assertionJti };
    },
  );
  if (decided === undefined) throw notRenewable();
  const { facts, outcome } = decided;
  if (outcome.kind !== 'refreshed') throw refusalProblem(outcome);
  const { assertion, refreshExpiresAt } = outcome;
  return {
    facts,
    assertion: {
      jwt: await assertions.sign(facts, assertion),
      expiresAt: assertion.expiresAt,
    },
    refreshToken: { token: next, expiresAt: refreshExpiresAt },
  };
}

function notRenewable(): WireProblem {
  return wireProblem('refresh', 'invalid_refresh_token');
}
