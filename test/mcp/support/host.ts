import { readFileSync } from 'node:fs';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { AgentOptions } from '../../../src/agent/index.ts';
import { type McpOptions, serveMcp, toolsOf } from '../../../src/mcp/index.ts';

/** What a tool gave back. */
export interface Result {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: as a host sees it, by its schema
  readonly data: any;
  readonly isError: boolean;
  /** All of it, as it went over the wire. */
  readonly whole: string;
}

interface HostOptions extends Partial<Omit<McpOptions, 'agent'>> {
  /** `legacy`: opens by `initialize`, as hosts before revision 2026-07-28 do. Default `modern`. */
  readonly era?: 'legacy' | 'modern';
  /** What the user does with a page that the host offers to open. Left out: the host cannot. */
  readonly pages?: 'accept' | 'decline' | 'cancel' | 'fail';
  readonly capabilities?: Record<string, unknown>;
}

export interface Page {
  readonly url: string;
  readonly message: string;
}

/** What a host fills in where an answer says that it is needed. */
const FILLED: Readonly<Record<string, unknown>> = {
  service: 'https://api.example.com',
  provider: 'https://id.example.com',
  email: 'alice@example.com',
  code: '123456',
  target: '/api',
  registration: 'reg_1',
  timeout_seconds: 45,
  headers: {},
  method: 'POST',
  new: true,
  renew: true,
};

/** Whatever goes on names a tool that there is, with arguments that it takes. */
function checkNext(data: unknown): void {
  const { next, more } = (data ?? {}) as Record<'next' | 'more', Next | null | undefined>;
  for (const step of [next, more]) {
    if (step == null || step.user_command !== undefined) continue;
    const tool = toolsOf({}).find(({ name }) => name === step.tool);
    if (tool === undefined) throw new Error(`There is no tool ${step.tool}.`);
    const filled = Object.fromEntries(step.needs.map((name) => [name, FILLED[name] ?? 'missing']));
    const read = tool.input.safeParse({ ...step.arguments, ...filled });
    if (!read.success) throw new Error(`${JSON.stringify(step)}: ${read.error.message}`);
  }
}

const PAGE = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
const [, CONTENT = ''] = PAGE.split('### Structured content');
const namesIn = (text = '') => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);

/** What the page says that an answer of each tool may be and hold. */
const DOCUMENTED = new Map(
  [...CONTENT.matchAll(/^\| (`.*?) \| (`.*?) \| (.*) \|$/gm)].flatMap(
    ([, tools, statuses, members]) =>
      namesIn(tools).map((tool) => {
        const others = members?.startsWith('as `connect`')
          ? /^\| `connect`.*$/m.exec(CONTENT)
          : null;
        return [tool, namesIn(`${statuses} ${members} ${others?.[0] ?? ''}`)] as const;
      }),
  ),
);

/** Whatever an answer is or holds, the page of the docs names. */
function checkDocumented(tool: string, data: unknown): void {
  const { status, next: _, ...members } = (data ?? {}) as Record<string, unknown>;
  if (status === undefined || status === 'error') return;
  const documented = DOCUMENTED.get(tool);
  const unknown = [status, ...Object.keys(members)].filter(
    (name) => documented?.includes(String(name)) !== true,
  );
  if (unknown.length > 0) throw new Error(`docs/mcp.md does not name in ${tool}: ${unknown}`);
}

interface Next {
  readonly tool?: string;
  readonly arguments?: Record<string, unknown>;
  readonly user_command?: string;
  readonly needs: readonly string[];
}

/** The clock of most tests jumps: what limits a wait stands still beside it. */
function untilAborted(_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A host with the client package of the protocol, in memory. */
export class Host {
  readonly client: Client;
  /** Pages that the user was asked to open. */
  readonly pages: Page[] = [];
  readonly transport: InMemoryTransport;
  readonly #close: () => Promise<void>;

  private constructor(client: Client, transport: InMemoryTransport, close: () => Promise<void>) {
    this.client = client;
    this.transport = transport;
    this.#close = close;
  }

  static async start(agent: AgentOptions, options: HostOptions = {}): Promise<Host> {
    const { era = 'modern', pages, capabilities, ...rest } = options;
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = serveMcp(
      { agent, version: '0.0.0', program: 'agent-auth', limit: untilAborted, ...rest },
      // Two copies of the same interface.
      theirs as Parameters<typeof serveMcp>[1],
    );
    const client = new Client(
      { name: 'test host', version: '1' },
      {
        capabilities: capabilities ?? (pages === undefined ? {} : { elicitation: { url: {} } }),
        versionNegotiation: { mode: era === 'modern' ? 'auto' : 'legacy' },
      },
    );
    const host = new Host(client, ours, async () => {
      await client.close();
      await server.close();
    });
    if (pages !== undefined) {
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        if (params.mode !== 'url') throw new Error('No form is filled in here.');
        host.pages.push({ url: params.url, message: params.message });
        if (pages === 'fail') throw new Error('There is no window.');
        return { action: pages };
      });
    }
    await client.connect(ours);
    return host;
  }

  async call(
    name: string,
    given: Record<string, unknown> = {},
    options: Parameters<Client['callTool']>[1] = {},
  ): Promise<Result> {
    const result = await this.client.callTool({ name, arguments: given }, options);
    const text = (result.content ?? [])
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join('\n');
    checkNext(result.structuredContent);
    checkDocumented(name, result.structuredContent);
    return {
      text,
      data: result.structuredContent,
      isError: result.isError === true,
      whole: JSON.stringify(result),
    };
  }

  close(): Promise<void> {
    return this.#close();
  }
}
