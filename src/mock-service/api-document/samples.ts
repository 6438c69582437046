import { SAMPLE_TIME, sampleJwt, sampleToken } from '../../mock/index.ts';
import { type IdentityType, JWT_TYPE, SECOND } from '../../protocol/index.ts';
import type { RegistrationFacts } from '../claim-machine/index.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type {
  OpenedAttempt,
  Redeemed,
  Registered,
  Renewed,
  Speaker,
  ToBeClaimed,
} from '../dialects/dialect.ts';

/** What of a service its document is written from. */
export type DescribedService = Pick<
  ServiceContext,
  'challengeTo' | 'clock' | 'config' | 'dialect' | 'fallback' | 'grants' | 'keys' | 'site'
>;

const EMAIL = 'alice@example.com';

/** What registrations, claims and tokens of a service look like, at one instant. */
export class ServiceSamples {
  readonly speaker: Speaker;
  readonly claimToken = sampleToken('clm_');
  readonly attemptToken = sampleToken('cat_');
  readonly refreshToken = sampleToken('art_');
  readonly idJag: string;
  readonly #service: DescribedService;

  constructor(service: DescribedService) {
    const { issuer } = service.config;
    this.#service = service;
    this.speaker = { issuer, now: SAMPLE_TIME };
    const iat = SAMPLE_TIME / SECOND;
    this.idJag = sampleJwt(JWT_TYPE.idJag, {
      iss: 'https://provider.example',
      sub: 'user-1',
      aud: issuer,
      client_id: 'https://provider.example/agent-auth.json',
      jti: 'example',
      iat,
      exp: iat + 300,
      auth_time: iat - 60,
      email: EMAIL,
      email_verified: true,
    });
  }

  get userCode(): string {
    const { kind, length } = this.#service.config.codeFormat;
    return (kind === 'digits' ? '123456789012' : 'BCDFGHJKLMNP').slice(0, length);
  }

  facts(type: IdentityType): RegistrationFacts {
    const { lifetimes, scopes } = this.#service.config;
    return {
      id: sampleToken('reg_'),
      type,
      needsClaim: type !== 'identity_assertion',
      windowEndsAt: SAMPLE_TIME + lifetimes.claimWindow,
      claimedAt: undefined,
      revokedAt: undefined,
      email: type === 'anonymous' ? undefined : EMAIL,
      userId: undefined,
      version: 1,
      preClaimScopes: type === 'anonymous' ? scopes.preClaim : [],
      postClaimScopes: scopes.postClaim,
      resource: undefined,
      wrongCodes: 0,
      attempt: undefined,
      delivery: undefined,
    };
  }

  anonymous(): Registered {
    const { claimWindow } = this.#service.config.lifetimes;
    return {
      kind: 'anonymous',
      facts: this.facts('anonymous'),
      assertion: this.assertion(claimWindow),
      direct: this.#direct('preClaim'),
      claimToken: this.claimToken,
    };
  }

  established(): Registered {
    const { assertion } = this.#service.config.lifetimes;
    return {
      kind: 'established',
      facts: this.facts('identity_assertion'),
      assertion: this.assertion(assertion),
      direct: this.#direct('postClaim'),
    };
  }

  toBeClaimed(type: IdentityType): ToBeClaimed {
    return { facts: this.facts(type), claimToken: this.claimToken, attempt: this.attempt() };
  }

  attempt(): OpenedAttempt {
    const { interval, userCode } = this.#service.config.lifetimes;
    return {
      stored: { id: sampleToken('cla_'), tokenHash: '', userCodeHmac: '' },
      userCode: this.userCode,
      token: this.attemptToken,
      expiresAt: SAMPLE_TIME + userCode,
      interval,
    };
  }

  redeemed(withRefreshToken: boolean, givesCredential: boolean): Redeemed {
    const { claimedAssertion } = this.#service.config.lifetimes;
    return {
      facts: { ...this.facts('service_auth'), claimedAt: SAMPLE_TIME, version: 2 },
      assertion: this.assertion(claimedAssertion),
      refreshToken: withRefreshToken ? this.#refreshed() : undefined,
      direct: givesCredential ? this.#direct('postClaim') : undefined,
    };
  }

  renewed(): Renewed {
    const { claimedAssertion } = this.#service.config.lifetimes;
    return {
      facts: { ...this.facts('service_auth'), claimedAt: SAMPLE_TIME, version: 2 },
      assertion: this.assertion(claimedAssertion),
      refreshToken: this.#refreshed(),
    };
  }

  assertion(lifetime: number) {
    const { config, dialect } = this.#service;
    const iat = SAMPLE_TIME / SECOND;
    const expiresAt = SAMPLE_TIME + lifetime;
    const jwt = sampleJwt(JWT_TYPE.identityAssertion, {
      iss: config.issuer,
      aud: config.issuer,
      sub: sampleToken('reg_'),
      jti: sampleToken('ia_'),
      iat,
      exp: Math.floor(expiresAt / SECOND),
      ver: 1,
    });
    return { jwt: dialect.assertionForm?.write(jwt) ?? jwt, expiresAt };
  }

  accessToken(): string {
    return sampleToken(this.#service.dialect.tokenPrefix ?? 'at_');
  }

  #refreshed() {
    const { refreshToken } = this.#service.config.lifetimes;
    return { token: this.refreshToken, expiresAt: SAMPLE_TIME + refreshToken };
  }

  #direct(scopes: 'preClaim' | 'postClaim') {
    const { config, dialect } = this.#service;
    const { direct } = dialect;
    if (direct === undefined) return undefined;
    const expiresAt = direct.isEndless ? undefined : SAMPLE_TIME + config.lifetimes.accessToken;
    return { value: sampleToken(direct.prefix), scopes: config.scopes[scopes], expiresAt };
  }
}
