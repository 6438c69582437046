import type { ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Answer, JsonMembers } from './answer/answer.ts';
import type { ToolName } from './tool-names.ts';
import type { McpWorld } from './world/mcp-world.ts';
import type { Waiting } from './world/waits.ts';

/** A call of a tool. */
export interface ToolCall extends Waiting {
  readonly tool: ToolName;
  /** Its arguments, as the schema has checked them. */
  readonly given: JsonMembers;
  /** What it has turned out to be about, as given or as stored: for its errors. */
  readonly about: { service: string | undefined };
}

/** A tool, whatever its arguments are. */
export interface AnyTool {
  readonly name: ToolName;
  readonly title: string;
  /** The description for a model: when to use it, what it does, and what comes back. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** Whether it is there with `--read-only`. Default: where its annotations say that it reads. */
  readonly isReading: boolean;
  /** @param given what its `input` has checked. */
  readonly run: (world: McpWorld, given: unknown, call: ToolCall) => Promise<Answer>;
}

interface Tool<Shape extends z.ZodRawShape>
  extends Pick<AnyTool, 'name' | 'title' | 'description' | 'annotations'>,
    Partial<Pick<AnyTool, 'isReading'>> {
  readonly input: Shape;
  readonly run: (
    world: McpWorld,
    input: z.infer<z.ZodObject<Shape>>,
    call: ToolCall,
  ) => Promise<Answer>;
}

export function defineTool<Shape extends z.ZodRawShape>(tool: Tool<Shape>): AnyTool {
  return {
    isReading: tool.annotations.readOnlyHint === true,
    ...tool,
    input: z.strictObject(tool.input),
    run: (world, given, call) => tool.run(world, given as z.infer<z.ZodObject<Shape>>, call),
  };
}

export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: true };

/** The annotations of a tool that acts at a service or a provider, and takes nothing away. */
export const ACTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** The same, where calling again does no more than calling once. */
export const ACTS_ONCE: ToolAnnotations = { ...ACTS, idempotentHint: true };
