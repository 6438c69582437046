import { InvalidArgumentError } from 'commander';
import { urlProblem, withoutFinalSlash } from '../../protocol/urls.ts';
import { REGISTRATION_OPTIONS } from '../prompts/options.ts';
import type { CommandSpec } from '../shell/command.ts';
import { HOST_NAMES } from './host-names.ts';

export const MCP: CommandSpec = {
  summary: 'let the agent of an MCP host connect to services, by tools',
  description:
    'Speaks the Model Context Protocol on stdin and stdout: a host such as an editor or a desktop app starts ' +
    'it. Its tools connect to a service, let the user claim the registration, and call the service; a token ' +
    'is never in an answer. It works on the same credential file as every other command.',
  options: {
    '--only <origin>': ['requests to this origin alone; repeatable', collectOrigin],
    ...REGISTRATION_OPTIONS,
    '--read-only': 'register, claim and leave nothing; call with GET and HEAD alone',
    '--print-config <host>': ['print what the configuration of a host needs, and end', HOST_NAMES],
  },
  notes: [
    'What a host has to start, --print-config prints; docs/mcp.md has the lines for the common hosts, also for a ' +
      'host that fetches the package by npx.',
  ],
  load: async () => (await import('./mcp.ts')).mcp,
  examples: [
    'mcp',
    'mcp --service https://api.example.com --only https://api.example.com',
    'mcp --print-config claude-desktop',
    'mcp --print-config cursor --read-only',
  ],
};

function collectOrigin(text: string, previous: readonly string[] = []): readonly string[] {
  const url = withoutFinalSlash(text);
  if (urlProblem(url) === undefined && new URL(url).origin === url) return [...previous, url];
  throw new InvalidArgumentError('Use a URL without a path, such as https://api.example.com.');
}
