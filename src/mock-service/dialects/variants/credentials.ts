import { invalidRequest, json } from '../../../mock/http/response.ts';
import { on, withJson } from '../../../mock/http/tamper.ts';
import { SECOND } from '../../../protocol/durations.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { isStorableText } from '../../../protocol/text.ts';
import { PATHS } from '../../config/paths.ts';
import type { RedemptionWire, Registered } from '../dialect.ts';
import { codeMail } from '../parts/code-mail.ts';
import { type Change, saying } from './changes.ts';

/** Fifty years: the longest lifetime that there is here. */
const LONGEST = 50 * 365 * 24 * 60 * 60 * SECOND;
/** Marks an assertion that says nothing to whoever holds it. */
const OPAQUE = 'ias_';

/** A registration is answered with a token. */
export const withDirectToken: Change = (right) => ({
  ...right,
  direct: { prefix: 'at_', isEndless: false },
  registration: {
    ...right.registration,
    write: async (made, speaker) => {
      const response = await right.registration.write(made, speaker);
      return made.kind === 'to_be_claimed' ? response : withToken(made, speaker.now)(response);
    },
  },
});

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

export const withOpaqueAssertions: Change = (right) => ({
  ...right,
  assertionForm: {
    write: (jwt) => OPAQUE + Buffer.from(jwt).toString('base64url'),
    read: (text) =>
      text.startsWith(OPAQUE)
        ? Buffer.from(text.slice(OPAQUE.length), 'base64url').toString()
        : undefined,
  },
});

export const withApiKeys: Change = (right) =>
  saying(
    on(
      (path, { status }) => path === PATHS.token && status === 200,
      withJson(({ expires_in: _never, ...body }) => ({ ...body, credential_type: 'api_key' })),
    ),
  )({ ...right, tokenPrefix: 'sk_test_', lifetimes: { accessToken: LONGEST } });

/** The agent hands in the code that was mailed, and is told that it was right: the claim grant has the rest. */
const MAILED: RedemptionWire = {
  read: ({ claim_token: claimToken, user_code: code }) => {
    for (const [name, value] of Object.entries({ claim_token: claimToken, user_code: code })) {
      if (typeof value === 'string' && value !== '' && isStorableText(value)) continue;
      throw invalidRequest('read_back', `${name} is missing or is not a string.`);
    }
    return { claimToken: String(claimToken), code: String(code) };
  },
  write: () => json({ status: 'claimed' }),
  withRefreshToken: false,
  redelivers: true,
  isMailed: true,
};

/** A claim block has neither a code nor a page. */
const mailedBlock = ({ user_code: _code, verification_uri: uri, ...block }: JsonObject) => ({
  complete_url: new URL(PATHS.complete, String(uri)).href,
  ...block,
});

export const withMailedCodes: Change = (right) =>
  saying(
    withJson((body) => {
      const entries = ['claim', 'claim_attempt'].flatMap((name) => {
        const block = body[name];
        return isJsonObject(block) && 'user_code' in block ? [[name, mailedBlock(block)]] : [];
      });
      return { ...body, ...Object.fromEntries(entries) };
    }),
  )({
    ...right,
    codeMail,
    routes: (endpoints) => ({
      api: [...right.routes(endpoints).api, endpoints.readBack.redeem(MAILED)],
      claimPages: [endpoints.mailed.page, endpoints.mailed.deny],
    }),
  });
