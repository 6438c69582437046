import { JWT_BEARER_GRANT } from '../../../protocol/index.ts';
import { CannotTest, NeedsOption, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import type { ServiceWorld, Subject } from '../service-world.ts';
import { isGranted, notLimited } from '../steps/answers.ts';
import type { MintOptions, TestProvider } from '../test-provider.ts';
import {
  type CrossAppFacts,
  type CrossAppResource,
  judgedCrossApp,
  NOT_ASKED,
} from './cross-app.ts';
import { showClient, type TestClient } from './test-client.ts';

/** What a token request has beside its assertion. */
export interface Redeeming {
  /** Default: the first one; null: nothing shows who asks. */
  readonly client?: TestClient | null;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: HeaderList;
  /** Claims of the assertion by which the client authenticates, merged over the right ones. */
  readonly clientClaims?: Readonly<Record<string, unknown>>;
}

/** A client of cross-app access, with the provider whose ID-JAGs it redeems. */
export class Redeemer {
  readonly client: TestClient;
  readonly facts: CrossAppFacts;
  /** What its ID-JAGs are for; undefined where no protected resource is known. */
  readonly resource: CrossAppResource | undefined;
  /** The scopes of the resource, or where that lists none those of the server. */
  readonly scopes: readonly string[];
  readonly #world: ServiceWorld;

  /** @throws NotApplicable where the server does not offer it, NeedsOption where something has to be given for it. */
  constructor(world: ServiceWorld) {
    const crossApp = judgedCrossApp(world.facts);
    // Whoever registers agents lists the profile for that, too.
    if (crossApp === undefined) throw new NotApplicable(NOT_ASKED);
    if (crossApp.client === undefined) throw new NeedsOption(NOT_ASKED, '--client-id');
    if (crossApp.distrust !== undefined) {
      throw new NeedsOption(crossApp.distrust, '--provider-port');
    }
    this.#world = world;
    this.facts = crossApp;
    this.client = crossApp.client;
    this.resource = crossApp.resources[0];
    const listed = world.facts.metadata['scopes_supported'];
    const ofServer = Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [];
    const { scopes = [] } = this.resource ?? {};
    this.scopes = scopes.length > 0 ? scopes : ofServer;
    if (this.client.secret !== undefined) world.recorder.redactor.conceal(this.client.secret);
  }

  /**
   * Mints an ID-JAG that is right but for the options: for the first client and the first resource, with every scope.
   */
  idJag(options: MintOptions = {}, provider = this.#world.providers.provider): string {
    const { issuer: audience } = this.#world.facts;
    const claims = {
      client_id: this.client.id,
      resource: this.resource?.id,
      scope: this.scopes.join(' ') || undefined,
      ...options.claims,
    };
    const now = this.#world.time.now();
    return provider.mintIdJag({ audience, now, ...this.subject() }, { ...options, claims });
  }

  /** The user that the server knows, or else a new one. */
  subject(): Subject {
    const { subject } = this.facts;
    if (subject === undefined) return this.#world.freshSubject();
    return { subject, email: this.#world.userEmail() };
  }

  /** The token request. @throws CannotTest where a rate limit hides the answer. */
  async redeem(assertion: string | undefined, redeeming: Redeeming = {}): Promise<Answer> {
    const { client = this.client, clientClaims, form = {}, headers = [] } = redeeming;
    const shown = client === null ? undefined : this.show(client, clientClaims);
    const answer = await this.#world.client.token(
      {
        grant_type: JWT_BEARER_GRANT,
        ...(assertion !== undefined && { assertion }),
        ...shown?.form,
        ...form,
      },
      [...(shown?.headers ?? []), ...headers],
    );
    return notLimited(answer);
  }

  /** How a client shows itself in a request of now. */
  show(client: TestClient, claims?: Readonly<Record<string, unknown>>) {
    const { facts, providers, time } = this.#world;
    const jti = providers.provider.unique('ca');
    return showClient(client, { audience: facts.issuer, now: time.now(), jti }, claims);
  }

  /** A right ID-JAG, redeemed. */
  redeemNew(
    options: MintOptions = {},
    provider?: TestProvider,
    redeeming?: Redeeming,
  ): Promise<Answer> {
    return this.redeem(this.idJag(options, provider), redeeming);
  }

  /**
   * What unlocks the wrong ones, once in a run: a server that refuses everything proves nothing.
   * @throws CannotTest when a right one is refused.
   */
  unlock(): Promise<void> {
    return this.#world.once('a right ID-JAG is redeemed', async () => {
      await this.mustRedeem();
    });
  }

  /** @throws CannotTest when a right one is refused. */
  async mustRedeem(
    options: MintOptions = {},
    provider?: TestProvider,
    redeeming?: Redeeming,
  ): Promise<string> {
    return this.mustTake(this.idJag(options, provider), redeeming);
  }

  /** The same of one that is there. @throws CannotTest when it is refused. */
  async mustTake(idJag: string, redeeming?: Redeeming): Promise<string> {
    const answer = await this.redeem(idJag, redeeming);
    const token = answer.string('access_token');
    if (isGranted(answer) && token !== undefined) return token;
    throw new CannotTest(`A right ID-JAG was not redeemed (${answer.describe()}).`);
  }

  /** A call of a resource. @throws NeedsOption where none is known. */
  call(token: string, resource = this.resource): Promise<Answer> {
    if (resource === undefined) {
      throw new NeedsOption(
        'No protected resource is known: name one with --resource.',
        '--resource',
      );
    }
    const { call, url } = resource;
    const bearer = ['authorization', `Bearer ${token}`] as const;
    return this.#world.send(url, {
      from: 'agent',
      ...call,
      headers: [bearer, ...(call.headers ?? [])],
    });
  }

  /** What the server says of a token (RFC 7662). @throws NotApplicable where it has no such endpoint. */
  introspect(token: string, by: TestClient | null = this.client): Promise<Answer> {
    const url = this.#world.facts.metadata['introspection_endpoint'];
    if (typeof url !== 'string' || !URL.canParse(url)) {
      throw new NotApplicable("The server's metadata names no introspection_endpoint.");
    }
    const { form, headers } = by === null ? { form: {}, headers: [] } : this.show(by);
    return this.#world.client.postForm(url, { token, ...form }, { from: 'agent', headers });
  }
}
