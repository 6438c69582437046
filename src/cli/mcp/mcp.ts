import { displayText } from '../../protocol/text.ts';
import { shellWord } from '../../runtime/index.ts';
import { agentOptions } from '../prompts/open-tools.ts';
import type { RegistrationSettings } from '../prompts/options.ts';
import { absoluteUrl } from '../prompts/service.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { readVersion } from '../shell/version.ts';
import type { HostName } from './host-names.ts';

interface McpCommandOptions extends RegistrationSettings {
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
  const { serveMcp, StdioServerTransport } = await import('../../mcp/index.ts');
  const service = context.options.service ?? world.environment.service;
  const warn = (text: string) => stderr.write(`agent-auth mcp: ${displayText(text)}\n`);
  // Messages as lines, at most 10 MB each; a line that is no JSON is left out.
  const transport = new StdioServerTransport(stdin.node, world.streams.stdout.node);
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

/** How a host is told to start this server. */
interface Host {
  readonly title: string;
  /** Where its configuration is. */
  readonly file: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** The configuration, or the part of it that is about this server. */
  readonly write: (start: Start) => string;
  /** A command of the host that writes it. */
  readonly command?: (start: Start) => string;
}

const NAME = 'agent-auth';

/** What a host starts. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The published package, which npx installs where it is not there.
 * @param options of `agent-auth mcp`.
 */
export function publishedStart(options: readonly string[]): Start {
  return { command: 'npx', args: ['-y', NAME, 'mcp', ...options] };
}

/** A program that is installed on this machine, whatever folder the host works in. */
export function installedStart(file: string, options: readonly string[]): Start {
  return { command: 'node', args: [file, 'mcp', ...options] };
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const server = ({ command, args }: Start) => ({ command, args });
const mcpServers = (start: Start) => json({ mcpServers: { [NAME]: server(start) } });
const shellLine = (words: readonly string[]) => words.map(shellWord).join(' ');

export const HOSTS: Readonly<Record<HostName, Host>> = {
  'claude-code': {
    title: 'Claude Code',
    file: '.mcp.json in the project',
    format: 'json',
    write: mcpServers,
    command: ({ command, args }) =>
      shellLine(['claude', 'mcp', 'add', NAME, '--', command, ...args]),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    format: 'json',
    write: mcpServers,
  },
  codex: {
    title: 'Codex CLI',
    file: '~/.codex/config.toml',
    format: 'toml',
    write: ({ command, args }) =>
      [
        `[mcp_servers.${NAME}]`,
        `command = ${JSON.stringify(command)}`,
        `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
      ].join('\n'),
    command: ({ command, args }) =>
      shellLine(['codex', 'mcp', 'add', NAME, '--', command, ...args]),
  },
  cursor: {
    title: 'Cursor',
    file: '~/.cursor/mcp.json, or .cursor/mcp.json in the project',
    format: 'json',
    write: mcpServers,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    file: '~/.gemini/settings.json',
    format: 'json',
    write: mcpServers,
  },
  goose: {
    title: 'Goose',
    file: '~/.config/goose/config.yaml',
    format: 'yaml',
    write: ({ command, args }) =>
      [
        'extensions:',
        `  ${NAME}:`,
        `    name: ${NAME}`,
        '    type: stdio',
        '    enabled: true',
        `    cmd: ${command}`,
        '    args:',
        ...args.map((arg) => `      - ${JSON.stringify(arg)}`),
        '    timeout: 300',
      ].join('\n'),
  },
  vscode: {
    title: 'VS Code',
    file: '.vscode/mcp.json in the project',
    format: 'json',
    write: (start) => json({ servers: { [NAME]: { type: 'stdio', ...server(start) } } }),
  },
  windsurf: {
    title: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    format: 'json',
    write: mcpServers,
  },
  zed: {
    title: 'Zed',
    file: 'settings.json',
    format: 'json',
    write: (start) => json({ context_servers: { [NAME]: { ...server(start), env: {} } } }),
  },
};
