import { expect, it } from 'vitest';
import { CROSS_APP_FAULTS } from '../../src/mock-provider/faults/cross-app-faults.ts';
import type { ProviderFaultName } from '../../src/mock-provider/index.ts';
import {
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/protocol/constants.ts';
import { CodeClient, REDIRECT } from '../support/code-client.ts';
import { Harness, ISSUER, open, SERVICE } from './harness.ts';

const ALICE = 'alice@example.com';
const RESOURCE = `${SERVICE}/mcp`;
const A = { client_id: 'a', client_secret: 'secret-of-a' };
const B = { client_id: 'b', client_secret: 'secret-of-b' };

type Fields = Readonly<Record<string, string | undefined>>;

/** A provider with two clients, and what these see of it. */
class Seen {
  readonly a: CodeClient;
  private readonly h: Harness;

  constructor(h: Harness) {
    this.h = h;
    this.a = new CodeClient(
      {
        issuer: ISSUER,
        user: () => h.newUser(),
        form: async (path, fields) => (await h.form(path, fields)).body,
      },
      A,
    );
  }

  now(): number {
    return this.h.clock.now();
  }

  async document(path: string) {
    return (await this.h.send('GET', path)).body;
  }

  async redirect(): Promise<URLSearchParams> {
    const user = this.h.newUser();
    await user.openSignedIn(`${ISSUER}/login`, ALICE);
    return (await this.a.ask(user)).answer ?? new URLSearchParams();
  }

  async code(): Promise<string> {
    return (await this.redirect()).get('code') ?? '';
  }

  async refresh(token: unknown) {
    const fields = { grant_type: 'refresh_token', refresh_token: String(token) };
    return outcome(await this.a.token(fields));
  }

  async exchange(more: Fields = {}) {
    const fields: Fields = {
      ...A,
      grant_type: TOKEN_EXCHANGE_GRANT,
      requested_token_type: ID_JAG_TOKEN_TYPE,
      subject_token: String((await this.a.signIn(ALICE))['id_token']),
      subject_token_type: ID_TOKEN_TYPE,
      audience: SERVICE,
      resource: RESOURCE,
      scope: 'api.read api.write',
      ...more,
    };
    return (await this.h.form('/oauth2/token', fields)).body;
  }

  /** A claim of the ID-JAG. */
  async claim(name: string) {
    return open((await this.exchange())['access_token']).claims[name];
  }
}

const start = () =>
  Harness.start({
    audiences: [SERVICE],
    clients: [
      { id: 'a', secret: A.client_secret, redirectUris: [REDIRECT] },
      { id: 'b', secret: B.client_secret, redirectUris: [REDIRECT] },
    ],
    policy: [{ scopes: ['api.read'] }],
  });

const outcome = (body: Readonly<Record<string, unknown>>) => body['error'] ?? 'given';

interface FaultCase {
  readonly see: (seen: Seen) => Promise<unknown>;
  readonly good: unknown;
  readonly faulty: unknown;
}

/** Each fault, and what shows it. */
const FAULTS = {
  slowTokenEndpoint: {
    see: async (seen) => {
      const before = seen.now();
      await seen.exchange();
      return seen.now() - before;
    },
    good: 0,
    // The code, and the exchange.
    faulty: 20_000,
  },
  missingChallengeMethods: {
    see: async (seen) =>
      (await seen.document('/.well-known/openid-configuration'))[
        'code_challenge_methods_supported'
      ],
    good: ['S256'],
    faulty: undefined,
  },
  missingKeys: {
    see: async (seen) => ((await seen.document('/.well-known/jwks.json'))['keys'] as []).length > 0,
    good: true,
    faulty: false,
  },
  missingRedirectIssuer: {
    see: async (seen) => (await seen.redirect()).get('iss'),
    good: ISSUER,
    faulty: null,
  },
  wrongRedirectIssuer: {
    see: async (seen) => (await seen.redirect()).get('iss'),
    good: ISSUER,
    faulty: 'https://other.example',
  },
  wrongState: {
    see: async (seen) => (await seen.redirect()).get('state'),
    good: 'a-state',
    faulty: 'another-state',
  },
  missingNonce: {
    see: async (seen) => open((await seen.a.signIn(ALICE))['id_token']).claims['nonce'],
    good: 'a-nonce',
    faulty: undefined,
  },
  uncheckedVerifier: {
    see: async (seen) => {
      const code = await seen.code();
      return outcome(await seen.a.redeem(code, { code_verifier: 'x'.repeat(43) }));
    },
    good: 'invalid_grant',
    faulty: 'given',
  },
  acceptedUsedCode: {
    see: async (seen) => {
      const code = await seen.code();
      return [outcome(await seen.a.redeem(code)), outcome(await seen.a.redeem(code))];
    },
    good: ['given', 'invalid_grant'],
    faulty: ['given', 'given'],
  },
  acceptedSpentRefreshToken: {
    see: async (seen) => {
      const { refresh_token: token } = await seen.a.signIn(ALICE, {
        scope: 'openid offline_access',
      });
      return [await seen.refresh(token), await seen.refresh(token)];
    },
    good: ['given', 'invalid_grant'],
    faulty: ['given', 'given'],
  },
  noClientAuthentication: {
    see: async (seen) => outcome(await seen.exchange({ client_secret: undefined })),
    good: 'invalid_client',
    faulty: 'given',
  },
  acceptedForeignIdToken: {
    see: async (seen) => outcome(await seen.exchange(B)),
    good: 'invalid_grant',
    faulty: 'given',
  },
  extraIdJagAudience: {
    see: (seen) => seen.claim('aud'),
    good: SERVICE,
    faulty: [SERVICE, 'https://other.example'],
  },
  extraAudienceSlash: {
    see: (seen) => seen.claim('aud'),
    good: SERVICE,
    faulty: `${SERVICE}/`,
  },
  wrongIdJagResource: {
    see: (seen) => seen.claim('resource'),
    good: RESOURCE,
    faulty: 'https://other.example/mcp',
  },
  longIdJagLifetime301: {
    see: async (seen) => {
      const { exp, iat } = open((await seen.exchange())['access_token']).claims;
      return Number(exp) - Number(iat);
    },
    good: 300,
    faulty: 301,
  },
  missingIdJagJti: {
    see: (seen) => seen.claim('jti'),
    good: expect.any(String),
    faulty: undefined,
  },
  missingIdJagKey: {
    see: async (seen) => {
      const { header } = open((await seen.exchange())['access_token']);
      const keys = (await seen.document('/.well-known/jwks.json'))['keys'] as { kid: string }[];
      return keys.some(({ kid }) => kid === header['kid']);
    },
    good: true,
    faulty: false,
  },
  extraIdJagConfirmation: {
    see: (seen) => seen.claim('cnf'),
    good: undefined,
    faulty: { jkt: expect.stringMatching(/^[\w-]{43}$/) },
  },
  wrongExpiresInType: {
    see: async (seen) => (await seen.exchange())['expires_in'],
    good: 300,
    faulty: '300',
  },
  missingNarrowedScope: {
    see: async (seen) => (await seen.exchange())['scope'],
    good: 'api.read',
    faulty: undefined,
  },
} satisfies Readonly<Record<keyof typeof CROSS_APP_FAULTS, FaultCase>>;

const names = Object.keys(CROSS_APP_FAULTS) as (keyof typeof CROSS_APP_FAULTS)[];

it.each(names)('%s is seen by a client, and only while it is on', async (fault) => {
  const { faulty, good, see }: FaultCase = FAULTS[fault];
  const seen = async (faults: readonly ProviderFaultName[]) => {
    const h = await start();
    await h.provider.controls.setFaults(faults);
    return see(new Seen(h));
  };
  expect(await seen([])).toEqual(good);
  expect(await seen([fault])).toEqual(faulty);
});

it('uncheckedVerifier refuses no code that came before it, with its own verifier', async () => {
  const h = await start();
  const seen = new Seen(h);
  const code = await seen.code();
  await h.provider.controls.setFaults(['uncheckedVerifier']);
  expect(outcome(await seen.a.redeem(code))).toBe('given');
});
