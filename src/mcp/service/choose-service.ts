import { URL_PROBLEMS } from '../../agent/http/url-policy.ts';
import { findServiceRecord } from '../../agent/records/select-service.ts';
import { absoluteFromTyped, printableUrl, urlProblem } from '../../protocol/index.ts';
import { type JsonMembers, nextTool, ToolError } from '../answer/answer.ts';
import type { ToolCall } from '../tool.ts';
import { requireAllowed } from '../world/allowed.ts';
import type { McpWorld } from '../world/mcp-world.ts';

/**
 * A URL that a model or a user gave, made absolute as the command line does, and allowed here.
 * @throws ToolError `bad_address` or `origin_not_allowed`.
 */
export function givenUrl(world: McpWorld, typed: string, argument: string): string {
  const url = absoluteFromTyped(typed);
  const problem = urlProblem(url, world.allowedOrigins);
  if (problem !== undefined) {
    throw new ToolError(`The argument ${argument} cannot be used: ${URL_PROBLEMS[problem]}.`, {
      code: 'bad_address',
      hint: 'Give a full URL, https or on this machine, without a user name, a password or a fragment.',
    });
  }
  return requireAllowed(world, url);
}

/**
 * The service that a tool goes to: the one that was given, else the one that this server was started with, else
 * the one used last, else the only one that is stored.
 * @throws ToolError `service_missing` where there is none.
 */
export async function chooseService(
  world: McpWorld,
  { about, tool, given: all }: ToolCall,
  given: string | undefined,
): Promise<string> {
  const named = given ?? world.service;
  if (named !== undefined) {
    const url = givenUrl(world, named, 'service');
    about.service = printableUrl(url);
    return url;
  }
  const { lastService, services } = await world.store.read();
  const [first, another] = services;
  const known = lastService ?? (another === undefined ? first?.resource : undefined);
  if (known !== undefined) {
    about.service = known;
    return requireAllowed(world, known);
  }
  const isStored = another !== undefined;
  throw new ToolError(
    isStored
      ? 'No service was given, and several are stored.'
      : 'No service was given, and none is stored.',
    {
      code: 'service_missing',
      hint: isStored
        ? 'Name one of services.'
        : 'Ask the user for the URL of the service, and name it.',
      next: nextTool(tool, all, ['service']),
      details: isStored ? { services: services.map(({ resource }) => resource) } : {},
    },
  );
}

/**
 * The same for tools that work with a registration: where it is stored has to be allowed, too.
 * @returns `undefined` where nothing is named or stored: the agent says that it is not registered.
 */
export async function storedService(
  world: McpWorld,
  call: ToolCall,
  given: string | undefined,
): Promise<string | undefined> {
  const credentials = await world.store.read();
  if ((given ?? world.service) === undefined && credentials.services.length === 0) return undefined;
  const service = await chooseService(world, call, given);
  const record = findServiceRecord(credentials, service);
  if (record !== undefined) requireAllowed(world, record.resource);
  return service;
}

/** A registration of an origin that this server is not for stays out of use. */
export async function requireAllowedId(world: McpWorld, id: string): Promise<void> {
  if (world.only === undefined) return;
  for (const { resource, registrations } of (await world.store.read()).services) {
    if (registrations.some((one) => one.id.startsWith(id))) requireAllowed(world, resource);
  }
}

/** An argument is missing that only the user knows. */
export function askUser(
  { tool }: Pick<ToolCall, 'tool'>,
  given: JsonMembers,
  argument: 'email' | 'provider',
): ToolError {
  return new ToolError(`The argument ${argument} is missing: it says for whom.`, {
    code: 'answer_missing',
    next: nextTool(tool, given, [argument]),
  });
}
