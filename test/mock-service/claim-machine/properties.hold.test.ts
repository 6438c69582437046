import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExpiredRows } from '../../../src/mock/store/atomic-store.ts';
import { openDatabase } from '../../../src/mock/store/open-database.ts';
import { createTables } from '../../../src/mock/store/tables.ts';
import type { RegistrationFacts } from '../../../src/mock-service/claim-machine/facts.ts';
import { stateOf } from '../../../src/mock-service/claim-machine/machine.ts';
import { DECISIONS } from '../../../src/mock-service/context/decisions.ts';
import { RegistrationStore } from '../../../src/mock-service/store/registration-store.ts';
import { SERVICE_SCHEMA } from '../../../src/mock-service/store/schema.ts';
import type { IdentityType } from '../../../src/protocol/index.ts';
import type { State } from '../../../src/protocol/states.ts';
import { FakeClock } from '../../../src/runtime/index.ts';
import { DECISION_CONTEXT, EVERYTHING, OWNER, STRANGER } from './facts.ts';

const account = fc.constantFrom(OWNER, STRANGER);

/** What may happen next, in any order, with any clock. */
const step = fc.oneof(
  fc.record({ event: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 90_000_000 }) }),
  fc.record({ event: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 700_000 }) }),
  fc.record({
    event: fc.constant('start' as const),
    email: fc.constantFrom(OWNER.email, undefined),
  }),
  fc.record({
    event: fc.constant('submit' as const),
    account,
    code: fc.constantFrom('right' as const, 'wrong' as const, 'malformed' as const),
  }),
  fc.record({ event: fc.constant('deny' as const), account }),
  fc.record({ event: fc.constant('confirm' as const), account }),
  fc.record({
    event: fc.constant('redeem' as const),
    code: fc.constantFrom('right' as const, 'wrong' as const, 'malformed' as const),
    isMailed: fc.boolean(),
    redelivers: fc.boolean(),
  }),
  fc.record({ event: fc.constant('refresh' as const), isSpent: fc.boolean() }),
  fc.record({ event: fc.constant('poll' as const) }),
  fc.record({ event: fc.constant('exchange' as const), version: fc.constantFrom(1, 2) }),
  fc.record({ event: fc.constant('revoke' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const POST_CLAIM = 'api.write';

it('holds its promises whatever happens, in the store as in the matrix', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<IdentityType>('anonymous', 'service_auth'),
      fc.array(step, { maxLength: 40 }),
      async (type, steps) => {
        const registration = await Registration.open(type);
        for (const next of steps) await registration.take(next);
        await registration.close();
      },
    ),
    { numRuns: 150 },
  );
});

/** One registration in a real store, and what must be true of it after every step. */
class Registration {
  readonly #clock = new FakeClock();
  #store!: RegistrationStore;
  #close!: () => Promise<void>;
  #serial = 0;
  #was: State = 'unclaimed';
  /** Whether the open attempt was confirmed by its owner. */
  #confirmed = false;

  static async open(type: IdentityType): Promise<Registration> {
    const self = new Registration();
    const db = await openDatabase();
    await createTables(db, [SERVICE_SCHEMA]);
    self.#close = () => db.close();
    const { lifetimes } = DECISION_CONTEXT;
    const deciding = { clock: self.#clock, config: { lifetimes }, decisions: DECISIONS };
    const wired = () => ({ ...deciding, registrations: self.#store });
    const expired = new ExpiredRows(SERVICE_SCHEMA.tables);
    self.#store = new RegistrationStore(db, self.#clock, expired, wired);
    await self.#store.enroll(
      {
        id: 'reg_1',
        type,
        claimTokenHash: 'claim',
        email: type === 'anonymous' ? undefined : OWNER.email,
        preClaimScopes: type === 'anonymous' ? ['api.read'] : [],
        postClaimScopes: ['api.read', POST_CLAIM],
      },
      undefined,
    );
    return self;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async take(step: Step): Promise<void> {
    if (step.event === 'wait') this.#clock.advance(step.ms);
    else await this.#happen(step);
    const state = await this.#state();
    if (this.#was === 'revoked') expect(state).toBe('revoked');
    if (this.#was === 'claimed') expect(['claimed', 'revoked']).toContain(state);
    if (this.#was === 'expired') expect(state).toBe('expired');
    this.#was = state;
  }

  async #happen(step: Exclude<Step, { event: 'wait' }>): Promise<void> {
    const before = await this.#state();
    const decided = await this.#store.decide(
      step.event,
      { by: 'id', value: 'reg_1' },
      'agent',
      () => this.#input(step) as never,
    );
    const outcome = decided?.outcome;
    if (outcome?.kind === 'token' && outcome.scopes.includes(POST_CLAIM)) {
      expect(before).toBe('claimed');
    }
    if (outcome?.kind === 'claimed') {
      expect(['submit', 'confirm']).toContain(step.event);
      expect(step).toMatchObject({ account: OWNER });
      // On the page where a user confirms, it was claimed before: confirming itself claims nothing.
      if (step.event === 'confirm') expect(before).toBe('claimed');
    }
    const after = await this.#facts();
    if (outcome?.kind === 'redeemed') {
      expect(step).toMatchObject({ event: 'redeem', code: 'right' });
      if (before !== 'claimed') {
        // A code counts once its owner has confirmed this very attempt, or had it by mail.
        expect(before).toBe('pending');
        if (step.event === 'redeem' && !step.isMailed) expect(this.#confirmed).toBe(true);
      }
      expect(after.userId).toBe(OWNER.userId);
      expect(after.delivery).toBeDefined();
    }
    if (outcome?.kind === 'refreshed') expect(before).toBe('claimed');
    if (outcome?.kind === 'attempt_opened') this.#confirmed = false;
    if (outcome?.kind === 'confirmed') {
      expect(step).toMatchObject({ account: OWNER });
      this.#confirmed = true;
    }
    // No attempt takes more than five wrong codes, no registration more than twenty.
    expect(after.attempt?.wrongCodes ?? 0).toBeLessThanOrEqual(5);
    expect(after.wrongCodes).toBeLessThanOrEqual(20);
  }

  #input(step: Exclude<Step, { event: 'wait' }>): object {
    this.#serial += 1;
    const fresh = `${this.#serial}`;
    switch (step.event) {
      case 'start':
        return {
          email: step.email,
          attempt: { id: fresh, tokenHash: fresh, userCodeHmac: fresh },
        };
      case 'redeem':
        return {
          code: step.code,
          mailedTo: step.isMailed ? OWNER : undefined,
          assertionJti: fresh,
          refreshHash: fresh,
          redelivers: step.redelivers,
          active: true,
        };
      case 'refresh':
        return {
          hash: String(this.#serial - 1),
          isSpent: step.isSpent,
          nextHash: fresh,
          assertionJti: fresh,
        };
      case 'poll':
        return { tokenHash: fresh, assertionJti: fresh, active: true, target: EVERYTHING };
      case 'exchange':
        return {
          tokenHash: fresh,
          assertionJti: fresh,
          version: step.version,
          active: true,
          target: EVERYTHING,
        };
      default:
        return step;
    }
  }

  async #state(): Promise<State> {
    return stateOf(await this.#facts(), this.#clock.now());
  }

  async #facts(): Promise<RegistrationFacts> {
    const found = await this.#store.find({ by: 'id', value: 'reg_1' });
    if (found === undefined) throw new Error('The registration is gone.');
    return found.facts;
  }
}
