import { on, withJson } from '../../../mock/http/tamper.ts';
import { DIALECT_IDS, type DialectId } from '../../../protocol/constants.ts';
import { SECOND } from '../../../protocol/durations.ts';
import { isJsonObject } from '../../../protocol/json.ts';
import { PATHS } from '../../config/paths.ts';
import {
  type Change,
  errorsAs,
  instantsAs,
  makingWith,
  registeringWith,
  saying,
  startingWith,
} from './changes.ts';
import {
  withApiKeys,
  withDirectToken,
  withMailedCodes,
  withOpaqueAssertions,
} from './credentials.ts';

/**
 * A way in which a published service differs from its family: right in itself, and spelled or done otherwise. Composed
 * over a dialect, so that no handler knows of it.
 */
export interface Quirk {
  /** What a service that has it does, in one sentence. */
  readonly description: string;
  /** The dialects that it makes sense in. */
  readonly fits: readonly DialectId[];
  /** What it is about, where two of a kind would contradict each other. */
  readonly about?: string;
  /** The dialect with it. */
  readonly over: Change;
}

/** The dialects in which an assertion is exchanged for tokens. */
const EXCHANGING = DIALECT_IDS.filter((name) => name !== 'first');
const FLAT = ['flat'] as const;

/** Every quirk by its name, in the order in which they are composed. */
export const QUIRKS = {
  'token-at-registration': {
    description:
      'A registration that needs no claim first answers with an `access_token` and no assertion.',
    fits: EXCHANGING,
    over: withDirectToken,
  },
  'opaque-assertions': {
    description: 'Assertions are no JWTs: a text that begins with `ias_`.',
    fits: EXCHANGING,
    over: withOpaqueAssertions,
  },
  'api-key-tokens': {
    description:
      'The token endpoint answers with an API key: `credential_type` is `api_key`, and no time ends it.',
    fits: EXCHANGING,
    over: withApiKeys,
  },
  'mailed-code': {
    description:
      'The code is mailed. The agent hands it in at `claim.complete_url` as `user_code`, and then polls once.',
    fits: FLAT,
    over: withMailedCodes,
  },
  'both-shapes': {
    description: 'A registration is answered flat and nested, in one object.',
    fits: FLAT,
    over: saying(
      on(
        (path, { status }) => path === PATHS.identity && (status === 200 || status === 401),
        withJson(withNested),
      ),
    ),
  },
  'claim-by-login-hint': {
    description: 'A claim is started with `claim_token` and `login_hint`, and nothing else.',
    fits: FLAT,
    about: 'claim bodies',
    over: startingWith(['claim_token', 'login_hint']),
  },
  'claim-by-typed-hint': {
    description:
      'A claim is started with `type: login_hint`, `claim_token` and `login_hint` (v0.7).',
    fits: FLAT,
    about: 'claim bodies',
    over: startingWith(['type', 'claim_token', 'login_hint'], 'login_hint'),
  },
  'claim-by-token-only': {
    description:
      'A new claim attempt is asked for with `claim_token` alone, for the email of the registration.',
    fits: FLAT,
    about: 'claim bodies',
    over: startingWith(['claim_token']),
  },
  'required-client-id': {
    description: 'A registration needs a `client_id`.',
    fits: DIALECT_IDS,
    over: registeringWith('client_id'),
  },
  'required-member': {
    description: 'A registration needs `source`, which no document names.',
    fits: DIALECT_IDS,
    over: registeringWith('source'),
  },
  'in-resource-metadata': {
    description: '`agent_auth` is in the metadata of the protected resource alone.',
    fits: DIALECT_IDS,
    over: (right) => ({ ...right, blockIn: 'resource' }),
  },
  'both-name-sets': {
    description:
      'The metadata names each endpoint twice: `register_uri` and `identity_endpoint`, and so on.',
    fits: DIALECT_IDS,
    over: (right) => ({
      ...right,
      metadata: (config) => {
        const members = right.metadata(config);
        return { ...members, agent_auth: withBothNames(members.agent_auth) };
      },
    }),
  },
  created: {
    description: 'Registrations and claim attempts are answered 201.',
    fits: DIALECT_IDS,
    about: 'statuses',
    over: makingWith(201),
  },
  accepted: {
    description: 'Registrations and claim attempts are answered 202.',
    fits: DIALECT_IDS,
    about: 'statuses',
    over: makingWith(202),
  },
  'epoch-seconds': {
    description: 'Instants are seconds since 1970, as numbers.',
    fits: DIALECT_IDS,
    about: 'times',
    over: instantsAs((instant) => Math.floor(instant / SECOND)),
  },
  'epoch-milliseconds': {
    description: 'Instants are milliseconds since 1970, as numbers.',
    fits: DIALECT_IDS,
    about: 'times',
    over: instantsAs((instant) => instant),
  },
  'nested-errors': {
    description: 'An error is an object with a code and a message, also of the token endpoint.',
    fits: DIALECT_IDS,
    about: 'errors',
    over: errorsAs((code, message) => ({ error: { code, message, retryable: false } })),
  },
  'err-description': {
    description: 'Errors are spelled `err` and `description` everywhere.',
    fits: DIALECT_IDS,
    about: 'errors',
    over: errorsAs((err, description) => ({ err, description })),
  },
} as const satisfies Readonly<Record<string, Quirk>>;

/** The name of a way in which published services differ from their dialect. */
export type QuirkName = keyof typeof QUIRKS;

/** The names of all quirks. */
export const QUIRK_NAMES = Object.keys(QUIRKS) as readonly QuirkName[];

/** What the nested family would have said beside it. */
function withNested(body: Readonly<Record<string, unknown>>) {
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

/** The names of the endpoints, the first revision's and those since v0.2. */
const NAMES = [
  ['register_uri', 'identity_endpoint'],
  ['claim_uri', 'claim_endpoint'],
  ['revocation_uri', 'events_endpoint'],
] as const;

function withBothNames(block: Readonly<Record<string, unknown>>) {
  const added = NAMES.flatMap(([first, later]) => {
    const url = block[first] ?? block[later];
    return url === undefined ? [] : [[first, url] as const, [later, url] as const];
  });
  return { ...block, ...Object.fromEntries(added) };
}
