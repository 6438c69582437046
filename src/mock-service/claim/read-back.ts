import { userActor } from '../../mock/audit/audit.ts';
import { type Context, readJsonObject } from '../../mock/http/request.ts';
import { wireProblem } from '../../mock/http/response.ts';
import type { Transaction } from '../../mock/store/database.ts';
import { sha256 } from '../../runtime/hash.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { Account, EventInputs } from '../claim-machine/events.ts';
import type { RegistrationFacts } from '../claim-machine/facts.ts';
import { decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { refusalProblem } from '../claim-machine/refusal-problem.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { RedemptionWire } from '../dialects/dialect.ts';
import { isActive, isUnused } from '../store/token-store.ts';
import { issueDirect } from '../tokens/issue-direct.ts';

/** `POST /agent/identity/claim/complete` by the agent: the code that its user read back to it. */
export async function redeem(
  service: ServiceContext,
  c: Context,
  wire: RedemptionWire,
): Promise<Response> {
  const { assertions, clock, config, random, reader, registrations, secrets } = service;
  const { claimToken, code } = wire.read(await readJsonObject(reader, c, 'read_back'));
  const refreshToken = wire.withRefreshToken ? randomToken(random, 'art_') : undefined;
  const fresh = {
    assertionJti: randomToken(random, 'ia_'),
    refreshHash: refreshToken && sha256(refreshToken),
    redelivers: wire.redelivers,
  };
  const decided = await registrations.decide(
    'redeem',
    { by: 'claim_token_hash', value: sha256(claimToken) },
    'agent',
    async (facts, tx) => {
      const input = {
        ...fresh,
        code: secrets.checkUserCode(facts, code),
        active: await isRepeatable(tx, facts, wire),
        mailedTo: undefined,
      };
      return wire.isMailed ? byMail(service, tx, facts, input) : input;
    },
  );
  if (decided === undefined) throw wireProblem('read_back', 'invalid_claim_token');
  const { outcome } = decided;
  if (outcome.kind !== 'redeemed') throw refusalProblem(outcome);
  const { assertion, refreshExpiresAt } = outcome;
  const claimed = await registrations.find({ by: 'id', value: decided.facts.id });
  if (claimed === undefined) throw wireProblem('read_back', 'claim_expired');
  const { facts } = claimed;
  // An anonymous one has had its credential since it was made.
  const isDue = wire.givesCredential && facts.type !== 'anonymous';
  const redeemed = {
    facts,
    direct: isDue ? await issueDirect(service, facts, assertion.jti) : undefined,
    assertion: { jwt: await assertions.sign(facts, assertion), expiresAt: assertion.expiresAt },
    refreshToken:
      refreshToken === undefined || refreshExpiresAt === undefined
        ? undefined
        : { token: refreshToken, expiresAt: refreshExpiresAt },
  };
  return wire.write(redeemed, { issuer: config.issuer, now: clock.now() });
}

/** Whether what was delivered before can be delivered again: nothing of it has ended or was used. */
async function isRepeatable(
  tx: Transaction,
  facts: RegistrationFacts,
  { withRefreshToken }: RedemptionWire,
): Promise<boolean> {
  if (!(await isActive(tx, facts, facts.delivery?.assertion.jti))) return false;
  return !withRefreshToken || facts.delivery === undefined || isUnused(tx, facts.id);
}

/** The mailbox is the proof: whoever has the code acts for its account, which is created when it claims. */
async function byMail(
  service: ServiceContext,
  tx: Transaction,
  facts: RegistrationFacts,
  input: EventInputs['redeem'],
): Promise<EventInputs['redeem']> {
  const { email } = facts;
  if (email === undefined) return input;
  const as = (userId: string): EventInputs['redeem'] => {
    const mailedTo: Account = { userId, email };
    return { ...input, mailedTo };
  };
  const { effects } = decide('redeem', facts, as(''), decisionContext(service));
  if (!effects.some(({ kind }) => kind === 'complete_claim')) return as('');
  const cause = { actor: userActor(email), at: service.clock.now() };
  return as(await service.users.signInWithin(tx, email, cause));
}
