import { ZodError } from 'zod';
import { isJsonObject } from '../protocol/index.ts';
import { nearest } from '../runtime/index.ts';
import type { Answer, JsonMembers } from './answer/answer.ts';
import { explain } from './errors/explain.ts';
import { suitTool } from './errors/suit-tool.ts';
import { ToolError } from './errors/tool-error.ts';
import { type Next, nextJson, nextText, nextTool } from './next/next.ts';
import { reachable } from './next/reachable.ts';
import type { AnyTool, ToolAnswer } from './tool.ts';
import type { McpWorld } from './world/mcp-world.ts';
import type { ToolCall } from './world/tool-call.ts';

/** Carries out a call; whatever goes wrong is an answer that says what to do next. */
export async function runTool(world: McpWorld, tool: AnyTool, call: ToolCall): Promise<ToolAnswer> {
  try {
    // What another process has stored is a secret here, too.
    await world.store.read().catch(() => {});
    return await tool.run(world, call.given ?? {}, call);
  } catch (error) {
    const shown = error instanceof ZodError ? wrongArguments(tool, call.given, error) : error;
    const explained = await suitTool(explain(shown, world, call.about), world, call);
    const next = explained.next ?? withAnother(explained.argument, tool, call);
    return errorAnswer(explained, next && reachable(next, world));
  }
}

/** The same call, with another value of the argument that was wrong. */
function withAnother(argument: string | undefined, tool: AnyTool, { given }: ToolCall) {
  if (argument === undefined || !argumentsOf(tool).includes(argument)) return undefined;
  const { [argument]: _, ...rest } = isJsonObject(given) ? given : {};
  return nextTool(tool.name, rest as JsonMembers, [argument]);
}

function errorAnswer(error: ToolError, next: Next | undefined): Answer {
  const { code, message, hint, retryable, details, quotes } = error;
  return {
    isError: true,
    lines: [
      `Error (${code}): ${message}`,
      ...(hint === undefined ? [] : [hint]),
      ...(retryable ? ['The same call may succeed later.'] : []),
      ...(next === undefined ? [] : [nextText(next)]),
    ],
    data: {
      status: 'error',
      error: { code, message, hint: hint ?? null, retryable, ...details },
      ...(next !== undefined && { next: nextJson(next) }),
    },
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
  const known = argumentsOf(tool);
  const ofService = known.find((name) => name === 'service');
  const problems = issues.slice(0, 10).flatMap((issue): readonly JsonMembers[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, 10).map((key) => {
        const meant = meantBy(key, known);
        return {
          argument: key.slice(0, 60),
          problem: `There is no such argument${meant === undefined ? '' : `; ${meant} is meant, perhaps`}.`,
        };
      });
    }
    const argument = issue.path.map(String).join('.').slice(0, 200);
    const isMissing = issue.code === 'invalid_type' && !hasMember(given, argument);
    return [{ argument, problem: isMissing ? 'It is missing.' : `${issue.message}.` }];
  });
  const wrong = problems.map(({ argument }) => String(argument).split('.')[0] ?? '');
  const kept = Object.entries(typeof given === 'object' && given !== null ? given : {}).filter(
    ([name]) => known.includes(name) && !wrong.includes(name),
  );
  // A name that means another argument is no service.
  const mayBeService = (name: string) => ['service', undefined].includes(meantBy(name, known));
  const isNoArgument = wrong.some(
    (name) => name !== '' && !known.includes(name) && mayBeService(name),
  );
  // Without the service that was meant, the same call would go to the one used last.
  const lost = isNoArgument && kept.length === 0 && ofService !== undefined ? [ofService] : [];
  const needs = [...new Set([...wrong.filter((name) => known.includes(name)), ...lost])];
  const text = problems.map(({ argument, problem }) => `${argument}: ${problem}`).join(' ');
  return new ToolError(`The arguments of ${tool.name} are wrong. ${text}`, {
    code: 'wrong_arguments',
    hint: `Its arguments: ${known.join(', ') || 'none'}.`,
    next: nextTool(tool.name, Object.fromEntries(kept) as JsonMembers, needs),
    details: { arguments: problems },
  });
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const of = (argument: string) => known.find((one) => one === argument);
  return (
    nearest(name, known) ??
    (NAMES_A_TARGET.test(name) ? of('target') : undefined) ??
    (NAMES_A_SERVICE.test(name) ? of('service') : undefined)
  );
}

function hasMember(given: unknown, name: string): boolean {
  return (
    typeof given === 'object' &&
    given !== null &&
    (Object.hasOwn(given, name) || name.includes('.'))
  );
}

function argumentsOf({ input }: AnyTool): readonly string[] {
  const shape: unknown = 'shape' in input ? input.shape : {};
  return Object.keys(shape as object);
}
