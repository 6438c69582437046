import * as z from 'zod';
import {
  MEDIA_TYPE,
  mediaTypeOf,
  printableUrl,
  readDirectoryListing,
} from '../../protocol/index.ts';
import { fetchUnfollowed, readBody, toNetworkError } from '../../runtime/index.ts';
import { type JsonMembers, nextTool, ToolError } from '../answer/answer.ts';
import { foreignLine } from '../answer/foreign-text.ts';
import { chooseService } from '../service/choose-service.ts';
import { defineTool, READS } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { count, output, service } from './schema.ts';

/** The most that is read of a listing, in bytes. */
const LISTING_LIMIT = 10 * 1024 * 1024;
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
  output: output(['listed'], ['url'], {
    total: z.number(),
    untrusted_services: z.array(z.looseObject({ id: z.number().nullable() })),
    left_out: z.number(),
  }),
  annotations: READS,
  run: async (world, { service: given, offset = 0, limit = DEFAULT_SHOWN }, call) => {
    const base = await chooseService(world, call, given);
    const { origin, pathname } = new URL(base);
    const url = `${origin}${pathname.replace(/\/$/, '')}/api/services.json`;
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
      quotes: [{ what: 'Entries of the directory', from: origin, text }],
    };
  },
});

const UNREADABLE = {
  too_large: 'it sends more than 10 MiB',
  not_utf8: 'it sends text that is not UTF-8',
};

async function read(world: McpWorld, url: string, signal: AbortSignal) {
  const where = printableUrl(url);
  const init = { headers: { accept: MEDIA_TYPE.json }, signal };
  try {
    const response = await fetchUnfollowed(world.fetch, url, init);
    const { status } = response;
    if (status !== 200 || mediaTypeOf(response) !== MEDIA_TYPE.json) {
      response.body?.cancel().catch(() => {});
      throw refused(where, status);
    }
    const body = await readBody(response, LISTING_LIMIT, signal);
    if (!body.ok) throw noDirectory(where, UNREADABLE[body.problem]);
    const listing = readDirectoryListing(body.text);
    if (listing.ok) return listing.services;
    if (listing.problem === 'refused') throw refused(where, listing.status);
    throw noDirectory(where, 'it answers with something that is no listing');
  } catch (error) {
    throw error instanceof ToolError ? error : toNetworkError(error, signal);
  }
}

function refused(where: string, status: number): ToolError {
  if (status >= 500 || status === 429) {
    return new ToolError(`${where} answered ${status}.`, {
      code: status === 429 ? 'rate_limited' : 'server_error',
      hint: 'Try again later.',
      retryable: true,
    });
  }
  if (status === 401 || status === 403) {
    return new ToolError(`${where} answered ${status}: this directory is not public.`, {
      code: 'directory_refused',
      hint: 'A registered agent may read it with a call.',
      next: nextTool('call', { target: where }),
    });
  }
  if (status === 200) return noDirectory(where, 'it answers with something other than JSON');
  const redirect = status >= 300 && status < 400 ? ', a redirect that is not followed' : '';
  return noDirectory(where, `it answers ${status}${redirect}`);
}

function noDirectory(where: string, why: string): ToolError {
  return new ToolError(`There is no service directory at ${where}: ${why}.`, {
    code: 'not_a_directory',
    hint: 'Give the base URL of a service that has one.',
    next: nextTool('list_directory', {}, ['service']),
  });
}
