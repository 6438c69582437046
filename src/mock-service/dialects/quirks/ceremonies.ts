import { json, on, wireProblem, withJson } from '../../../mock/index.ts';
import { isJsonObject, isStorableText, type JsonObject } from '../../../protocol/index.ts';
import { PATHS } from '../../config/paths.ts';
import type { RedemptionWire, ServiceDialect } from '../dialect.ts';
import { codeLetter } from '../parts/code-letter.ts';
import { saying } from './answers.ts';
import type { Quirk } from './quirk.ts';

/** The agent hands in the code that was mailed, and is told that it was right: the claim grant has the rest. */
const MAILED: RedemptionWire = {
  read: ({ claim_token: claimToken, user_code: code }) => {
    for (const [name, value] of Object.entries({ claim_token: claimToken, user_code: code })) {
      if (typeof value === 'string' && value !== '' && isStorableText(value)) continue;
      throw wireProblem('read_back', 'invalid_request', {
        description: `${name} is missing or is not a string.`,
      });
    }
    return { claimToken: String(claimToken), code: String(code) };
  },
  write: () => json({ status: 'claimed' }),
  withRefreshToken: false,
  redelivers: true,
  isMailed: true,
};

/** A claim block without a code and without a page. */
const mailedBlock = ({ user_code: _code, verification_uri: uri, ...block }: JsonObject) => ({
  complete_url: new URL(PATHS.complete, String(uri)).href,
  ...block,
});

function withMailedBlocks(body: Readonly<Record<string, unknown>>): JsonObject {
  const entries = ['claim', 'claim_attempt'].flatMap((name) => {
    const block = body[name];
    return isJsonObject(block) && 'user_code' in block ? [[name, mailedBlock(block)]] : [];
  });
  return { ...body, ...Object.fromEntries(entries) };
}

/** What the nested family would have said beside it. */
function withNested(body: Readonly<Record<string, unknown>>): JsonObject {
  const { claim, identity_assertion: assertion, registration_id: id } = body;
  if (id === undefined) return body;
  const before = body['pre_claim_scopes'];
  const after = body['post_claim_scopes'];
  return {
    ...body,
    id,
    type: body['registration_type'],
    ...(assertion !== undefined && {
      identity: { assertion, expires_at: body['assertion_expires'] },
    }),
    ...((before ?? after) !== undefined && { scopes: { pre_claim: before, post_claim: after } }),
    ...(body['claim_token'] !== undefined && {
      claim: {
        ...(isJsonObject(claim) && claim),
        token: body['claim_token'],
        expires_at: body['claim_token_expires'],
        url: body['claim_url'],
      },
    }),
  };
}

export const CEREMONY_QUIRKS = {
  'mailed-code': {
    description:
      'The code is mailed. The agent hands it in at `claim.complete_url` as `user_code`, and then polls once.',
    fits: ['flat'],
    over: (right: ServiceDialect): ServiceDialect =>
      saying(withJson(withMailedBlocks))({
        ...right,
        letter: codeLetter,
        routes: (endpoints) => ({
          api: [...right.routes(endpoints).api, endpoints.readBack.redeem(MAILED)],
          claimPages: [endpoints.mailed.page, endpoints.mailed.deny],
        }),
      }),
  },
  'both-shapes': {
    description: 'A registration is answered flat and nested, in one object.',
    fits: ['flat'],
    over: saying(
      on(
        (path, { status }) => path === PATHS.identity && (status === 200 || status === 401),
        withJson(withNested),
      ),
    ),
  },
} as const satisfies Readonly<Record<string, Quirk>>;
