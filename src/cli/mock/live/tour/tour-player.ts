import type { Agent } from '../../../../agent/agent.ts';
import type { Ceremony } from '../../../../agent/model.ts';
import type { LiveService } from '../../../../mock/live/live-part.ts';
import type { LiveRegistration } from '../../../../mock/live/model.ts';
import { Secret } from '../../../../runtime/secret.ts';
import type { ScriptedUser } from '../../../../user/scripted-user.ts';
import { approveClaim } from '../../../../user/user-steps.ts';

export const GONE = 'The registration is gone. Begin the flow again.';

/** Plays the agent and its user in one flow, and keeps their secrets. */
export class TourPlayer {
  readonly agent: Agent;
  readonly user: ScriptedUser;
  readonly #service: LiveService;
  /** Which registration the flow is about. */
  registrationId = '';
  /** What the user was asked last. */
  ceremony: Ceremony | undefined;
  /** What is approved next at a provider: waits for a sign-in, or shows a page. */
  signIn: ((patience: AbortSignal) => Promise<unknown>) | undefined;
  page = '';

  constructor(agent: Agent, user: ScriptedUser, service: LiveService) {
    this.agent = agent;
    this.user = user;
    this.#service = service;
  }

  /** The user's part of a claim, whichever way the code goes. */
  async approve(email: string): Promise<string> {
    const { ceremony, registrationId } = this;
    if ((await this.#registration()).state === 'claimed') return 'It is claimed already.';
    if (ceremony?.kind === 'type_there') {
      await approveClaim(this.user, ceremony, email);
      return `${email} signed in, typed the code and approved.`;
    }
    // The code comes by mail: its user has nothing to approve.
    if (ceremony?.verificationUri === null) return `${email} read the code in a mail.`;
    await this.#service.decide('complete', registrationId);
    return `${email} approved: the page shows the code for the agent.`;
  }

  /** What the agent gets once its user has acted. */
  async collect(patience: AbortSignal): Promise<string> {
    const { ceremony, agent } = this;
    if (ceremony?.kind === 'type_there')
      return (await agent.waitForClaim({ signal: patience })).status;
    const code = (await this.#registration()).attempt?.user_code ?? '';
    return (await agent.submitCode({ code: new Secret(code) })).status;
  }

  async revoke(): Promise<void> {
    await this.#service.decide('revoke', this.registrationId);
  }

  /** Whether the registration of the flow is there still. */
  async isKnown(): Promise<boolean> {
    return (await this.#find()) !== undefined;
  }

  async #registration(): Promise<LiveRegistration> {
    const own = await this.#find();
    if (own === undefined) throw new Error(GONE);
    return own;
  }

  async #find(): Promise<LiveRegistration | undefined> {
    const registrations = await this.#service.registrations();
    return registrations.find(({ id }) => id === this.registrationId);
  }
}

/** @throws Error for another outcome than the one that a step is about. */
export function expectOutcome<T extends { readonly status: string }, S extends T['status']>(
  outcome: T,
  status: S,
): Extract<T, { readonly status: S }> {
  if (outcome.status === status) return outcome as Extract<T, { readonly status: S }>;
  throw new Error(`The outcome is ${outcome.status}, not ${status}. Begin the flow again.`);
}
