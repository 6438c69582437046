import { credentialHeaderName } from '../../discovery/index.ts';
import { displayText, displayWord, NOT_A_BEARER, tokenResponse } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';
import { after, readEnd, readMembers, readSecret } from '../http/read-members.ts';
import type { AccessToken, Service, Warning } from '../model.ts';
import type { TokenGrant } from './dialect.ts';
import { badAnswer, lenientTime, type Reading, readNames, readTime } from './reading.ts';

/** Members that hold what calls are made with, the first versions' own first. */
const CREDENTIALS = ['credential', 'api_key', 'access_token', 'credential_token'] as const;
/** Members that say when it ends. */
const ENDS = [
  'credential_expires',
  'credential_expires_at',
  'access_token_expires_in',
  'expires_in',
] as const;
/** Members that name the header to send it in; none of them is of any version, services write them. */
const HEADERS = ['credential_header', 'header_name', 'header'] as const;

/**
 * What a registration, or its completed claim, gives to make calls with at once: an API key, or a token that no
 * exchange preceded. `null`: the answer has none.
 * @param isOnce it is given once: an end that is no time is no reason to lose it.
 * @throws AgentError `bad_answer` for one that fits no header, `unknown_token_type` for a token that is none.
 */
export function readCredential(reading: Reading, isOnce = false): AccessToken | null {
  const { answer, who, json, now } = reading;
  const name = CREDENTIALS.find((each) => json[each] !== undefined && json[each] !== null);
  const given = name && json[name];
  if (name === undefined || isNoSecret(given)) return null;
  if (typeof given !== 'string') {
    throw badAnswer(reading, `with an unusable ${name}: it must be text`);
  }
  requireBearer(answer, who, json['token_type'], true);
  const value = readSecret(answer, who, name, given);
  const isTime = (each: string) => lenientTime(json[each], now) !== undefined;
  const end = ENDS.find((each) => json[each] !== undefined && (!isOnce || isTime(each)));
  const loginUrl = webPage(json['login_url']);
  const header = HEADERS.map((each) => credentialHeaderName(json[each])).find(Boolean);
  return {
    value,
    scopes: readNames(json['scopes']) ?? readNames(json['scope']),
    expiresAt:
      end === undefined
        ? // Written for more than credentials: what is no time there is no reason to lose one.
          (lenientTime(json['expires_at'], now) ?? readEnd(answer, { spans: [], value, now }))
        : readTime(reading, end, json[end]),
    direct: true,
    ...(header !== undefined && { header }),
    ...(loginUrl !== undefined && { loginUrl }),
  };
}

/** A direct credential in the header that the service's metadata names, where its own answer named none. */
export function inHeaderOf(
  { credentialHeader }: Pick<Service, 'credentialHeader'>,
  token: AccessToken | null,
): AccessToken | null {
  const header = credentialHeaderName(credentialHeader);
  const isOpen = token?.direct && token.header === undefined && header !== undefined;
  return isOpen ? { ...token, header } : token;
}

/** A page to show, never one to open; `undefined` for whatever is no web page. */
function webPage(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return /^https?:$/.test(protocol) ? displayText(href, 300) : undefined;
}

/** A word that everybody gets opens nothing: a site that answers without a service behind it. */
function isNoSecret(value: unknown): boolean {
  return typeof value === 'string' && /^(anonymous|none|null|public|)$/i.test(value);
}

const WHO = 'The token endpoint';
/** The members of RFC 6749 §5.1; the specification names the first alone. */
const MEMBERS = tokenResponse.omit({ assertion_expires: true }).partial({ token_type: true });

/** @throws AgentError `bad_answer`, or `unknown_token_type`. */
export function readExchange(answer: Answer): TokenGrant {
  const members = readMembers(answer, WHO, MEMBERS);
  const { access_token, expires_in: seconds, scope, token_type: type } = members;
  requireBearer(answer, WHO, type);
  const { sentAt: now } = answer;
  const value = readSecret(answer, WHO, 'access_token', access_token);
  const end = { spans: ['access_token_expires_in'], value, now };
  const expiresAt = seconds === undefined ? readEnd(answer, end) : after(now, seconds);
  return {
    token: { value, scopes: readNames(scope), expiresAt },
    warnings: type === undefined ? [noTokenType(answer, WHO)] : [],
  };
}

/**
 * The type of a token is compared without regard to case, and an unknown one is not used (RFC 6749 §7.1); least of all
 * `N_A`, which says that it is no token at all (RFC 8693 §2.2.1). One that is missing is a bearer token, the only
 * kind that the specification has (wire contract §6). A direct credential may call itself an API key.
 * @throws AgentError `unknown_token_type`.
 */
function requireBearer(answer: Answer, who: string, type: unknown, isDirect = false): void {
  if (typeof type !== 'string' || /^bearer$/i.test(type)) return;
  if (isDirect && /^api[_-]?key$/i.test(type)) return;
  const isNone = type.toUpperCase() === NOT_A_BEARER;
  const shown = isNone ? NOT_A_BEARER : displayWord(type.toLowerCase(), 40);
  throw new AgentError(
    `${who} (${answer.where}) answered with a token of the type ${shown}, which cannot be used as a bearer token.`,
    { code: 'unknown_token_type' },
  );
}

export function noTokenType(answer: Answer, who: string): Warning {
  return {
    code: 'token_type_missing',
    message: `${who} (${answer.where}) did not say what type of token it gave; it is used as a bearer token.`,
  };
}
