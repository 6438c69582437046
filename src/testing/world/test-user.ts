import { type Agent, AgentError, type ConnectUser } from '../../agent/index.ts';
import type { MockService } from '../../mock-service/index.ts';
import type { Mail } from '../../mock-service/store/mail-store.ts';
import { normalizeEmail, normalizeUserCode } from '../../protocol/index.ts';
import { type Fetch, Secret } from '../../runtime/index.ts';
import type { Page, ScriptedUser } from '../../user/index.ts';
import {
  revealed,
  type ShownClaim,
  type UserAct,
  type UserHands,
  UserScript,
} from './user-script.ts';
import type { Waiting } from './waiting.ts';

/** A user is asked for the same thing so often; then something else is wrong. */
const MOST_ROUNDS = 5;

/** The user at the terminal of an agent: what `connect` takes as its `user`. */
function userAt(script: UserScript, agent: Agent): ConnectUser {
  return {
    email: async () => script.email,
    claim: (_open, wait) => wait(),
    code: async ({ ceremony }) => {
      const code = await script.askedForCode(ceremony);
      return code === undefined ? undefined : new Secret(code);
    },
    atProvider: async ({ attempt, scopes, service }) => {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const outcome = await attempt();
        if (outcome.status === 'login_required') {
          await signIn(agent, outcome.provider ?? '', outcome.askedBy !== 'agent');
        } else if (outcome.status === 'consent_required') {
          const { audience, provider } = outcome;
          await agent.providerConsent({
            provider,
            audience,
            scopes,
            resource: service.resource,
            onConsentRequired: () => {},
          });
        } else {
          return outcome;
        }
      }
      throw notDone('The user did not act at the provider.');
    },
  };
}

async function signIn(agent: Agent, provider: string, isFresh: boolean): Promise<void> {
  const login = await agent.providerLogin({ provider, ...(isFresh && { prompt: 'login' }) });
  const { status } = await login.wait();
  if (status !== 'signed_in') throw notDone(`The sign-in at the provider ended: ${status}.`);
}

function notDone(message: string): AgentError {
  return new AgentError(message, {
    code: 'login_needed',
    hint: "Say what the user does: user.whenAsked('approve').",
  });
}

/** What a scripted user lives in. */
interface Surroundings {
  readonly service: MockService;
  readonly waiting: Waiting;
  /** Their browser's. */
  readonly fetch: Fetch;
  /** Called with their script, to follow it when an agent polls. */
  readonly follow: (script: UserScript) => void;
}

/**
 * A user by script, with an email and a browser of their own. They act at once (`approve`, `deny`, …) or when an
 * agent asks (`whenAsked`), on the pages of the mocks, as anybody would.
 */
export class TestUser implements UserHands {
  readonly email: string;
  readonly #around: Surroundings;
  readonly #script: UserScript;
  #browser: Promise<ScriptedUser> | undefined;

  /** @throws TypeError for what is no email. */
  constructor(email: string, around: Surroundings) {
    const normalized = typeof email === 'string' ? normalizeEmail(email) : undefined;
    if (normalized === undefined) {
      throw new TypeError(
        `The email of a user cannot be ${JSON.stringify(email)}. Use one such as alice@example.com.`,
      );
    }
    // As services store and compare it.
    this.email = normalized;
    this.#around = around;
    this.#script = new UserScript(this);
    around.follow(this.#script);
  }

  /**
   * What they do from now on when an agent asks, one act each time that it polls for them (for a claim, for a sign-in
   * or a consent at the provider) or asks them for a code. The last act stays. Without any they do nothing, as from
   * the start. What an act throws, `sleep` of the world does, too, and so the wait of an agent.
   * @throws TypeError for an act that there is not.
   */
  whenAsked(...acts: readonly UserAct[]): void {
    this.#script.write(acts);
  }

  /** This user at the terminal of an agent: `agent.connect({ …, user: user.at(agent) })`. */
  at(agent: Agent): ConnectUser {
    return userAt(this.#script, agent);
  }

  /**
   * The newest claim that waits for them at the service; `undefined`: none does.
   * @param registrationId That of this registration.
   */
  async claim(registrationId?: string): Promise<ShownClaim | undefined> {
    const found = (await this.#open()).find(
      ({ email, id }) => email === this.email && id === (registrationId ?? id),
    );
    if (found === undefined) return undefined;
    const { page, user_code: userCode } = found.attempt;
    const isMailed = (await this.mails()).some((mail) => mail.registrationId === found.id);
    return { verificationUri: isMailed ? null : page, userCode: userCode ?? undefined };
  }

  /**
   * Approves a claim on its page: signs in, and types the code where there is a field for it. Where the page shows a
   * code then, `readCode` has it.
   * @param claim Default: the one that waits for them.
   * @throws Error where nothing waits, and where the page refuses.
   */
  async approve(claim?: ShownClaim): Promise<void> {
    const { verificationUri, userCode } = claim ?? (await this.#waiting());
    if (verificationUri === null) {
      throw new Error(
        'The code of this claim is mailed: there is nothing to approve. Use readCode.',
      );
    }
    const code = revealed(userCode);
    await this.#submit(verificationUri, {
      ...(code !== undefined && { user_code: code }),
      decision: 'approve',
    });
  }

  /**
   * Denies a claim, on its page or on the one that its mail leads to.
   * @param claim Default: the one that waits for them.
   * @throws Error where nothing waits, and where the page refuses.
   */
  async deny(claim?: ShownClaim): Promise<void> {
    const { verificationUri } = claim ?? (await this.#waiting());
    await this.#submit(verificationUri ?? (await this.#newestMail()).link ?? '', {
      decision: 'deny',
    });
  }

  /**
   * Types a code on the page of a claim, and presses Approve.
   * @param claim Default: the one that waits for them.
   * @returns the text of the page that answers: of a wrong code it says so.
   */
  async typeCode(code: string, claim?: ShownClaim): Promise<string> {
    const { verificationUri } = claim ?? (await this.#waiting());
    if (verificationUri === null) throw new Error('The code of this claim is typed on no page.');
    const browser = await this.#browse();
    const page = await this.#signedIn(verificationUri);
    return (await browser.submit(page, { user_code: code, decision: 'approve' })).text;
  }

  /**
   * The code that they read to the agent: of the newest mail, or of the page that shows it once they have approved
   * there.
   * @param claim Default: the one that waits for them.
   */
  async readCode(claim?: ShownClaim): Promise<string> {
    const { verificationUri } = claim ?? (await this.#waiting());
    if (verificationUri === null) {
      return normalizeUserCode((await this.#newestMail()).userCode ?? '');
    }
    const page = await this.#signedIn(verificationUri);
    if (page.forms.some(({ controls }) => controls.includes('user_code'))) {
      throw new Error(
        'The code of this claim is typed on its page, and not read: use approve or typeCode.',
      );
    }
    await this.#send(page, { decision: 'approve' });
    const shown = (await this.#open()).find(({ attempt }) => attempt.page === verificationUri);
    if (shown?.attempt.user_code == null) throw new Error('The page shows no code.');
    return shown.attempt.user_code;
  }

  /** What the service mailed to them, newest first. */
  mails(): Promise<readonly Mail[]> {
    return this.#around.service.controls.mails({ to: this.email });
  }

  /**
   * Signs in at the provider for an agent, or refuses to.
   * @param open What the agent shows. Default: the sign-in that was opened last.
   */
  async signIn(decision: 'approve' | 'deny' = 'approve', open?: ShownClaim): Promise<void> {
    const shown = open ?? this.#around.waiting.signIn;
    const code = revealed(shown?.userCode);
    if (shown?.verificationUri == null || code === undefined) {
      throw new Error('No sign-in waits at the provider.');
    }
    const browser = await this.#browse();
    if (decision === 'approve') {
      const { approveSignIn } = await import('../../user/index.ts');
      await approveSignIn(browser, shown.verificationUri, code, this.email);
    } else {
      const page = await this.#signedIn(shown.verificationUri);
      await browser.submit(await browser.submit(page, { user_code: code }), { decision });
    }
  }

  /**
   * Agrees at the provider to be identified to a service, or refuses.
   * @param consentUri The page. Default: the one that an agent was led to last.
   */
  async consent(decision: 'approve' | 'deny' = 'approve', consentUri?: string): Promise<void> {
    const uri = consentUri ?? this.#around.waiting.consentUri;
    if (uri === undefined) throw new Error('No consent waits at the provider.');
    await this.#submit(uri, { decision });
  }

  /** Ends the access of a registration, at `/connections` of the service. */
  async endAccess(registrationId: string): Promise<void> {
    const { issuer } = this.#around.service;
    const page = await this.#signedIn(`${issuer}/connections`);
    if (!page.forms.some(({ fields }) => fields['registration_id'] === registrationId)) {
      throw new Error(`${this.email} has no registration ${registrationId} at ${issuer} to end.`);
    }
    await this.#send(page, { registration_id: registrationId });
  }

  async #waiting(): Promise<ShownClaim> {
    const claim = await this.claim();
    if (claim !== undefined) return claim;
    const others = (await this.#open()).map(({ email }) => email ?? 'anybody');
    const elsewhere = others.length === 0 ? '' : ` The open ones wait for ${others.join(', ')}.`;
    throw new Error(
      `No claim waits for ${this.email} at ${this.#around.service.issuer}.${elsewhere}`,
    );
  }

  /** The claims that are open at the service, newest first. */
  async #open() {
    const all = (await this.#around.service.live.service?.registrations()) ?? [];
    return all.flatMap(({ attempt, email, id }) =>
      attempt === null ? [] : [{ attempt, email, id }],
    );
  }

  async #newestMail(): Promise<Mail> {
    const [mail] = await this.mails();
    if (mail !== undefined) return mail;
    throw new Error(`Nothing was mailed to ${this.email}.`);
  }

  async #submit(uri: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.#send(await this.#signedIn(uri), values);
  }

  async #send(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
    const done = await (await this.#browse()).submit(page, values);
    if (done.status >= 400) throw new Error(`The page answered ${done.status}: ${done.heading}`);
  }

  async #signedIn(uri: string): Promise<Page> {
    const { openSignedIn } = await import('../../user/index.ts');
    return openSignedIn(await this.#browse(), uri, this.email);
  }

  /** The HTML parser is loaded by the first page. */
  #browse(): Promise<ScriptedUser> {
    this.#browser ??= import('../../user/index.ts').then(
      ({ ScriptedUser: Browser }) => new Browser(this.#around.fetch),
    );
    return this.#browser;
  }
}
