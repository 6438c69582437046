import {
  type DecodedJwt,
  decodeJwt,
  displayText,
  displayWord,
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  isJwtType,
  JWT_TYPE,
  MINUTE,
  NOT_A_BEARER,
  SECOND,
  TOKEN_EXCHANGE_GRANT,
  tokenExchangeResponse,
} from '../../protocol/index.ts';
import { AgentError, type Problem } from '../agent-error.ts';
import { clientRequest } from '../clients/authenticate.ts';
import { AGENT_CLIENT_ID } from '../given-client.ts';
import type { Answer } from '../http/answer.ts';
import { isSpan, readMembers, readSecret } from '../http/read-members.ts';
import { pause, sendPatiently } from '../http/send-patiently.ts';
import { isOpenable, requirePage } from '../http/url-policy.ts';
import type { KeptClient } from '../model.ts';
import type { Step } from '../next-step.ts';
import type { ConsentRequired, LoginRequired, Minted, MintOutcome } from '../outcomes.ts';
import { problemError, readProblem } from '../problems/problem.ts';
import type { ProviderMintRequest } from '../requests.ts';
import type { Tools } from '../tools.ts';
import {
  loginRequired,
  type OpenSession,
  openSession,
  refreshSession,
  type SessionAsked,
} from './open-session.ts';
import type { Provider } from './provider.ts';

const WHO = "The provider's token endpoint";

export interface Mint {
  readonly audience: string;
  readonly resource?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** What is minted for a client of the service, and not for a registration. */
  readonly crossApp?: CrossAppMint | undefined;
}

/** What an ID-JAG is for that a client redeems. */
interface CrossAppMint {
  /** Words for a refusal that no user can lift; `undefined`: it has none of its own. */
  readonly refusal: (problem: Problem, client: KeptClient) => AgentError | undefined;
}

/** Between two questions whether the user has agreed meanwhile. */
const CONSENT_INTERVAL = 5 * SECOND;
/** Where the provider does not say for how long its page waits. */
const CONSENT_TIMEOUT = 10 * MINUTE;

/** Mints, and where the user has to agree first asks again until that is done. */
export async function mint(tools: Tools, request: ProviderMintRequest): Promise<MintOutcome> {
  const { clock } = tools.context;
  const { onConsentRequired } = request;
  const opened = await openSession(tools, request);
  if ('status' in opened) return opened;
  const first = await mintWith(tools, request, opened);
  if (first.status !== 'consent_required' || onConsentRequired === undefined) return first;
  onConsentRequired(first);
  const end = clock.now() + (request.timeout ?? first.remaining ?? CONSENT_TIMEOUT);
  try {
    while (clock.now() + CONSENT_INTERVAL <= end) {
      await pause(tools, CONSENT_INTERVAL);
      const outcome = await mintWith(tools, request, opened);
      if (outcome.status !== 'consent_required') return outcome;
    }
  } catch (error) {
    if (error instanceof AgentError && error.code === 'aborted') return { status: 'aborted' };
    throw error;
  }
  return first;
}

/** Mints once with the stored session (RFC 8693). */
export async function mintOnce(
  tools: Tools,
  request: Mint & SessionAsked,
): Promise<Minted | ConsentRequired | LoginRequired> {
  const opened = await openSession(tools, request);
  return 'status' in opened ? opened : mintWith(tools, request, opened);
}

async function mintWith(
  tools: Tools,
  request: Mint,
  opened: OpenSession,
  isRenewed = false,
): Promise<Minted | ConsentRequired | LoginRequired> {
  const { client, peer, provider, session } = opened;
  const wire = await clientRequest(tools, provider, client, {
    grant_type: TOKEN_EXCHANGE_GRANT,
    requested_token_type: ID_JAG_TOKEN_TYPE,
    audience: request.audience,
    resource: request.resource,
    scope: request.scopes?.join(' ') || undefined,
    subject_token: session.idToken.reveal(),
    subject_token_type: ID_TOKEN_TYPE,
  });
  // Minting leaves nothing behind at the provider, so it may be asked again.
  const answer = await sendPatiently(tools, peer, wire, { repeatAfterLoss: true });
  const problem = readProblem(answer, 'provider');
  // The ID token is no longer taken: its user is asked for only where nothing else gets another.
  if (problem?.code === 'invalid_grant' && session.refresh !== undefined && !isRenewed) {
    const next = await refreshSession(tools, provider, client, session);
    if (next !== undefined) return mintWith(tools, request, { ...opened, session: next }, true);
  }
  return processMint(opened, request, answer);
}

/** @throws AgentError of a refusal that no user at the provider can lift, or of an unusable answer. */
function processMint(
  opened: OpenSession,
  asked: Mint,
  answer: Answer,
): Minted | ConsentRequired | LoginRequired {
  const { audience } = asked;
  const { client, provider } = opened;
  const problem = readProblem(answer, 'provider');
  if (problem === undefined) return readMinted(opened, asked, answer);
  switch (problem.move) {
    case 'consent':
      return readConsent(opened, audience, answer);
    case 'sign_in':
      return loginRequired(provider.issuer, 'provider', {
        maxAge: problem.maxAge,
        ...(problem.acrValues !== undefined && { acrValues: problem.acrValues }),
        clientId: client.clientId,
      });
    default:
      throw (
        asked.crossApp?.refusal(problem, client) ??
        problemError(problem, stepAfter(problem, provider, audience))
      );
  }
}

/** Ask the user again; or, at a provider that signs in but mints nothing, have an ID-JAG from elsewhere. */
function stepAfter({ code }: Problem, { issuer }: Provider, audience: string): Step | undefined {
  switch (code) {
    case 'access_denied':
      return { command: 'provider consent', args: [issuer, '--audience', audience] };
    case 'unsupported_grant_type':
      return { command: 'register', args: [audience, '--assertion', '@FILE'] };
    default:
      return undefined;
  }
}

function readMinted({ client, provider }: OpenSession, asked: Mint, answer: Answer): Minted {
  const members = readMembers(answer, WHO, tokenExchangeResponse);
  // What comes back is no access token; an answer that calls it one is not an ID-JAG's (RFC 8693 §2.2.1).
  if (members.token_type.toLowerCase() !== NOT_A_BEARER.toLowerCase()) {
    throw new AgentError(
      `The provider answered with a token of the type ${displayWord(members.token_type, 40)} instead of ${NOT_A_BEARER}.`,
      { code: 'unknown_token_type' },
    );
  }
  const assertion = readSecret(answer, WHO, 'access_token', members.access_token);
  const { audience } = asked;
  const jwt = decodeJwt(assertion.reveal());
  const problem =
    members.issued_token_type === ID_JAG_TOKEN_TYPE
      ? mistakeOf(jwt, asked, client)
      : 'its issued_token_type is another one';
  if (problem !== undefined) {
    throw new AgentError(
      `The provider answered with an ID-JAG that was not asked for: ${problem}.`,
      {
        code: 'bad_answer',
        hint: `It was asked for ${displayText(audience, 200)}: the mistake is the provider's. Nothing was sent there.`,
        next: { command: 'doctor', args: [provider.issuer] },
      },
    );
  }
  const { expires_in: seconds, scope } = members;
  const clientId = jwt?.payload['client_id'];
  return {
    status: 'minted',
    assertion,
    provider: provider.issuer,
    audience,
    expiresAt: seconds === undefined ? null : answer.sentAt + seconds * SECOND,
    clientId: typeof clientId === 'string' ? displayText(clientId, 2048) : null,
    scopes: scope === undefined ? (asked.scopes ?? null) : displayText(scope, 1000).split(' '),
  };
}

/**
 * What an ID-JAG says otherwise than it was asked to. A service could be fooled by one that names another service,
 * resource or client (draft-ietf-oauth-identity-assertion-authz-grant §3.1, §9.8.1.1). A claim that is left out
 * says nothing false, and a `client_id` that is a URL names the provider or its document: the service, whose list
 * of providers has it (wire contract §3), judges both.
 */
function mistakeOf(
  jwt: DecodedJwt | undefined,
  { audience, resource, crossApp }: Mint,
  { clientId: own }: KeptClient,
): string | undefined {
  if (jwt === undefined || !isJwtType(jwt.header['typ'], JWT_TYPE.idJag)) {
    return `its type is not ${JWT_TYPE.idJag}`;
  }
  const {
    aud,
    cnf,
    client_id: clientId = AGENT_CLIENT_ID,
    resource: named = resource,
  } = jwt.payload;
  if (!isOnly(aud, audience)) return 'its aud is not that audience alone';
  if (crossApp === undefined && own === AGENT_CLIENT_ID) {
    if (clientId !== AGENT_CLIENT_ID && !isUrl(clientId)) return 'its client_id is another client';
  } else if (crossApp !== undefined) {
    // The client at the service is the service's to compare; here it is what the redemption goes by.
    if (typeof jwt.payload['client_id'] !== 'string') return 'it names no client (client_id)';
    if (cnf !== undefined) return 'it is bound to a key (cnf) that nobody showed';
  }
  if (resource !== undefined && !isOnly(named, resource)) {
    return `its resource is not ${displayText(resource, 200)} alone`;
  }
  return undefined;
}

const isUrl = (claim: unknown) => typeof claim === 'string' && /^https?:\/\//.test(claim);

const isOnly = (claim: unknown, value: string) => {
  const values: readonly unknown[] = [claim].flat();
  return values.length === 1 && values[0] === value;
};

function readConsent(
  { client, provider }: OpenSession,
  audience: string,
  answer: Answer,
): ConsentRequired {
  const page = answer.body.ok ? answer.body.json['consent_uri'] : undefined;
  const span = answer.body.ok ? answer.body.json['expires_in'] : undefined;
  const consentUri = requirePage(typeof page === 'string' ? page : '', 'The consent_uri');
  return {
    status: 'consent_required',
    provider: provider.issuer,
    audience,
    consentUri,
    openable: isOpenable(consentUri, [provider.issuer]),
    remaining: isSpan(span) ? span * SECOND : null,
    ...(client.clientId !== AGENT_CLIENT_ID && { clientId: client.clientId }),
  };
}
