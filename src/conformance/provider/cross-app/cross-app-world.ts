import { CannotTest, NeedsOption, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { OpenedJwt } from '../../jwt/open.ts';
import { describePage } from '../../user/describe-page.ts';
import type { FormValues } from '../provider-client.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { FormProviderUser } from '../sign-in.ts';
import { opensUserInfo } from '../steps/device-codes.ts';
import { type Arrival, Browser, DrivenBrowser, type Stay } from './browser.ts';
import { CodeClient, challengeOf, type TokenRequest } from './code-client.ts';
import { type CrossAppGiven, DEFAULT_REDIRECT } from './given.ts';

/** An authorization request that was sent, and where it led. */
export interface Authorization {
  readonly client: CodeClient;
  readonly email: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** The verifier of the challenge; `undefined` where no challenge was sent. */
  readonly verifier: string | undefined;
  readonly end: Arrival | Stay;
}

/** The code that the browser was sent on with. */
export function codeAt(end: Arrival | Stay): string | null {
  return end.kind === 'arrived' ? end.url.searchParams.get('code') : null;
}

/** A user who is signed in to a client. */
export interface ClientSignIn {
  readonly client: CodeClient;
  readonly email: string;
  readonly idToken: string;
  /** The answer that gave it. Undefined where a command did. */
  readonly answer: Answer | undefined;
  readonly nonce: string | undefined;
}

/** What of an authorization request is not as usual. */
export interface AuthorizationChange {
  readonly client?: CodeClient;
  readonly parameters?: FormValues;
  readonly email?: string;
  /** Somebody may be signed in in it already. */
  readonly browser?: Browser | DrivenBrowser;
}

/** What is signed in to by authorization code (RFC 6749 §4.1, RFC 7636), and exchanged for ID-JAGs. */
export class CrossAppWorld {
  readonly world: ProviderWorld;
  readonly given: CrossAppGiven;
  readonly client: CodeClient;

  constructor(world: ProviderWorld, given: CrossAppGiven) {
    this.world = world;
    this.given = given;
    this.client = this.#clientOf(given.client);
    for (const secret of [given.client.secret, given.other?.secret ?? '']) {
      world.recorder.redactor.conceal(secret);
    }
  }

  /** @throws NeedsOption where there is one client alone. */
  other(): CodeClient {
    if (this.given.other !== undefined) return this.#clientOf(this.given.other);
    throw new NeedsOption(
      'This needs a second client of the provider, with the same redirect URI: --client-id ID --client-secret @FILE once more.',
      '--client-id',
    );
  }

  /** @throws NeedsOption */
  get audience(): string {
    if (this.given.audience !== undefined) return this.given.audience;
    throw new NeedsOption(
      'An ID-JAG is minted for a server that the provider knows: name its issuer, and a resource of it, with --audience https://as.example.com --resource https://as.example.com/mcp.',
      '--audience',
    );
  }

  /** @throws NeedsOption */
  get resource(): string {
    if (this.given.resource !== undefined) return this.given.resource;
    throw new NeedsOption(
      'Name a resource of the audience with --resource https://as.example.com/mcp.',
      '--resource',
    );
  }

  browser(): Browser | DrivenBrowser {
    const { user } = this.world;
    if (!(user instanceof FormProviderUser)) return new DrivenBrowser(user, this.given.redirectUri);
    return new Browser((url, sending) => this.world.send(url, sending), this.world.means);
  }

  /** Sends the browser of a user to the authorization endpoint, and does the user's part. */
  async authorize(change: AuthorizationChange = {}): Promise<Authorization> {
    const { browser = this.browser(), client = this.client, email = this.world.email() } = change;
    const { invented, random } = this.world;
    const verifier = Buffer.from(random.bytes(32)).toString('base64url');
    const asked: FormValues = {
      redirect_uri: this.given.redirectUri,
      scope: 'openid email',
      state: invented.token(),
      nonce: invented.token(),
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      ...change.parameters,
    };
    const { code_challenge: challenge, nonce, redirect_uri: redirectUri = '', state } = asked;
    const ends = [this.given.redirectUri, redirectUri].filter((each) => URL.canParse(each));
    const end = await browser.authorize(client.authorizationUrl(asked), email, ends);
    const code = codeAt(end);
    if (code !== null) this.world.recorder.redactor.conceal(code);
    return {
      client,
      email,
      redirectUri,
      state,
      nonce,
      verifier: challenge === undefined ? undefined : verifier,
      end,
    };
  }

  /** Redeems the code of an authorization request. @throws CannotTest where the client itself is refused. */
  async redeem(authorization: Authorization): Promise<Answer> {
    const { client } = authorization;
    const answer = await client.redeem(this.redeemForm(authorization));
    const { errorCode = '' } = answer;
    if (!['invalid_client', 'unauthorized_client'].includes(errorCode)) return answer;
    throw new CannotTest(
      `The client ${client.id} was answered ${this.quote(answer)}: look at --client-id and --client-secret.`,
    );
  }

  /** What its client redeems a code by. @throws CannotTest where the request was not answered with a code. */
  redeemForm({ client, end, redirectUri, verifier }: Authorization): FormValues {
    const code = codeAt(end);
    if (code !== null) return { code, redirect_uri: redirectUri, code_verifier: verifier };
    const { redirectUri: registered } = this.given;
    throw new CannotTest(
      `There is no code: ${this.endOf(end)}. ${registered} has to be registered for ${client.id}; another one is named with --redirect-uri.`,
    );
  }

  /** Where an authorization request led, for a sentence. */
  endOf(end: Arrival | Stay): string {
    const { redactor } = this.world.recorder;
    if (end.kind === 'stayed') return redactor.text(`it ended with ${describePage(end.page)}`);
    return redactor.text(`it was redirected to ${end.url.href}`);
  }

  /** @throws CannotTest where the code is not redeemed for an ID token. */
  async signIn(change: AuthorizationChange = {}): Promise<ClientSignIn> {
    const authorization = await this.authorize(change);
    const { client, email, nonce } = authorization;
    const answer = await this.redeem(authorization);
    const idToken = answer.string('id_token');
    if (idToken !== undefined) return { client, email, idToken, answer, nonce };
    throw new CannotTest(`The code was answered ${this.quote(answer)}, without an id_token.`);
  }

  /** A sign-in whose ID token is exchanged: by --id-token-command, where that is given. */
  async session(client = this.client, email = this.world.email()): Promise<ClientSignIn> {
    const idToken = await this.given.idTokenCommand?.(email, { client_id: client.id });
    if (idToken === undefined) return this.signIn({ client, email });
    return { client, email, idToken, answer: undefined, nonce: undefined };
  }

  /** The exchange of an ID token for an ID-JAG, as it has to succeed, with parameters replaced or left out. */
  exchange(
    { client, idToken }: Pick<ClientSignIn, 'client' | 'idToken'>,
    more: FormValues = {},
    request?: TokenRequest,
  ): Promise<Answer> {
    const right = {
      subject_token: idToken,
      audience: this.audience,
      resource: this.given.resource,
    };
    return client.exchange({ ...right, ...more }, request);
  }

  /** @throws CannotTest when the provider mints none. */
  async idJag(session: ClientSignIn, more: FormValues = {}): Promise<string> {
    return this.mustMint(await this.exchange(session, more));
  }

  /** @throws CannotTest */
  mustMint(answer: Answer): string {
    const token = answer.string('access_token');
    // A name of another kind stands for the issuer (ID-JAG §4.3).
    if (/^https?:/.test(this.audience)) {
      this.world.audiences.note(answer, this.audience, this.world.recorder);
    }
    if (token !== undefined) return token;
    throw new CannotTest(
      `An exchange for ${this.audience} was answered ${this.quote(answer)}, without an ID-JAG.`,
    );
  }

  /** What the provider answered, for a sentence, without secrets. */
  quote(answer: Answer): string {
    return this.world.recorder.redactor.text(answer.describe());
  }

  /** Whether the access token of an answer is good for the user info; false where there is none. */
  async opensUserInfo(answer: Answer): Promise<boolean> {
    const token = answer.string('access_token');
    return token !== undefined && (await opensUserInfo(this.world, token));
  }

  /** @throws CannotTest when it is not a JWT. */
  open(token: string): OpenedJwt {
    return this.world.open(token);
  }

  #clientOf(given: CrossAppGiven['client'] | NonNullable<CrossAppGiven['other']>): CodeClient {
    return new CodeClient((url, sending) => this.world.send(url, sending), this.world.facts, given);
  }
}

/**
 * @throws NotApplicable where the provider has no clients that sign users in and exchange ID tokens; NeedsOption where
 * none of them was named.
 */
export function crossAppOf(world: ProviderWorld): CrossAppWorld {
  const { crossApp, facts } = world;
  if (crossApp !== undefined) return new CrossAppWorld(world, crossApp);
  if (facts.authorizationEndpoint === undefined) {
    throw new NotApplicable('The provider has no authorization endpoint: it signs in no clients.');
  }
  throw new NeedsOption(
    `Cross-app access is judged with a client of the provider: --client-id ID --client-secret @FILE, which has the redirect URI ${DEFAULT_REDIRECT} or that of --redirect-uri.`,
    '--client-secret',
  );
}
