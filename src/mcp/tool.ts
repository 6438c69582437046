import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Answer } from './answer/answer.ts';
import type { ToolName } from './tool-names.ts';
import type { McpWorld } from './world/mcp-world.ts';
import type { ToolCall } from './world/tool-call.ts';

/** A page for the user, that a host may offer to open (elicitation in URL mode). */
export interface PageOffer {
  readonly url: string;
  /** For the user: what to do there. */
  readonly message: string;
  /** The answer once the host has shown both: nothing in it is for the user any more. */
  readonly shown: Answer;
}

/** The answer of a tool; with a page where its user has to act on one. */
export type ToolAnswer = Answer & { readonly page?: PageOffer | undefined };

export interface Tool<Input> {
  readonly name: ToolName;
  readonly title: string;
  /** For a model: when to use it, what it does, and what comes back. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
  /** Whether it is there with `--read-only`. */
  readonly isReading: boolean;
  readonly run: (world: McpWorld, input: Input, call: ToolCall) => Promise<ToolAnswer>;
}

/** A tool whose input is checked where it runs. */
export type AnyTool = Tool<unknown>;

/** `run` throws a `ZodError` for input that does not fit. */
export function defineTool<Input>(tool: Tool<Input>): AnyTool {
  return {
    ...tool,
    run: async (world, given, call) => tool.run(world, tool.input.parse(given), call),
  };
}
