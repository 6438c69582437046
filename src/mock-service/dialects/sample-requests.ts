import { WireProblem } from '../../mock/index.ts';
import { ID_JAG_TOKEN_TYPE, IDENTITY_TYPES, type JsonObject } from '../../protocol/index.ts';
import type { RedemptionWire, RegistrationRequest, ServiceDialect } from './dialect.ts';

interface Samples {
  readonly idJag: string;
  readonly claimToken: string;
  readonly userCode: string;
  readonly refreshToken: string;
}

const EMAIL = 'alice@example.com';

/** What services demand of a registration beside what its type needs. */
const DEMANDED: readonly JsonObject[] = [{}, { client_id: 'example-agent' }, { source: 'example' }];

/**
 * Requests as this dialect takes them, by what they are for: of every spelling there is, those that it reads.
 */
export function sampleRegistrations(
  { registration }: Pick<ServiceDialect, 'registration'>,
  { idJag, refreshToken }: Samples,
): Readonly<Record<string, JsonObject>> {
  const spellings: Readonly<Record<RegistrationRequest['type'], readonly JsonObject[]>> = {
    anonymous: [
      { type: 'anonymous', agent_name: 'Example Agent' },
      { type: 'anonymous', requested_credential_type: 'api_key', agent_name: 'Example Agent' },
    ],
    service_auth: [
      { type: 'service_auth', login_hint: EMAIL },
      {
        type: 'identity_assertion',
        assertion_type: 'verified_email',
        assertion: EMAIL,
        requested_credential_type: 'api_key',
      },
    ],
    identity_assertion: [
      { type: 'identity_assertion', assertion_type: ID_JAG_TOKEN_TYPE, assertion: idJag },
    ],
    refresh: [{ type: 'refresh', refresh_token: refreshToken }],
  };
  const read = (members: JsonObject) =>
    registration.read(members, { admit: () => {}, readOlderForm: (request) => request });
  const found = [...IDENTITY_TYPES, 'refresh' as const].flatMap((type) => {
    const given = spellings[type]
      .flatMap((members) => DEMANDED.map((more) => ({ ...members, ...more })))
      .find((members) => taken(() => read(members))?.type === type);
    return given === undefined ? [] : [[type, given] as const];
  });
  return Object.fromEntries(found);
}

/** Starts of a claim, by what they name. */
export function sampleClaimStarts(
  { claim }: Pick<ServiceDialect, 'claim'>,
  { claimToken }: Samples,
): Readonly<Record<string, JsonObject>> {
  const token = { claim_token: claimToken };
  const spellings = {
    by_email: { ...token, email: EMAIL },
    by_login_hint: { ...token, login_hint: EMAIL },
    by_typed_hint: { type: 'login_hint', ...token, login_hint: EMAIL },
    of_the_user: { type: 'service_auth', ...token, login_hint: EMAIL },
    for_the_email_on_record: token,
    for_the_user_on_record: { type: 'service_auth', ...token },
  };
  const starts = Object.entries(spellings).filter(([, members]) => {
    const start = taken(() => claim.read(members, { readEmail: (text) => text }));
    const names = Object.values(members).includes(EMAIL);
    return start?.claimToken === claimToken && (start.email === EMAIL) === names;
  });
  // A reader that passes over `type` needs no example with it.
  const untyped = starts.filter(([, members]) => !('type' in members));
  return Object.fromEntries(untyped.length > 0 ? untyped : starts);
}

/** The code that a user read to the agent. */
export function sampleRedemption(
  { read }: RedemptionWire,
  { claimToken, userCode }: Samples,
): JsonObject {
  const spellings: readonly JsonObject[] = [
    { claim_token: claimToken, user_code: userCode },
    { claim_token: claimToken, otp: userCode },
  ];
  return spellings.find((members) => taken(() => read(members))?.code === userCode) ?? {};
}

/** Undefined for what is refused. */
function taken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireProblem) return undefined;
    throw error;
  }
}

/** What the members of requests and answers mean, whichever dialect they are of. */
export const MEMBER_TEXTS = {
  type: 'How the agent registers, or what it goes on with.',
  agent_name: 'What the agent calls itself. Shown to the user as its own words.',
  client_name: 'The same; `agent_name` goes first.',
  login_hint: 'The email of the user.',
  email: 'The email of the user.',
  assertion: 'The ID-JAG, or the identity assertion, as a JWT.',
  assertion_type: 'What kind of assertion it is.',
  registration_id: 'Names the registration. No secret.',
  registration_type: 'How the agent registered.',
  id: 'Names the registration. No secret.',
  identity_assertion: 'What access tokens are exchanged for. A secret.',
  assertion_expires: 'When the identity assertion ends.',
  pre_claim_scopes: 'What the agent may do before a user has claimed the registration.',
  post_claim_scopes: 'What the agent may do once a user has claimed it.',
  claim_url: 'Where a claim attempt is opened.',
  claim_token: 'Opens and polls the claim of the registration. A secret.',
  claim_token_expires: 'Until when the registration can be claimed.',
  claim_attempt_id: 'Names the attempt. No secret.',
  claim_attempt_token: 'Names the attempt in its link.',
  claim_attempt: 'The attempt that was opened.',
  claim: 'The claim that waits for its user.',
  user_code: 'The code of the attempt, as text.',
  verification_uri: 'The page of the attempt, for the user.',
  expires_in: 'Seconds until it ends.',
  expires_at: 'When it ends.',
  interval: 'Seconds between two polls.',
  refresh_token: 'Good once, for the next assertion. A secret.',
  otp: 'The code from the mail.',
  credential: 'What the API is called with. A secret.',
  credential_type: 'What kind of credential it is.',
  credential_expires: 'When the credential ends; null: no time ends it.',
  requested_credential_type: 'What kind of credential is wanted.',
  scopes: 'What the agent may do.',
  scope: 'Scopes, separated by spaces.',
  access_token: 'What the API is called with, as Authorization: Bearer. A secret.',
  token_type: 'How the token is used.',
  grant_type: 'What the token is asked for with.',
  resource: 'The URL that the token is for. Left out: the whole service.',
  token: 'The token.',
  token_type_hint: 'What kind of token it is. Not needed.',
  client_id: 'Ignored: clients are public here.',
  error: 'What went wrong, for programs.',
  error_description: 'What went wrong, for people.',
  message: 'The same text, for older clients.',
  err: 'What went wrong, for programs (RFC 8935 §2.4).',
  max_age: 'How old the sign-in of the user may be, in seconds.',
  attempts_remaining: 'How many wrong codes the attempt takes yet.',
  csrf_token: 'Proves that the form came from our own page.',
  decision: 'What the user decides.',
} as const satisfies Readonly<Record<string, string>>;
