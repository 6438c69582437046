import { ZodError } from 'zod';
import { isJsonObject } from '../protocol/index.ts';
import { nearest } from '../runtime/index.ts';
import { type Answer, type JsonMembers, type Next, nextTool, ToolError } from './answer/answer.ts';
import { suitTool } from './errors/access-ended.ts';
import { explain } from './errors/explain.ts';
import { reachable } from './errors/next-step.ts';
import type { AnyTool, ToolCall } from './tool.ts';
import type { McpWorld } from './world/mcp-world.ts';

/** Carries out a call; whatever goes wrong is an answer that says what to do next. */
export async function runTool(world: McpWorld, tool: AnyTool, call: ToolCall): Promise<Answer> {
  try {
    // What another process has stored is a secret here, too.
    await world.store.read().catch(() => {});
    return await tool.run(world, call.given ?? {}, call);
  } catch (error) {
    const shown = error instanceof ZodError ? wrongArguments(tool, call.given, error) : error;
    const explained = await suitTool(explain(shown, world, call.about), world, call);
    const next = explained.facts.next ?? withAnother(explained.facts.argument, tool, call);
    return errorAnswer(explained, next && reachable(next, world));
  }
}

/** The same call, with another value of the argument that was wrong. */
function withAnother(argument: string | undefined, tool: AnyTool, { given }: ToolCall) {
  if (argument === undefined || !Object.hasOwn(tool.input.shape, argument)) return undefined;
  const { [argument]: _, ...rest } = isJsonObject(given) ? given : {};
  return nextTool(tool.name, rest as JsonMembers, [argument]);
}

/** What went wrong as an answer. */
export function errorAnswer({ message, facts }: ToolError, next: Next | undefined): Answer {
  const { code, hint, retryable = false, details, quotes } = facts;
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

/** What an argument is called by a model that means the service. */
const NAMES_A_SERVICE =
  /^(service_?|base_?|server_?|api_?)?(url|uri|origin|host|issuer|resource|site|server|endpoint)$/i;

/** What an argument is called by a model that means what a call goes to. */
const NAMES_A_TARGET = /^(request_?)?(path|pathname|route)$/i;

/** Every argument that is wrong, by its name, with what is asked for there. */
function wrongArguments(tool: AnyTool, given: unknown, { issues }: ZodError): ToolError {
  const known = Object.keys(tool.input.shape);
  const members: Readonly<Record<string, unknown>> = isJsonObject(given) ? given : {};
  const problems = issues.slice(0, 10).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, 10).map((key) => {
        const meant = meantBy(key, known);
        const perhaps = meant === undefined ? '' : `; ${meant} is meant, perhaps`;
        return { argument: key.slice(0, 60), problem: `There is no such argument${perhaps}.` };
      });
    }
    const argument = issue.path.map(String).join('.').slice(0, 200);
    const isThere = Object.hasOwn(members, argument) || issue.path.length > 1;
    const isMissing = issue.code === 'invalid_type' && !isThere;
    return [{ argument, problem: isMissing ? 'It is missing.' : `${issue.message}.` }];
  });
  const wrong = problems.map(({ argument }) => argument.split('.')[0] ?? '');
  const kept = Object.entries(members).filter(
    ([name]) => known.includes(name) && !wrong.includes(name),
  );
  // A name that means another argument is no service.
  const mayBeService = wrong.some(
    (name) =>
      name !== '' && !known.includes(name) && ['service', undefined].includes(meantBy(name, known)),
  );
  // Without the service that was meant, the same call would go to the one used last.
  const isLost = mayBeService && kept.length === 0 && known.includes('service');
  const needs = [...wrong.filter((name) => known.includes(name)), ...(isLost ? ['service'] : [])];
  const text = problems.map(({ argument, problem }) => `${argument}: ${problem}`).join(' ');
  return new ToolError(`The arguments of ${tool.name} are wrong. ${text}`, {
    code: 'wrong_arguments',
    hint: `Its arguments: ${known.join(', ') || 'none'}.`,
    next: nextTool(tool.name, Object.fromEntries(kept) as JsonMembers, needs),
    details: { arguments: problems },
  });
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const of = (argument: string) => (known.includes(argument) ? argument : undefined);
  return (
    nearest(name, known) ??
    (NAMES_A_TARGET.test(name) ? of('target') : undefined) ??
    (NAMES_A_SERVICE.test(name) ? of('service') : undefined)
  );
}
