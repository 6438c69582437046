import { displayText } from '../../protocol/text.ts';
import { absoluteUrl } from '../choose/absolute-url.ts';
import { agentOptions, type RegistrationSettings } from '../choose/open-tools.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { readVersion } from '../shell/version.ts';
import type { HostName } from './host-names.ts';
import { HOSTS, installedStart, publishedStart } from './hosts.ts';

export interface McpCommandOptions extends RegistrationSettings {
  readonly only?: readonly string[];
  readonly readOnly?: true;
  readonly printConfig?: HostName;
}

const NO_MESSAGE = 'What came on stdin is no JSON-RPC message, and was left out.';

/** Serves the tools on stdin and stdout, until the host closes stdin or ends the program. */
export async function mcp(context: Context, options: McpCommandOptions): Promise<Outcome> {
  if (options.printConfig !== undefined) return printConfig(context, options.printConfig, options);
  const { world, output, interrupt } = context;
  const { stdin, stderr } = world.streams;
  const { serveMcp, createStdioTransport } = await import('../../mcp/index.ts');
  const service = context.options.service ?? world.environment.service;
  const warn = (text: string) => stderr.write(`agent-auth mcp: ${displayText(text)}\n`);
  const transport = createStdioTransport(stdin.node, world.streams.stdout.node, () =>
    warn(NO_MESSAGE),
  );
  const ended = new Promise<void>((resolve) => {
    stdin.node.once('close', resolve);
    stdin.node.once('end', resolve);
    world.streams.stdout.node.once('error', () => resolve());
    interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = serveMcp(
    {
      agent: await agentOptions(context, options),
      version: readVersion(),
      program: world.environment.programName,
      service: service && absoluteUrl(service, undefined, context.options),
      only: options.only,
      readOnly: options.readOnly,
      onError: (error) => warn('issues' in error ? NO_MESSAGE : error.message),
    },
    transport,
  );
  const closed = closing(transport);
  if (stdin.isTTY) {
    output.say(
      `Speaking MCP on stdin and stdout, for a host that starts this program. What its configuration needs: ${world.environment.programName} mcp --print-config HOST. Ctrl-C ends it.`,
    );
  }
  const isTooLong = await Promise.race([ended.then(() => false), closed.then(() => true)]);
  await handle.close();
  if (!isTooLong || stdin.node.readableEnded) return 'done';
  throw usageError('A message on stdin is longer than 10 MiB, so the server has ended.', {
    code: 'message_too_long',
    hint: 'The host has to send shorter messages, and to start the server again.',
  });
}

/** Resolves once the transport has ended, by itself too: it does so where a message has no end. */
function closing(transport: { onclose?: (() => void) | undefined }): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

/** What a host starts is on stdout, to be pasted or piped; where it goes is on stderr. */
function printConfig(context: Context, name: HostName, given: McpCommandOptions): Outcome {
  const { output, options, world } = context;
  const file = world.environment.programFile;
  const { title, file: place, write } = HOSTS[name];
  const words = optionsOf(options, given);
  const config = write(file === undefined ? publishedStart(words) : installedStart(file, words));
  output.result({
    schema: 'mcpConfig',
    json: () => ({ host: name, title, file: place, config }),
    human: () => config,
  });
  output.say(
    `For ${title}, in ${place}. Where there are other servers, add this one to them.${file === undefined ? '' : ' It starts the program that is installed here; docs/mcp.md has the lines that fetch the published package.'}`,
  );
  return 'done';
}

/** What this command was given, for the command of the host. */
function optionsOf(
  { service, ca, strict, allowOrigin = [] }: Context['options'],
  { only = [], readOnly, agentName, dialect, member = {} }: McpCommandOptions,
): readonly string[] {
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [name, value];
  return [
    ...option('--service', service),
    ...only.flatMap((origin) => ['--only', origin]),
    ...allowOrigin.flatMap((origin) => ['--allow-origin', origin]),
    ...option('--ca', ca),
    ...(strict ? ['--strict'] : []),
    ...option('--agent-name', agentName),
    ...Object.entries(member).flatMap(([name, value]) => ['--member', `${name}=${value}`]),
    ...option('--dialect', dialect),
    ...(readOnly ? ['--read-only'] : []),
  ];
}
