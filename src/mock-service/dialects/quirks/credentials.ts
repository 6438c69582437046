import { on, withJson } from '../../../mock/index.ts';
import { SECOND } from '../../../protocol/index.ts';
import { PATHS } from '../../config/paths.ts';
import type { Registered, ServiceDialect } from '../dialect.ts';
import { saying } from './answers.ts';
import { EXCHANGING } from './fits.ts';
import type { Quirk } from './quirk.ts';

/** Fifty years: the longest lifetime that there is here. */
const LONGEST = 50 * 365 * 24 * 60 * 60 * SECOND;

/** Marks an assertion that says nothing to whoever holds it. */
const OPAQUE = 'ias_';

export const CREDENTIAL_QUIRKS = {
  'token-at-registration': {
    description:
      'A registration that needs no claim first answers with an `access_token` and no assertion.',
    fits: EXCHANGING,
    over: (right) => ({
      ...right,
      direct: { prefix: 'at_', isEndless: false },
      registration: {
        ...right.registration,
        write: async (made, speaker) => {
          const response = await right.registration.write(made, speaker);
          return made.kind === 'to_be_claimed' ? response : withToken(made, speaker.now)(response);
        },
      },
    }),
  },
  'opaque-assertions': {
    description: 'Assertions are no JWTs: a text that begins with `ias_`.',
    fits: EXCHANGING,
    over: (right) => ({
      ...right,
      assertionForm: {
        write: (jwt) => OPAQUE + Buffer.from(jwt).toString('base64url'),
        read: (text) =>
          text.startsWith(OPAQUE)
            ? Buffer.from(text.slice(OPAQUE.length), 'base64url').toString()
            : undefined,
      },
    }),
  },
  'api-key-tokens': {
    description:
      'The token endpoint answers with an API key: `credential_type` is `api_key`, and no time ends it.',
    fits: EXCHANGING,
    over: (right: ServiceDialect): ServiceDialect =>
      saying(
        on(
          (path, { status }) => path === PATHS.token && status === 200,
          withJson(({ expires_in: _never, ...body }) => ({ ...body, credential_type: 'api_key' })),
        ),
      )({ ...right, tokenPrefix: 'sk_test_', lifetimes: { accessToken: LONGEST } }),
  },
} as const satisfies Readonly<Record<string, Quirk>>;

/** The members of a token in place of those of an assertion, in either spelling. */
function withToken(made: Extract<Registered, { direct: unknown }>, now: number) {
  const { direct } = made;
  const change = withJson(
    ({ identity: _nested, identity_assertion: _flat, assertion_expires: _end, ...body }) => ({
      ...body,
      ...(direct && {
        access_token: direct.value,
        token_type: 'Bearer',
        scope: direct.scopes.join(' '),
        ...(direct.expiresAt !== undefined && {
          expires_in: Math.ceil((direct.expiresAt - now) / SECOND),
        }),
      }),
    }),
  );
  return (response: Response) => change(response, new Request('https://service.invalid'));
}
