import { importSource } from './import-source.js';
import { page, table } from './markdown.js';

/** @typedef {import('../../src/mcp/index.ts').AnyTool} AnyTool */
/** @typedef {{ type?: string, anyOf?: Schema[], enum?: string[], items?: Schema, description?: string }} Schema */

/** By their order: how one begins, then what each does. */
const GROUPS = {
  'From a URL to a token': ['connect', 'get_status', 'discover', 'read_skill', 'list_directory'],
  'One step at a time': [
    'register',
    'start_claim',
    'complete_claim',
    'await_claim',
    'sign_in',
    'await_sign_in',
  ],
  'With a registration': ['call', 'switch_registration', 'leave'],
};

/**
 * The MCP server: its set-up in hosts, its tools by their schemas, and what a model sees.
 *
 * @param {string} root of the project
 */
export async function mcpPage(root) {
  const source = 'src/mcp/tools';
  const { toolsOf } = /** @type {typeof import('../../src/mcp/index.ts')} */ (
    await importSource(root, 'src/mcp/index.ts')
  );
  const { publishedStart, HOSTS } = /** @type {typeof import('../../src/cli/mcp/hosts.ts')} */ (
    await importSource(root, 'src/cli/mcp/hosts.ts')
  );
  const tools = toolsOf({});
  const grouped = Object.values(GROUPS).flat();
  const missing = tools.filter(({ name }) => !grouped.includes(name)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`scripts/docs/mcp-page.js has no group for ${missing}`);
  const start = publishedStart([]);
  const hosts = Object.entries(HOSTS).map(([name, { title, file, format, write, command }]) =>
    [
      `### ${title}`,
      `In ${file} (\`--print-config ${name}\`):`,
      `\`\`\`${format}\n${write(start)}\n\`\`\``,
      ...(command === undefined ? [] : [`Or type: \`${command(start)}\``]),
    ].join('\n\n'),
  );
  const reference = Object.entries(GROUPS).map(
    ([title, names]) =>
      `### ${title}\n\n${names.map((name) => toolSection(find(tools, name))).join('\n\n')}`,
  );
  return page(
    'Agents in an MCP host',
    `${source}\` and \`src/cli/mcp`,
    'For whoever wants the model of an editor, a desktop app or a terminal to get access to services that let agents register, without ever handing it a token.',
    [
      '`agent-auth mcp` is a server of the [Model Context Protocol](https://modelcontextprotocol.io) on stdin and stdout. A host starts it; its tools connect to a service, let the user claim the registration, and call the service. It works on the same credential file as every other command, so that what a model has begun can be finished at a terminal, and the other way round.',
      START,
      '## Set it up in a host',
      'Hosts start a command and pass it arguments. The server needs the package of the protocol, `@modelcontextprotocol/server`, beside this one.',
      "- **From a clone, or a project that has it installed:** a clone has both packages after `npm ci`, and needs no published version; a project needs `npm install @modelcontextprotocol/server`, too. `npx agent-auth mcp --print-config HOST` then prints a block that starts this very installation, `node` with the whole path, from any folder; so it does where both are installed globally.\n- **From the registry, once a version is published:** the blocks below. `npx` fetches both packages. `--print-config` prints these where npx has fetched the program.\n- **A host of your own:** `StdioClientTransport` of `@modelcontextprotocol/client/stdio` with `{ command: 'npx', args: ['agent-auth', 'mcp'] }`, in a project with `agent-auth`, `@modelcontextprotocol/server` and `@modelcontextprotocol/client` installed. Where the server ends at once (`Connection closed`), its stderr says why.",
      'On Windows some hosts cannot start `npx` by itself: then the command is `cmd`, and the arguments begin with `/c`, `npx`.',
      'The blocks below fetch the published package. `agent-auth mcp --print-config HOST`, with the name beside each, prints one that starts the program that prints it: that of a clone or a project by its whole path, or this one where npx has fetched it.',
      ...hosts,
      OPTIONS,
      SEES,
      '## The tools',
      table(
        ['tool', 'what for', 'changes something', 'with `--read-only`'],
        tools.map(({ name, title, annotations, isReading }) => [
          `[\`${name}\`](#${name})`,
          title,
          annotations.readOnlyHint ? 'no' : annotations.destructiveHint ? 'yes, for good' : 'yes',
          isReading ? (name === 'call' ? 'GET and HEAD' : 'yes') : 'no',
        ]),
      ),
      ...reference,
      SECURITY,
    ].join('\n\n'),
  );
}

/** @param {readonly AnyTool[]} tools @param {string} name */
function find(tools, name) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

/** @param {AnyTool} tool */
function toolSection({ name, description, input, output }) {
  const { properties, required = [] } = jsonSchema(input, 'input');
  const rows = Object.entries(properties).map(([member, schema]) => [
    `\`${member}\``,
    typeOf(schema),
    required.includes(member) ? 'yes' : 'no',
    schema.description ?? '',
  ]);
  // What an error has in their place stands above, once for all.
  const members = Object.keys(jsonSchema(output, 'output').properties)
    .filter((member) => member !== 'error')
    .map((member) => `\`${member}\``)
    .join(', ');
  return [
    `<a id="${name}"></a>\n\n#### ${name}`,
    description,
    rows.length === 0
      ? 'It takes no argument.'
      : table(['argument', 'type', 'required', 'what it is'], rows),
    `It answers with: ${members}.`,
  ].join('\n\n');
}

/**
 * @param {AnyTool['input']} schema
 * @param {'input' | 'output'} side
 * @returns {{ properties: Record<string, Schema>, required?: string[] }}
 */
function jsonSchema(schema, side) {
  const standard = /** @type {any} */ (schema)['~standard'];
  return standard.jsonSchema[side]({ target: 'draft-2020-12' });
}

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${one}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') {
    return schema.items?.type === undefined ? 'list' : `list of ${schema.items.type}`;
  }
  return schema.type ?? 'any';
}

const START = `## From nothing to the first call

1. Tell your host to start the server: its block is [below](#set-it-up-in-a-host). Restart the host, or reload its servers; it then lists the tools of \`agent-auth\`.
2. Something to connect to, for a trial: type \`npx agent-auth mock up\` in a terminal and leave it running. It prints the URL of a mock service.
3. Ask the model: "Connect to http://127.0.0.1:4800 for alice@example.com." It calls \`connect\`, and shows you a link and a code. (A host that can open pages for you asks whether it should.)
4. Open the link, sign in as alice@example.com (the mock wants no password), type the code, approve. Without a browser: \`npx agent-auth mock complete\`.
5. Ask the model to go on. It calls \`await_claim\`, and the registration is yours. "Call /api/resource" then shows an answer of the service. \`npx agent-auth status\` shows the same registration at the terminal.`;

const OPTIONS = `## What it may do

| option | what it does |
|---|---|
| \`--service URL\` | the service of every tool that is called without one (or \`AGENT_AUTH_SERVICE\`) |
| \`--only ORIGIN\` | no request leaves this machine but to this origin; repeatable. A registration of another origin that is stored stays out of reach. A service whose authorization server, skill file or endpoint is elsewhere needs that origin, too (or \`--allow-origin\`, where the agent asks for it) |
| \`--read-only\` | nothing is registered, claimed, switched or left; \`call\` sends GET and HEAD alone |
| \`--dialect\`, \`--member\`, \`--agent-name\` | as with [\`agent-auth connect\`](commands/connect.md), for whatever is registered by the tools |
| \`--print-config HOST\` | prints the block for a host, with the other options of the line in it |

They are further arguments in the configuration of the host, behind \`mcp\`. \`--ca FILE\`, \`--allow-origin URL\` and \`--strict\` work as everywhere. \`AGENT_AUTH_HOME\` in the host's \`env\` gives the server a credential file of its own; \`AGENT_AUTH_TOKEN\` a token that beats the file.`;

const SEES = `## What the model sees

Every result has a text and the same as structured content, with a schema.

- \`next\` names the tool that goes on from there, its arguments, and in \`needs\` those that are still missing, such as a code that only the user knows, or their consent (\`new\`, \`renew\`). Where nothing is left to do, as after an answered \`call\`, there is none. An error has it, too: \`{"status": "error", "error": {"code", "message", "hint", "retryable"}, "next"}\`, with \`isError\`. What no tool can do is a \`user_command\` for the user to type.
- **A claim returns at once.** \`connect\`, \`register\`, \`start_claim\` and \`sign_in\` answer with \`claim\` (or \`sign_in\`): a link and, where the user types it on the page, a code. A host that declares elicitation in URL mode is asked to show the page to the user; the model then learns that it was shown, and never sees the code. Any other host gets link and code in the text, to be shown as they are. \`claim.kind\` says how it goes on: \`type_there\`, then \`await_claim\`; \`read_back\`, then \`complete_claim\` with the code that the user reads to the model.
- **A wait is bounded.** \`await_claim\` polls no more often than the service allows, sends progress to hosts that ask for it, ends after \`timeout_seconds\` (45 unless it says otherwise, since many hosts end a call after a minute), and stops when the host cancels it. Nothing is lost: the credential file holds what is pending, also when the server ends.
- **What a stranger wrote is marked.** Bodies, headers, skill files, directories, names and the reasons of refusals stand between \`[untrusted WORD]\` and \`[end WORD]\`, where the word is random and new each time, and below members that begin with \`untrusted_\`. They come without control, bidi and invisible characters, and are cut, with what was left out said. Ids, scopes, codes and URLs stand outside the marks, because calls need them: each is one word, whatever the service made of it. A URL may still be a sentence with dashes.

Hosts of the revision 2026-07-28 and of those since 2024-10-07 are spoken to in theirs.`;

const SECURITY = `## Security

- **No token is in an answer**, nor an assertion, a refresh token, a claim token, a device code or a cookie. Every string of a result goes through a filter that knows each secret the server has met, and takes it out: plain, escaped for URLs, JSON or HTML, as base64 or hex, wrapped or spaced. A member of JSON, a field of a form or a parameter of a URL in an answer to \`call\` that hands out a credential (\`access_token\`, \`identity_assertion\`, \`claim_token\` and their like) comes without its value. A service that wants to can still disguise its own token in a way that no filter knows; it tells the model nothing then that it could not use itself.
- **The token goes to its service alone**: \`call\` refuses any other origin, and follows no redirect.
- **A page is offered to the user only on the origin of the service or the provider.** Where it is elsewhere, the model is told to warn the user.
- **The user decides.** A code or an email address is asked of the user, never guessed; after a denial, only \`renew\` asks again; after the service has ended a registration, only \`new\` makes another for that user. Neither is set in \`next\`: it is among the \`needs\`. Hosts ask before a tool that changes something: \`leave\` and \`call\` say that they may do harm.
- **A model can be talked into calls by what it reads.** Marks help; they do not make it safe. \`--only\` keeps it to the origins that you name, also off the other hosts in your network; \`--read-only\` keeps it from changing anything.
- stdout carries the protocol alone; what goes wrong beside it is on stderr, without secrets. A line that is no JSON-RPC message costs one line there; a message of more than 10 MiB ends the server with exit 2.`;
