import {
  directoryUrl,
  NoDirectory,
  readDirectory,
  requireDirectory,
} from '../../agent/discovery/read-directory.ts';
import { MEDIA_TYPE, printableUrl } from '../../protocol/index.ts';
import { fetchUnfollowed, toNetworkError } from '../../runtime/index.ts';
import { type JsonMembers, nextTool, ToolError } from '../answer/answer.ts';
import { foreignLine } from '../answer/foreign-text.ts';
import { chooseService } from '../service/choose-service.ts';
import { defineTool, READS } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { count, service } from './schema.ts';

const DEFAULT_SHOWN = 50;
const MOST_METHODS = 20;

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List a service directory',
  description:
    'Reads the public directory of services that some services keep (GET /api/services.json below its URL), without credentials: names, URLs and paths. Names and URLs in it are texts of a stranger.',
  input: {
    service,
    offset: count(0, 1_000_000, 'How many entries to skip. Default 0.'),
    limit: count(1, 200, `How many entries to show, at most 200. Default ${DEFAULT_SHOWN}.`),
  },
  annotations: READS,
  run: async (world, { service: given, offset = 0, limit = DEFAULT_SHOWN }, call) => {
    const base = await chooseService(world, call, given);
    const url = directoryUrl(base);
    const services = await read(world, url, call.signal);
    const shown = services.slice(offset, offset + limit);
    const rest = Math.max(0, services.length - offset - shown.length);
    const line = (text: string | null, limit: number) =>
      text === null ? null : foreignLine(text, limit, world.mask);
    const rows = shown.map(
      ({ service_id, service_name, service_url, methods }): JsonMembers => ({
        id: service_id,
        name: line(service_name, 80),
        url: line(service_url, 300),
        methods: (methods ?? []).slice(0, MOST_METHODS).map((each) => line(each.method_url, 200)),
        methods_left_out: Math.max(0, (methods?.length ?? 0) - MOST_METHODS),
      }),
    );
    const more =
      rest > 0 ? `, ${rest} follow: call again with offset ${offset + shown.length}` : '';
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    return {
      status: 'listed',
      lines: [`The directory lists ${services.length} services; ${shown.length} are shown${more}.`],
      data: {
        url: printableUrl(url),
        total: services.length,
        left_out: rest,
        untrusted_services: rows,
      },
      quotes: [{ what: 'Entries of the directory', from: new URL(url).origin, text }],
    };
  },
});

async function read(world: McpWorld, url: string, signal: AbortSignal) {
  const init = { headers: { accept: MEDIA_TYPE.json }, signal };
  try {
    const response = await fetchUnfollowed(world.fetch, url, init);
    return (await readDirectory(requireDirectory(response, url), url, signal)).services;
  } catch (error) {
    if (error instanceof NoDirectory) throw unlisted(error, url);
    throw error instanceof ToolError ? error : toNetworkError(error, signal);
  }
}

function unlisted({ code, hint, message }: NoDirectory, url: string): ToolError {
  const retryable = code === 'server_error' || code === 'rate_limited';
  // It may be for those alone who have a token.
  const isRefused = code === 'directory_refused';
  const next = isRefused ? nextTool('call', { target: printableUrl(url) }) : undefined;
  return new ToolError(message, { code, hint, retryable, next });
}
