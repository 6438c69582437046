import { credentialHeaderName } from '../../../discovery/index.ts';
import { displayText, type JsonObject } from '../../../protocol/index.ts';
import { AgentError } from '../../agent-error.ts';
import type { Answer } from '../../http/answer.ts';
import { readSecret } from '../../http/read-members.ts';
import type { AccessToken, Service } from '../../model.ts';
import { readNames } from './read-names.ts';
import { lenientTime, readTime } from './read-time.ts';

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
 * @throws AgentError `bad_answer` for one that fits no header, `unknown_token_type` for a token that is none.
 */
export function readDirectCredential(
  answer: Answer,
  who: string,
  json: JsonObject,
  now: number,
): AccessToken | null {
  const name = CREDENTIALS.find((each) => json[each] !== undefined && json[each] !== null);
  if (name === undefined || isNoSecret(json[name])) return null;
  const given = json[name];
  if (typeof given !== 'string') {
    throw new AgentError(
      `${who} (${answer.where}) answered with an unusable ${name}: it must be text.`,
      { code: 'bad_answer' },
    );
  }
  requireBearer(answer, who, json);
  const value = readSecret(answer, who, name, given);
  const end = ENDS.find((each) => json[each] !== undefined);
  const loginUrl = webPage(json['login_url']);
  const header = HEADERS.map((each) => credentialHeaderName(json[each])).find(Boolean);
  return {
    value,
    scopes: readNames(json['scopes']) ?? readNames(json['scope']),
    expiresAt:
      end === undefined
        ? // Written for more than credentials: what is no time there is no reason to lose one.
          (lenientTime(json['expires_at'], now) ?? null)
        : readTime(answer, who, { name: end, value: json[end] }, now),
    direct: true,
    ...(header !== undefined && { header }),
    ...(loginUrl !== undefined && { loginUrl }),
  };
}

/** What a completed claim gives, once: an end that is no time is no reason to lose it. */
export function readCompletedCredential(
  answer: Answer,
  who: string,
  json: JsonObject,
  now: number,
): AccessToken | null {
  const isNoTime = (name: string) => lenientTime(json[name], now) === undefined;
  const left = Object.fromEntries(ENDS.filter(isNoTime).map((name) => [name, undefined]));
  return readDirectCredential(answer, who, { ...json, ...left }, now);
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
  return (
    value === '' || (typeof value === 'string' && /^(anonymous|none|null|public)$/i.test(value))
  );
}

/** `token_type`, where it is there, as of any other token (RFC 6749 §7.1). */
function requireBearer(answer: Answer, who: string, { token_type: type }: JsonObject): void {
  if (typeof type !== 'string' || /^(bearer|api[_-]?key)$/i.test(type)) return;
  throw new AgentError(
    `${who} (${answer.where}) answered with a token of the type ${displayText(type, 40)}, which cannot be used as a bearer token.`,
    { code: 'unknown_token_type' },
  );
}
