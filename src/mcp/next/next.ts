import { shellWord } from '../../runtime/index.ts';
import type { JsonMembers } from '../answer/answer.ts';
import type { ToolName } from '../tool-names.ts';

/** Another tool of this server that goes on from here. */
interface NextTool {
  readonly tool: ToolName;
  readonly arguments: JsonMembers;
  /** Further arguments of it, which only the user knows, or which are for the caller to choose. */
  readonly needs: readonly string[];
}

/** What no tool does: a line for the user to type in a terminal. */
interface NextLine {
  readonly user_command: string;
  readonly needs: readonly string[];
}

export type Next = NextTool | NextLine;

type Given = { readonly [name: string]: JsonMembers[string] | undefined };

/** @param given arguments; those that are `undefined` are left out. */
export function nextTool(
  tool: ToolName,
  given: Given = {},
  needs: readonly string[] = [],
): NextTool {
  const known = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { tool, arguments: Object.fromEntries(known), needs };
}

/**
 * @param program as the user types it: `npx agent-auth`.
 * @param words each is quoted for a shell where it has to be: a URL may hold what a shell would run.
 */
export function userCommand(
  program: string,
  words: readonly string[],
  needs: readonly string[] = [],
): NextLine {
  return { user_command: [program, ...words.map(shellWord)].join(' '), needs };
}

export function nextJson(next: Next): JsonMembers {
  return { ...next };
}

/** For a model: what to call, with what, and what to ask for. */
export function nextText(next: Next): string {
  const needs = next.needs.map((name) => NEEDED[name] ?? name).join(', ');
  if ('user_command' in next) {
    return `Next: ask the user to type in a terminal: ${next.user_command}`;
  }
  const given = JSON.stringify(next.arguments);
  return `Next: call the tool ${next.tool} with ${given}${needs === '' ? '' : ` and with ${needs}`}.`;
}

const NEEDED: Readonly<Record<string, string>> = {
  code: 'code (ask the user for it)',
  email: 'email (ask the user for it)',
  service: 'service (the URL of the service)',
  target: 'target (a path of the service)',
  provider: 'provider (the URL of the provider)',
  new: 'new (true, only if the user agrees to another registration)',
  renew: 'renew (true, only if the user wants to be asked again)',
};
