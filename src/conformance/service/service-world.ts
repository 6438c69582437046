import type { Random } from '../../runtime/index.ts';
import { type Death, ToldDeaths } from '../engine/death-watch.ts';
import type { Invented } from '../engine/invented.ts';
import { CannotTest, NeedsOption, NotApplicable } from '../engine/judge.ts';
import { scenariosOf } from '../engine/scenario.ts';
import type { Answer } from '../http/answer.ts';
import type { HttpClient, Sending } from '../http/http-client.ts';
import type { RawReply, RawSending } from '../http/raw.ts';
import type { Recorder } from '../http/recorder.ts';
import { Visitor } from '../pages/visitor.ts';
import type { TargetTime } from '../target/target-time.ts';
import { limitedFor, whenAllowed } from '../target/when-allowed.ts';
import type { ScenarioAccounts } from '../user/accounts.ts';
import { knowingUser, meansOf, type SignInMeans } from '../user/sign-in-means.ts';
import type { User } from '../user/user.ts';
import type { Users } from '../user/users-of.ts';
import { type ClaimBlock, readClaimBlock } from './claim-block.ts';
import { ServiceClient, type ServiceHabits } from './service-client.ts';
import type { ServiceFacts } from './service-facts.ts';
import type { MintOptions, TestProvider, TestProviders } from './test-provider.ts';
import type { WriteRequest } from './write-request.ts';

/** What is shown once in a run. */
interface Shown {
  readonly outcome: Promise<void>;
  isOver: boolean;
}

/** What all scenarios of a run share. */
export interface ServiceRun extends Users {
  readonly facts: ServiceFacts;
  readonly http: HttpClient;
  readonly providers: TestProviders;
  readonly time: TargetTime;
  readonly random: Random;
  /** Why no ID-JAG of the suite's own providers can be expected to be accepted; undefined: they are trusted. */
  readonly distrust: string | undefined;
  /** Obtains ID-JAGs from the provider that the service trusts. */
  readonly mintCommand: ((email: string) => Promise<string>) | undefined;
  /** The service was given the key of the suite's provider. */
  readonly keysInAdvance: boolean;
  /** Why nobody can come by an ID-JAG who has no account; undefined: anybody can. */
  readonly noNewcomers: string | undefined;
  /** Milliseconds within which a connection that trickles has to end. */
  readonly connectionLimit: number;
  /** Writes that the service takes with a token, with absolute URLs; empty: none was named. */
  readonly writes: readonly WriteRequest[];
  /** Members by which agents name themselves, beside the usual ones. */
  readonly namingMembers: readonly string[];
  makeUser(visit: () => Visitor, means: SignInMeans): User;
  /** What was shown once for all scenarios, by its name. */
  readonly shown: Map<string, Shown>;
  readonly habits: ServiceHabits;
  /** How the service died so far. */
  readonly deaths: readonly Death[];
}

/** A user's registration by an ID-JAG: who it is for. */
export interface Subject {
  readonly subject: string;
  readonly email: string;
}

/** What a scenario of the service works with: the peers that the suite runs, and the service itself. */
export class ServiceWorld {
  readonly facts: ServiceFacts;
  readonly client: ServiceClient;
  readonly time: TargetTime;
  readonly providers: TestProviders;
  /** Does the user's part of a claim. */
  readonly user: User;
  /** What users sign in with, beside their email. */
  readonly means: SignInMeans;
  /** Makes up names and values. */
  readonly invented: Invented;
  /** The host of foreign pages, to which no redirect may lead. */
  readonly elsewhere: string;
  readonly connectionLimit: number;
  readonly namingMembers: readonly string[];
  readonly writes: readonly WriteRequest[];
  readonly #run: ServiceRun;
  readonly recorder: Recorder;
  readonly #published: (() => void)[] = [];

  /** How the target died so far. */
  readonly deaths: ToldDeaths;
  readonly #accounts: ScenarioAccounts;

  constructor(run: ServiceRun, recorder: Recorder, invented: Invented) {
    this.#run = run;
    this.recorder = recorder;
    this.deaths = new ToldDeaths(run.deaths, recorder);
    this.invented = invented;
    this.elsewhere = invented.host();
    this.connectionLimit = run.connectionLimit;
    this.namingMembers = run.namingMembers;
    this.writes = run.writes;
    this.facts = run.facts;
    this.time = run.time;
    this.providers = run.providers;
    this.client = new ServiceClient(
      (url, sending) => this.send(url, sending),
      run.facts,
      () => this.time.now(),
      run.habits,
    );
    this.#accounts = run.accounts.begin();
    this.means = meansOf(run, recorder);
    this.user = knowingUser(
      run.makeUser(() => this.visitor(), this.means),
      this.means,
    );
  }

  /** Shows something once in a run; every scenario that needs it gets the same outcome. */
  once(name: string, show: () => Promise<void>): Promise<void> {
    const { shown } = this.#run;
    const known = shown.get(name);
    // Whoever shows it may wait, and needs the lane then.
    if (known !== undefined)
      return known.isOver ? known.outcome : this.time.away(() => known.outcome);
    const showing: Shown = {
      isOver: false,
      outcome: show().finally(() => {
        showing.isOver = true;
      }),
    };
    shown.set(name, showing);
    return showing.outcome;
  }

  /** @throws NotApplicable where the service was given a provider's key, and fetches none. */
  needFetches(provider: TestProvider): void {
    const isFetched = provider.hits.some(({ path }) => path.endsWith('/jwks.json'));
    if (this.#run.keysInAdvance && provider.hasMinted && !isFetched) {
      throw new NotApplicable(
        'The service was given the key of the provider in advance (--provider-key) and fetches none: no other one can be published.',
      );
    }
  }

  /** Publishes further keys of a provider: until the returned function is called, or the scenario ends. */
  publish(
    provider: TestProvider,
    ...[keys, place]: Parameters<TestProvider['publish']>
  ): () => void {
    this.needFetches(provider);
    const withdraw = provider.publish(keys, place);
    this.#published.push(withdraw);
    return withdraw;
  }

  /** Undoes what this scenario did to the peers. */
  restore(): void {
    for (const withdraw of this.#published.splice(0)) withdraw();
    const { provider, other, untrusted } = this.providers;
    for (const peer of [provider, other, untrusted]) {
      peer.down = false;
      peer.redirect = undefined;
      peer.moved = [];
    }
  }

  /** Sends a request as it is given. */
  send(url: string, sending: Sending = {}): Promise<Answer> {
    const send = () => this.#run.http.send(url, sending, this.recorder);
    return isTry(sending) ? send() : whenAllowed(this.time, send);
  }

  /** Bytes as they are, over a connection of their own. */
  raw(url: string, sending: RawSending): Promise<RawReply> {
    return this.#run.http.raw(url, sending, this.recorder);
  }

  /** A browser without cookies. */
  visitor(): Visitor {
    return new Visitor((url, sending) => this.send(url, { from: 'user', ...sending }));
  }

  /** @throws NotApplicable when the service does not offer the registration type. */
  needType(type: 'anonymous' | 'service_auth' | 'identity_assertion'): void {
    if (!this.facts.identityTypes.includes(type)) {
      throw new NotApplicable(`The service does not offer ${type}.`);
    }
  }

  /** The email of a user who can sign in: a new one or, where the run has none, always the same one. */
  userEmail(): string {
    return this.#accounts.user();
  }

  /**
   * The email of another user who can sign in. With a pattern nobody has registered with it.
   * @throws NeedsOption when the run has too few users.
   */
  freshEmail(): string {
    return this.#accounts.another();
  }

  /** An email without an account, with which nobody signs in. @throws NeedsOption when the run has none. */
  unknownEmail(): string {
    return this.#accounts.unknown();
  }

  /** A user new to both service and provider. @throws NeedsOption where the service takes none. */
  freshSubject(): Subject {
    const { noNewcomers } = this.#run;
    if (noNewcomers !== undefined) throw new NeedsOption(noNewcomers, '--accounts');
    const email = this.unknownEmail();
    return { subject: `user-${Buffer.from(this.#run.random.bytes(6)).toString('hex')}`, email };
  }

  /**
   * An ID-JAG of the suite's own provider.
   * @throws NeedsOption when the service does not trust it, NotApplicable when it does not offer to take any.
   */
  idJag(whom: Subject, options: MintOptions = {}, provider = this.providers.provider): string {
    if (this.#run.distrust !== undefined) {
      this.needType('identity_assertion');
      throw new NeedsOption(this.#run.distrust, '--provider-port');
    }
    const { issuer: audience } = this.facts;
    return provider.mintIdJag({ audience, now: this.time.now(), ...whom }, options);
  }

  /**
   * An ID-JAG that the service should take: of the suite's own provider or, where that is not trusted,
   * by the mint command. @throws NotApplicable when there is neither.
   */
  async acceptableIdJag(): Promise<{ readonly email: string; readonly idJag: string }> {
    const { accounts, distrust, mintCommand } = this.#run;
    if (distrust === undefined || mintCommand === undefined) {
      const whom = this.freshSubject();
      return { email: whom.email, idJag: this.idJag(whom) };
    }
    // The provider knows those who are listed.
    const email = accounts.haveNewcomers ? this.unknownEmail() : this.userEmail();
    return { email, idJag: await mintCommand(email) };
  }

  /**
   * An event of the suite's own provider that revokes a subject.
   * @throws NotApplicable when the service lists none, NeedsOption when it does not trust the provider.
   */
  revokedEvent(
    subject: string,
    options: MintOptions = {},
    provider = this.providers.provider,
  ): string {
    const { issuer: audience, revokedEvent: eventType } = this.facts;
    if (eventType === undefined) {
      throw new NotApplicable('The service lists no revocation event in events_supported.');
    }
    if (this.#run.distrust !== undefined)
      throw new NeedsOption(this.#run.distrust, '--provider-port');
    return provider.mintSet({ audience, now: this.time.now(), subject, eventType }, options);
  }

  /** An anonymous registration. @throws NotApplicable, CannotTest */
  async anonymous(): Promise<{ assertion: string; claimToken: string; answer: Answer }> {
    this.needType('anonymous');
    const answer = await this.client.registerAnonymous();
    return {
      answer,
      assertion: this.must(answer, 'identity_assertion', 'an anonymous registration'),
      claimToken: this.must(answer, 'claim_token', 'an anonymous registration'),
    };
  }

  /** A registration by email, with its open claim attempt. */
  async byEmail(email = this.freshEmail()): Promise<{
    email: string;
    claimToken: string;
    claim: ClaimBlock;
    answer: Answer;
  }> {
    this.needType('service_auth');
    const answer = await this.client.registerByEmail(email);
    const claimToken = this.must(answer, 'claim_token', 'a registration by email');
    return { email, claimToken, claim: this.mustClaim(answer), answer };
  }

  /** A fresh claim attempt. */
  async openClaim(claimToken: string, email: string): Promise<ClaimBlock> {
    return this.mustClaim(await this.client.startClaim(claimToken, email));
  }

  /** An access token for an assertion. */
  async accessToken(assertion: string): Promise<string> {
    return this.must(await this.client.exchange(assertion), 'access_token', 'an exchange');
  }

  /** A string member without which the scenario cannot continue. @throws CannotTest */
  must(answer: Answer, member: string, what: string): string {
    const value = answer.string(member);
    if (value === undefined) throw withoutMember(answer, what, member);
    return value;
  }

  /** @throws CannotTest */
  mustClaim(answer: Answer): ClaimBlock {
    const block = readClaimBlock(answer);
    if (block === undefined) {
      throw withoutMember(answer, 'a claim', 'user_code and verification_uri');
    }
    return block;
  }
}

/** What a user sends may be a code: how many of those are taken is what is judged. */
function isTry({ from, method, body }: Sending): boolean {
  return from === 'user' && (method === 'POST' || body !== undefined);
}

function withoutMember(answer: Answer, what: string, member: string): Error {
  const described = `${what[0]?.toUpperCase()}${what.slice(1)} was answered ${answer.describe()}, without ${member}.`;
  return answer.status === 429 ? limitedFor(answer, 'service') : new CannotTest(described);
}

/** Defines a scenario that judges a service. */
export const serviceScenario = scenariosOf<ServiceWorld>();
