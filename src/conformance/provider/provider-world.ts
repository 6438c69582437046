import type { Random } from '../../runtime/index.ts';
import { ToldDeaths } from '../engine/death-watch.ts';
import type { Invented } from '../engine/invented.ts';
import { CannotTest, NeedsOption, NotApplicable } from '../engine/judge.ts';
import { scenariosOf } from '../engine/scenario.ts';
import { Answer } from '../http/answer.ts';
import type { Sending } from '../http/http-client.ts';
import type { RawReply, RawSending } from '../http/raw.ts';
import type { Recorder } from '../http/recorder.ts';
import { type OpenedJwt, openJwt } from '../jwt/open.ts';
import { GuardedVisitor } from '../pages/foreign-destinations.ts';
import { Visitor } from '../pages/visitor.ts';
import type { TargetControl } from '../target/http-control.ts';
import type { TargetTime } from '../target/target-time.ts';
import { limitedFor, whenAllowed } from '../target/when-allowed.ts';
import type { ScenarioAccounts } from '../user/accounts.ts';
import { meansOf, type SignInMeans } from '../user/sign-in-means.ts';
import type { ClaimReport } from '../user/user.ts';
import type { CrossAppGiven } from './cross-app/given.ts';
import { type DeviceCode, readDeviceCode } from './device-code.ts';
import { noDevice, noMint } from './no-mint.ts';
import { type FormValues, isWaiting, ProviderClient } from './provider-client.ts';
import type { ProviderFacts } from './provider-facts.ts';
import type { MintedAudiences, ProviderRun } from './provider-run.ts';
import type { ProviderUser } from './sign-in.ts';
import type { Breaking } from './steps/rows.ts';
import type { TestService } from './test-service.ts';
import type { TestServices } from './test-services.ts';

/** A user who is signed in at the provider. */
export interface UserSession {
  readonly email: string;
  readonly idToken: string;
}

const MOST_POLLS = 3;

/** What a scenario of the provider works with: an agent, a user, services, and the provider itself. */
export class ProviderWorld {
  readonly facts: ProviderFacts;
  readonly client: ProviderClient;
  readonly time: TargetTime;
  readonly services: TestServices;
  readonly user: ProviderUser;
  /** What users sign in with, beside their email. */
  readonly means: SignInMeans;
  readonly control: TargetControl | undefined;
  readonly consentsUri: string | undefined;
  readonly crossApp: CrossAppGiven | undefined;
  readonly breaking: Breaking;
  readonly audiences: MintedAudiences;
  readonly random: Random;
  readonly connectionLimit: number;
  /** Random names and values. */
  readonly invented: Invented;
  /** A host that does not exist. */
  readonly elsewhere: string;
  readonly #run: ProviderRun;
  readonly recorder: Recorder;
  readonly #accounts: ScenarioAccounts;
  #audiencesUsed = 0;
  #consentPage: ClaimReport | undefined;

  /** How the target died so far. */
  readonly deaths: ToldDeaths;

  constructor(run: ProviderRun, recorder: Recorder, invented: Invented) {
    this.#run = run;
    this.recorder = recorder;
    this.deaths = new ToldDeaths(run.deaths, recorder);
    this.invented = invented;
    this.elsewhere = invented.host();
    this.facts = run.facts;
    this.time = run.time;
    this.services = run.services;
    this.services.recorder = recorder;
    this.control = run.control;
    this.consentsUri = run.consentsUri;
    this.crossApp = run.crossApp;
    this.breaking = run.history.breaking;
    this.audiences = run.history.audiences;
    this.random = run.random;
    this.connectionLimit = run.connectionLimit;
    this.client = new ProviderClient((url, sending) => this.send(url, sending), run.facts, {
      clientId: run.clientId,
      mintsByCommand: run.mintCommand !== undefined,
      onMint: (answer, audience) => this.audiences.note(answer, audience, recorder),
    });
    this.#accounts = run.accounts.begin();
    this.means = meansOf(run, recorder);
    this.user = run.makeUser(() => this.visitor(), this.means);
  }

  /**
   * Sends any request unchanged; what was refused for too many requests once more, when that is allowed.
   * @throws NeedsOption, CannotTest where it is still refused: that proves nothing.
   */
  async send(url: string, sending: Sending = {}): Promise<Answer> {
    const send = () => this.#run.http.send(url, sending, this.recorder);
    const answer = await whenAllowed(this.time, send);
    if (answer.status !== 429 || answer.errorCode === 'slow_down') return answer;
    throw limitedFor(answer, 'provider');
  }

  /** Sends bytes over a connection of their own. */
  raw(url: string, sending: RawSending): Promise<RawReply> {
    return this.#run.http.raw(url, sending, this.recorder);
  }

  /**
   * A new browser session: cookies, forms, redirects.
   *
   * @param options.takes429 for a visitor who tries how often something is allowed.
   */
  visitor({ takes429 = false } = {}): Visitor {
    return new Visitor((url, sending) => {
      const request = { from: 'user', ...sending } as const;
      return takes429 ? this.#run.http.send(url, request, this.recorder) : this.send(url, request);
    });
  }

  /** A new browser session that goes to no foreign site. */
  guarded(): GuardedVisitor {
    return new GuardedVisitor((url, sending) => this.send(url, sending), this.elsewhere);
  }

  /** The provider's current key set. */
  async keySet(): Promise<readonly unknown[]> {
    const { jwksUri } = this.facts;
    if (jwksUri === undefined)
      throw new NotApplicable("The provider's metadata names no jwks_uri.");
    const keys = (await this.send(jwksUri)).member('keys');
    return Array.isArray(keys) ? keys : [];
  }

  /** The email of another user. @throws NeedsOption when the run has too few of them. */
  freshEmail(): string {
    return this.#accounts.another();
  }

  /** The email of a user: a new one where the run may have several. */
  email(): string {
    return this.#accounts.user();
  }

  /**
   * Makes sure that a scenario can begin without any consent.
   * @throws NotApplicable when user and services are the same in every run.
   */
  needNewcomers(): void {
    if (this.#run.audiences === undefined || this.#accounts.areNew) return;
    const needed = 'Its user may have consented to the services before: put {n} into --email.';
    throw new NeedsOption(needed, '--email');
  }

  /** A service without consents in this scenario. @throws NotApplicable when none is left. */
  audience(): TestService {
    const { audiences } = this.#run;
    if (audiences === undefined) return this.services.fresh(this.recorder);
    const issuer = audiences[this.#audiencesUsed];
    if (issuer === undefined) {
      const needed = `This needs more services than the ${audiences.length} that --audience names.`;
      throw new NeedsOption(needed, '--audience');
    }
    this.#audiencesUsed += 1;
    return this.services.at(issuer, this.recorder);
  }

  /**
   * Makes sure that there can be a service that no --audience names: it has an origin of its own.
   * @throws NotApplicable where the provider mints only for services that it knows.
   */
  needOpenAudiences(): void {
    if (this.#run.audiences === undefined) return;
    throw new NotApplicable('The provider mints only for the services that --audience names.');
  }

  /** @throws CannotTest when the provider starts no device authorization. */
  async startSignIn(more: FormValues = {}): Promise<DeviceCode> {
    const answer = await this.client.authorizeDevice(more);
    return readDeviceCode(answer, this.#quote(answer));
  }

  /** Signs a user in by device authorization or by --id-token-command. */
  async session(email = this.email()): Promise<UserSession> {
    const { idTokenCommand, clientId: client_id } = this.#run;
    if (idTokenCommand) return { email, idToken: await idTokenCommand(email, { client_id }) };
    if (this.mintsByCommand && !this.#revokesByEndpoint) return { email, idToken: '' };
    if (this.facts.deviceEndpoint === undefined) throw noDevice(this.facts);
    return this.signInByDevice(email);
  }

  /** Signs a user in by device authorization. */
  async signInByDevice(email: string): Promise<UserSession> {
    const started = await this.startSignIn();
    const answer = await this.approve(started, email);
    const idToken = answer.string('id_token');
    if (idToken !== undefined) return { email, idToken };
    throw new CannotTest(
      `A user signed in at ${new URL(started.verificationUri).pathname}, typed the code and approved; the next poll was answered ${this.#quote(answer)}, without an id_token.`,
    );
  }

  /**
   * Makes a user approve, and polls.
   * @throws CannotTest with the page at which the user's part stopped, where it did.
   */
  async approve(started: DeviceCode, email: string): Promise<Answer> {
    const { stoppedAt } = await this.user.signIn({ ...started, email, decision: 'approve' });
    if (stoppedAt === undefined) return this.collect(started);
    const answer = await this.collect(started, ({ errorCode }) => errorCode === 'slow_down');
    if (!isWaiting(answer)) return answer;
    throw new CannotTest(
      `The sign-in at ${new URL(started.verificationUri).pathname} was not finished. It stopped at ${this.recorder.redactor.text(stoppedAt)}.`,
    );
  }

  /** Polls until the answer is final, or a few times at most. */
  async collect({ deviceCode, interval }: DeviceCode, isOpen = isWaiting): Promise<Answer> {
    let answer = await this.client.poll(deviceCode);
    let pause = interval;
    for (let poll = 1; poll < MOST_POLLS && isOpen(answer); poll += 1) {
      // RFC 8628 §3.5: the interval grows with each slow_down, and what is asked for to the second is granted.
      if (answer.errorCode === 'slow_down') pause += 5;
      await this.time.pass((pause + 1) * 1000);
      answer = await this.client.poll(deviceCode);
    }
    return answer;
  }

  /** Mints; where consent is required, lets the user consent and mints again. */
  async mintWithConsent(
    { email, idToken }: UserSession,
    audience: string,
    more: FormValues = {},
  ): Promise<Answer> {
    const { mintCommand: run } = this.#run;
    if (run) {
      const minted = mintedBy(await run(email, { audience }));
      this.audiences.note(minted, audience, this.recorder);
      return minted;
    }
    const asked = await this.client.mint(idToken, audience, more);
    if (asked.string('access_token') !== undefined) return asked;
    const consentUri = asked.string('consent_uri');
    if (consentUri === undefined || !URL.canParse(consentUri)) return asked;
    this.#consentPage = await this.user.consent({ consentUri, email, decision: 'approve' });
    return this.client.mint(idToken, audience, more);
  }

  /** An ID-JAG. @throws CannotTest when the provider mints none. */
  async idJag(session: UserSession, audience: string, more: FormValues = {}): Promise<string> {
    return this.mustMint(await this.mintWithConsent(session, audience, more), audience);
  }

  /**
   * The ID-JAG of an answer to `mintWithConsent`.
   * @throws CannotTest with what the provider answered, NotApplicable where it may know its services only.
   */
  mustMint(answer: Answer, audience: string): string {
    const token = answer.string('access_token');
    if (token !== undefined) return token;
    const { audiences } = this.#run;
    throw noMint(answer, {
      audience,
      said: this.#quote(answer),
      mayKnowOthers: audiences === undefined && this.audiences.count === 0,
      page: this.#consentPage,
    });
  }

  /** What a peer answered, for a sentence, without secrets. */
  #quote(answer: Answer): string {
    return this.recorder.redactor.text(answer.describe());
  }

  /** @throws CannotTest when it is not a JWT. */
  open(token: string): OpenedJwt {
    const opened = openJwt(token);
    if (opened === undefined) throw new CannotTest('The ID-JAG or ID token is not a JWT.');
    return opened;
  }

  /** ID-JAGs come from --mint-command, not by a token exchange. */
  get mintsByCommand(): boolean {
    return this.#run.mintCommand !== undefined;
  }

  /** The endpoint takes ID tokens, which some sign-in has to give. */
  get #revokesByEndpoint(): boolean {
    const { consentRevocationEndpoint, deviceEndpoint } = this.facts;
    if (consentRevocationEndpoint === undefined) return false;
    const hasSignIn = deviceEndpoint !== undefined || this.#run.idTokenCommand !== undefined;
    return hasSignIn || !this.mintsByCommand;
  }

  /** Revokes a consent, by the provider's endpoint or on its page. */
  async revoke({ email, idToken }: UserSession, audience: string): Promise<Answer | undefined> {
    if (this.#revokesByEndpoint) return this.client.revokeConsent(idToken, audience);
    if (this.consentsUri === undefined) {
      throw new NeedsOption(
        'The provider has no consent_revocation_endpoint: name its page for consents with --consents-page.',
        '--consents-page',
      );
    }
    await this.user.revoke({ consentsUri: this.consentsUri, audience, email });
    return undefined;
  }

  /** How long is waited for an event, for a sentence. */
  get inTime(): string {
    return `within ${this.#run.deliveryWindow / 1000} s`;
  }

  /** Whether a service receives so many events in time. */
  delivered(service: TestService, count: number): Promise<boolean> {
    const { deliveryWindow, sleep } = this.#run;
    return this.time.away(() => service.delivered(count, deliveryWindow, sleep));
  }
}

/** What a command minted, in the place of the answer to a token exchange. */
function mintedBy(idJag: string): Answer {
  return new Answer(200, [], JSON.stringify({ access_token: idJag }), 0, 0);
}

/** Defines a scenario that judges a provider. */
export const providerScenario = scenariosOf<ProviderWorld>();
