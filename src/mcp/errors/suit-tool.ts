import { isJsonObject } from '../../protocol/index.ts';
import { type JsonMembers, nextTool, type ToolError } from '../answer/answer.ts';
import type { ToolCall } from '../tool.ts';
import type { ToolName } from '../tool-names.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import {
  ASK_BEFORE_NEW,
  claimAgain,
  connectAnew,
  RESPECT_DENIAL,
  storedAt,
} from './access-ended.ts';

/** Those that can be called again with the URL that a service has for itself. */
const GOES_TO_URL: readonly ToolName[] = ['connect', 'register', 'read_skill'];

/** Those that go by the registration in use. */
const BY_REGISTRATION: readonly ToolName[] = [
  'connect',
  'register',
  'call',
  'start_claim',
  'await_claim',
  'complete_claim',
];

/** What goes on after an error by the tool that failed, and by what the user has said before. */
export async function suitTool(
  error: ToolError,
  world: Pick<McpWorld, 'store' | 'hasToken'>,
  { tool, given, about: { service } }: Pick<ToolCall, 'tool' | 'given' | 'about'>,
): Promise<ToolError> {
  const { code, hint = '', next } = error.facts;
  const toTool = next !== undefined && 'tool' in next ? next : undefined;
  switch (code) {
    case 'not_registered':
      if (tool === 'leave') {
        return error.with({ hint: 'There is nothing to leave.', next: nextTool('get_status') });
      }
      return error.with({
        hint: service === undefined ? error.facts.hint : 'Connect to it first.',
        next: nextTool('connect', { service }, ['service']),
      });
    case 'resource_mismatch': {
      const knows = toTool?.tool === 'discover' && GOES_TO_URL.includes(tool);
      if (!knows || !isJsonObject(given)) return error;
      const { service: own } = toTool.arguments;
      return error.with({ next: nextTool(tool, { ...(given as JsonMembers), service: own }) });
    }
    case 'registration_over':
    case 'token_refused': {
      if (toTool?.tool !== 'register') return error;
      const { current } = await storedAt(world, service);
      if (current === undefined) return error;
      return error.with({ hint: ASK_BEFORE_NEW, next: connectAnew(current) });
    }
    // A user who denied the claim is not asked again for want of a scope.
    case 'insufficient_scope':
    case 'access_denied':
    case 'attempt_expired': {
      // The token of the environment is of no registration that is stored.
      if (world.hasToken || !BY_REGISTRATION.includes(tool)) return error;
      const { current } = await storedAt(world, service);
      if (current?.claim?.attempt?.ended !== 'denied') return error;
      return error.with({
        hint: hint.includes(RESPECT_DENIAL) ? hint : `${RESPECT_DENIAL} ${hint}`.trim(),
        next: claimAgain(current.resource),
      });
    }
    default:
      return error;
  }
}
