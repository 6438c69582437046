import { shellWord } from '../../runtime/index.ts';
import type { ToolName } from '../tool-names.ts';

/** What a tool has to say, before it is written as a result of the protocol. */

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue | undefined };

/** Members that are `undefined` are left out. */
export type JsonMembers = { readonly [member: string]: JsonValue | undefined };

/** A text that the agent did not write: a service's, a provider's or a directory's. */
export interface Quote {
  /** What it is, in our words: `body of the answer`. */
  readonly what: string;
  /** Whose: an origin or a URL. */
  readonly from: string;
  /** Already harmless, without secrets, and capped. */
  readonly text: string;
}

/** Our own sentences, for the model. Nothing of a stranger stands in them. Those that are `undefined` are left out. */
export type Lines = readonly (string | undefined)[];

export interface Answer {
  readonly status: string;
  readonly lines: Lines;
  /** The same for programs. What a stranger wrote is below members that begin with `untrusted_`. */
  readonly data: JsonMembers;
  /** What goes on from here. */
  readonly next?: Next | undefined;
  readonly quotes?: readonly Quote[] | undefined;
  /** Where its user has to act on a page. */
  readonly page?: PageOffer | undefined;
}

/** A page for the user, that a host may offer to open (elicitation in URL mode). */
export interface PageOffer {
  readonly url: string;
  /** What the user is to do there. */
  readonly message: string;
  /** The answer once the host has shown both: nothing in it is for the user any more. */
  readonly shown: Answer;
}

interface ErrorFacts {
  /** Stable and machine-readable, `snake_case`. */
  readonly code: string;
  /** What the model can do about it, as a sentence. */
  readonly hint?: string | undefined;
  readonly next?: Next | undefined;
  /** Whether the same call can succeed later without a change. Default false. */
  readonly retryable?: boolean | undefined;
  /** Further members of the error. */
  readonly details?: JsonMembers | undefined;
  readonly quotes?: readonly Quote[] | undefined;
}

/** Why a tool has not done its work, and what goes on from there. Its message is ours alone. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly facts: ErrorFacts;

  constructor(message: string, facts: ErrorFacts) {
    super(message);
    this.facts = facts;
  }

  /** The same error, with another way to go on. */
  with(changes: Partial<ErrorFacts>): ToolError {
    return new ToolError(this.message, { ...this.facts, ...changes });
  }
}

/** The tool of this server that goes on from here. */
type NextTool = {
  readonly tool: ToolName;
  readonly arguments: JsonMembers;
  /** Further arguments of it, which only the user knows, or which are for the caller to choose. */
  readonly needs: readonly string[];
};

/** What no tool does: a line for the user to type in a terminal. */
type NextLine = {
  readonly user_command: string;
  readonly needs: readonly string[];
};

export type Next = NextTool | NextLine;

/**
 * @param given arguments; those that nobody knows (`undefined` or `null`) are left out.
 * @param needs arguments that the caller has to add, unless they are given.
 */
export function nextTool(
  tool: ToolName,
  given: JsonMembers = {},
  needs: readonly string[] = [],
): NextTool {
  const known = Object.entries(given).filter(([, value]) => value != null);
  return {
    tool,
    arguments: Object.fromEntries(known),
    needs: [...new Set(needs)].filter((name) => given[name] == null),
  };
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

/** What a model is told: what to call, with what, and what to ask for. */
export function nextText(next: Next): string {
  if ('user_command' in next) {
    return `Next: ask the user to type in a terminal: ${next.user_command}`;
  }
  const needs = next.needs.map((name) => NEEDED[name] ?? name).join(', ');
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
