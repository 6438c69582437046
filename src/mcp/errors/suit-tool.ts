import { isJsonObject } from '../../protocol/index.ts';
import type { JsonMembers } from '../answer/answer.ts';
import { nextTool } from '../next/next.ts';
import type { ToolName } from '../tool-names.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import type { About, ToolCall } from '../world/tool-call.ts';
import {
  ASK_BEFORE_NEW,
  claimAgain,
  connectAnew,
  inUseAt,
  RESPECT_DENIAL,
} from './access-ended.ts';
import type { ToolError } from './tool-error.ts';

/** What goes on after an error by the tool that failed, and by what the user has said before. */
export async function suitTool(
  error: ToolError,
  world: McpWorld,
  { tool, given, about }: Pick<ToolCall, 'tool' | 'given' | 'about'>,
): Promise<ToolError> {
  switch (error.code) {
    case 'not_registered':
      return notRegistered(error, tool, about);
    case 'resource_mismatch':
      return withOtherUrl(error, tool, given);
    case 'registration_over':
    case 'token_refused':
      return afterTheEnd(error, world, about);
    case 'insufficient_scope':
    case 'access_denied':
    case 'attempt_expired':
      return afterDenial(error, world, tool, about);
    default:
      return error;
  }
}

function notRegistered(error: ToolError, tool: ToolName, { service }: About): ToolError {
  if (tool === 'leave') {
    return error.with({ hint: 'There is nothing to leave.', next: nextTool('get_status') });
  }
  return error.with({
    hint: service === undefined ? error.hint : 'Connect to it first.',
    next: nextTool('connect', { service }, service === undefined ? ['service'] : []),
  });
}

/** The same call, with the URL that the service has for itself. */
function withOtherUrl(error: ToolError, tool: ToolName, given: unknown): ToolError {
  const { next } = error;
  if (next === undefined || !('tool' in next) || next.tool !== 'discover') return error;
  if (!GOES_TO_URL.includes(tool) || !isJsonObject(given)) return error;
  const { service } = next.arguments;
  return error.with({ next: nextTool(tool, { ...(given as JsonMembers), service }) });
}

const GOES_TO_URL: readonly ToolName[] = ['connect', 'register', 'read_skill'];

async function afterTheEnd(error: ToolError, world: McpWorld, { service }: About) {
  const { next } = error;
  const isAnew = next !== undefined && 'tool' in next && next.tool === 'register';
  const current = isAnew ? await inUseAt(world, service) : undefined;
  return current === undefined
    ? error
    : error.with({ hint: ASK_BEFORE_NEW, next: connectAnew(current) });
}

/** Those that go by the registration in use. */
const BY_REGISTRATION: readonly ToolName[] = [
  'connect',
  'register',
  'call',
  'start_claim',
  'await_claim',
  'complete_claim',
];

/** A user who denied the claim is not asked again for want of a scope. */
async function afterDenial(
  error: ToolError,
  world: Pick<McpWorld, 'store' | 'hasToken'>,
  tool: ToolName,
  { service }: About,
) {
  // The token of the environment is of no registration that is stored.
  if (world.hasToken || !BY_REGISTRATION.includes(tool)) return error;
  const current = await inUseAt(world, service);
  if (current?.claim?.attempt?.ended !== 'denied') return error;
  const { hint = '' } = error;
  return error.with({
    hint: hint.includes(RESPECT_DENIAL) ? hint : `${RESPECT_DENIAL} ${hint}`.trim(),
    next: claimAgain(current.resource),
  });
}
