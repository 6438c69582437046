import { Controls, type ControlsOptions } from '../../mock/controls/controls.ts';
import type { LiveValue } from '../../mock/controls/live-value.ts';
import { checked, controlProblem } from '../../mock/controls/read-control.ts';
import { configuredEmail } from '../../mock/sessions/configured-user.ts';
import type { PolicyRule, SignInDecision } from '../config/rules.ts';
import type { AskedConsent, ConsentDecision } from '../store/consent-requests.ts';
import type { ConsentStore } from '../store/consent-store.ts';

/** What is decided by, and by whom. */
interface Decided {
  readonly policy: LiveValue<readonly PolicyRule[]>;
  readonly signIn: LiveValue<SignInDecision>;
  readonly consents: ConsentStore;
  /** Checks rules as the option is checked: a TypeError says what is wrong. */
  resolve(rules: readonly PolicyRule[]): readonly PolicyRule[];
}

/** The controls that a provider has beside those of every mock. */
export class ProviderControls extends Controls {
  readonly #decided: Decided;

  constructor(options: ControlsOptions, decided: Decided) {
    super(options);
    this.#decided = decided;
  }

  /** The rules that decide now what clients reach; the first one that fits does. */
  async policy(): Promise<readonly PolicyRule[]> {
    await this.options.core.follow();
    return this.#decided.policy.current();
  }

  /** Replaces the rules until the reset. Without an argument the configured ones come back. */
  async setPolicy(rules?: readonly PolicyRule[]): Promise<readonly PolicyRule[]> {
    const resolved = rules && checked(() => this.#decided.resolve(rules));
    await this.change('policy.set', async (tx) => {
      const { policy } = this.#decided;
      await (resolved ? policy.write(tx, resolved) : policy.clear(tx));
      return { rules: resolved?.length ?? 'as configured' };
    });
    return this.policy();
  }

  /** What authorization requests meet now. */
  async signIn(): Promise<SignInDecision> {
    await this.options.core.follow();
    return this.#decided.signIn.current();
  }

  /**
   * Decides in place of the user about each sign-in by authorization request, until the reset: `approve` signs a user
   * in without a page, `deny` answers `access_denied`, `ask` shows the page.
   */
  async setSignIn(decision: SignInDecision): Promise<SignInDecision> {
    const resolved =
      decision.kind === 'approve'
        ? { ...decision, email: checked(() => configuredEmail(decision.email, 'email')) }
        : decision;
    await this.change('sign_in.set', async (tx) => {
      await this.#decided.signIn.write(tx, resolved);
      return { decision: resolved.kind };
    });
    return this.signIn();
  }

  /** The consent requests that have not expired, the latest to expire last. */
  async consentRequests(): Promise<readonly AskedConsent[]> {
    await this.options.core.follow();
    return this.#decided.consents.listRequests();
  }

  /**
   * Answers an open consent request in place of its user, or lets it expire: then the client is asked for another one.
   * @throws ControlError `not_found`, or `conflict` where it was answered already.
   */
  async decideConsent(id: string, decision: ConsentDecision): Promise<AskedConsent> {
    const request = (await this.consentRequests()).find((each) => each.id === id);
    if (request === undefined) {
      throw controlProblem('not_found', 'There is no such consent request, or it has expired.');
    }
    const isDone =
      request.state === 'open' &&
      (decision === 'expire'
        ? await this.#decided.consents.expire(id)
        : await this.#decided.consents.decide(id, request.email, decision, 'control'));
    if (!isDone) throw controlProblem('conflict', `It was ${request.state} already.`);
    const after = (await this.consentRequests()).find((each) => each.id === id);
    return after ?? { ...request, state: 'expired', expiresAt: this.options.core.clock.now() };
  }
}
