import type { Answer, ToolError } from './answer/answer.ts';
import { suitTool } from './errors/access-ended.ts';
import { explain } from './errors/explain.ts';
import type { AnyTool, ToolCall } from './tool.ts';
import { toolsOf } from './tools/all-tools.ts';
import type { McpWorld } from './world/mcp-world.ts';

/** Carries out a call; whatever goes wrong is an answer that says what to do next. */
export async function runTool(world: McpWorld, tool: AnyTool, call: ToolCall): Promise<Answer> {
  const answer = await answerOf(world, tool, call);
  const { next } = answer;
  const isMissing =
    next !== undefined && 'tool' in next && !toolsOf(world).some(({ name }) => name === next.tool);
  if (!isMissing) return answer;
  const line = `What goes on from here is ${next.tool}, which this server does not have: it was started with --read-only. The user may remove that in the configuration of the host, or type ${world.program} in a terminal.`;
  return { ...answer, lines: [...answer.lines, line], next: undefined };
}

async function answerOf(world: McpWorld, tool: AnyTool, call: ToolCall): Promise<Answer> {
  try {
    // What another process has stored is a secret here, too.
    await world.store.read().catch(() => {});
    return await tool.run(world, call.given, call);
  } catch (error) {
    return errorAnswer(await suitTool(explain(error, world, call.about), world, call));
  }
}

/** What went wrong as an answer. */
function errorAnswer({ message, facts }: ToolError): Answer {
  const { code, hint, retryable = false, details, next, quotes } = facts;
  return {
    status: 'error',
    lines: [
      `Error (${code}): ${message}`,
      hint,
      retryable ? 'The same call may succeed later.' : undefined,
    ],
    data: { error: { code, message, hint: hint ?? null, retryable, ...details } },
    next,
    quotes,
  };
}
