import {
  AGENT_MOVES,
  type AgentMove,
  type Surface,
  WIRE_CODES,
  type WireCode,
} from '../../protocol/codes.ts';
import { revokedEventType } from '../../protocol/constants.ts';
import { shellWord } from '../../runtime/shell-word.ts';
import type { ServiceConfig } from '../config/config.ts';
import { PATHS } from '../config/paths.ts';
import { exampleResource } from '../config/resource.ts';
import { answer, call, code, codeList, lines, postForm } from './skill-text.ts';

/** What the skill file says in every dialect, section by section. */

/** @param secrets the variables whose values nobody is to see. */
export function preamble({ name }: ServiceConfig, secrets: readonly string[]): string {
  return `# ${name}: how an agent gets access

You act for a user. Run the lines in one shell, in this order, but only one block of Register: later ones use what earlier ones kept. Secrets (${codeList(secrets)}) stay in variables and go over stdin: never print or log them, nor type them into a command. When a step fails, it prints \`member error\`; the table at the end says what to do.

${HELPERS}`;
}

/** `member NAME` prints a member of the answer, `keep VARIABLE NAME` keeps it. */
export const HELPERS = lines(
  `member() { printf '%s\\n' "$ANSWER" | sed -n -e 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p' -e 's/.*"'"$1"'":\\([0-9][0-9]*\\).*/\\1/p'; }`,
  `keep() { [ -z "$(member "$2")" ] || eval "$1=\\$(member $2)"; } # an answer without it changes nothing`,
  'USER_EMAIL=alice@example.com # the email of your user',
);

export function discoverSection(config: ServiceConfig): string {
  const { issuer } = config;
  const { path, resource } = exampleResource(config);
  const example = shellWord(issuer + path);
  return `## Discover

A call without a token answers 401 with \`WWW-Authenticate: Bearer resource_metadata="…"\`. That document names the authorization server; the block \`agent_auth\` in the metadata of the server holds every URL that is repeated here.

${lines(
  `curl -sS -w '\\n' -i ${resource.method === 'GET' ? '' : `-X ${resource.method} `}${example}`,
  `curl -sS -w '\\n' ${shellWord(`${issuer}/.well-known/oauth-authorization-server`)}`,
)}`;
}

/** @param sample of the answer to a call; undefined where the body is configured. */
export function useSection(config: ServiceConfig, sample: object | undefined): string {
  const { issuer } = config;
  const { path, resource } = exampleResource(config);
  return `## Use

${lines(call(resource.method, issuer + path))}
${sample === undefined ? '' : `\n${answer(sample)}\n`}
${resourceList(config)} A 403 \`insufficient_scope\` means: have the registration claimed.`;
}

export function revokeSection({ eventBase, issuer }: ServiceConfig): string {
  return `## Handle revoke

The user can end the access at ${issuer}${PATHS.connections}, and the provider by the event ${code(revokedEventType(eventBase))}. Then a call answers 401 and the exchange \`invalid_grant\`: stop as said under Register. To give an access token back:

${lines(`${postForm(issuer + PATHS.revocation, 'token=%s', 'ACCESS_TOKEN')}`)}`;
}

const MOST_LISTED = 20;

/** Which scopes each resource takes. */
function resourceList({ issuer, resources }: ServiceConfig): string {
  const listed = resources.slice(0, MOST_LISTED).map(({ method, open, path, scopes }) => {
    const needs = open ? 'no token' : codeList(scopes) || 'any token';
    return `${code(`${method} ${issuer}${path.replace(/\/\*$/, '')}`)} needs ${needs}`;
  });
  const more = resources.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

/** What an agent may be refused with, where, and what it then does. */
export interface ErrorRow {
  readonly code: string;
  readonly place: Surface;
  readonly status: number;
  readonly move: AgentMove;
}

/** Every error of these places, as the list of wire codes has it. */
export function errorRows(places: readonly Surface[]): readonly ErrorRow[] {
  return places.flatMap((place) => {
    const codes: Readonly<Record<string, WireCode>> = WIRE_CODES[place];
    return Object.entries(codes).map(([code, { next, status }]) => ({
      ...{ code, place, status },
      move: next,
    }));
  });
}

/**
 * What an agent does about each error: a line for each thing to do. Where a code means two things, its place is
 * named.
 * @param moves what is to be done, where the dialect has it otherwise.
 */
export function errorTable(
  rows: readonly ErrorRow[],
  moves: Readonly<Partial<Record<AgentMove, string>>> = {},
): string {
  const named = ({ code, move, place, status }: ErrorRow) => {
    const isAmbiguous = rows.some((row) => row.code === code && row.move !== move);
    return `${status} \`${code}\`${isAmbiguous ? ` (${place})` : ''}`;
  };
  const lines = [...new Set(rows.map(({ move }) => move))].map((move) => {
    const codes = new Set(rows.filter((row) => row.move === move).map(named));
    return `| ${moves[move] ?? AGENT_MOVES[move]} | ${[...codes].join(', ')} |`;
  });
  return ['| what to do | after |', '|---|---|', ...lines].join('\n');
}

/** The codes after which registering again is the way on. */
export function endedCodes(rows: readonly ErrorRow[]): readonly string[] {
  return [...new Set(rows.filter(({ move }) => move === 'register').map(({ code }) => code))];
}
