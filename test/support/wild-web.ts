import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  authorizationServerMetadataUrls,
  type JsonObject,
  protectedResourceMetadataUrl,
} from '../../src/protocol/index.ts';

/** A published document on servers of this machine, one for each host that it names. */
export interface WildWeb {
  /** Where a user begins: its resource, else its issuer. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const HOSTS = /https?:\/\/([a-z.-]+\.example\.com|localhost:8000)/g;

export function readWild(name: string): JsonObject {
  const path = join(import.meta.dirname, `../../fixtures/wild/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
}

/**
 * Serves a published document where its issuer has it. What else is asked for is answered as by an application
 * of one page: 200 and HTML; but for `/auth.md`.
 */
export async function serveWild(name: string): Promise<WildWeb> {
  const text = JSON.stringify(readWild(name));
  const hosts = [
    ...new Set(['service.example.com', ...[...text.matchAll(HOSTS)].map(([, host]) => host ?? '')]),
  ];
  const documents = new Map<string, object>();
  const opened = await Promise.all(hosts.map((host) => open(host, documents)));
  const local = (given: string) =>
    given.replace(
      HOSTS,
      (_, host: string) => opened.find((one) => one.host === host)?.origin ?? '',
    );
  const document = JSON.parse(local(text)) as JsonObject;
  const origin = local('https://service.example.com');
  const url = publish(name, document, origin, documents);
  return { url, close: async () => void (await Promise.all(opened.map(({ stop }) => stop()))) };
}

/** Puts a document where it belongs. A block without its document is that of a resource. */
function publish(
  name: string,
  document: JsonObject,
  origin: string,
  documents: Map<string, object>,
): string {
  const isBlock = name.startsWith('agent-auth-');
  const issuer = typeof document['issuer'] === 'string' ? document['issuer'] : origin;
  const resource = typeof document['resource'] === 'string' ? document['resource'] : undefined;
  const server = isBlock
    ? { issuer, token_endpoint: `${issuer}/token` }
    : name.startsWith('prm-')
      ? { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
      : document;
  documents.set(authorizationServerMetadataUrls(issuer)[0] ?? '', server);
  if (isBlock) {
    const described = { resource: origin, authorization_servers: [issuer], ...document };
    documents.set(protectedResourceMetadataUrl(origin), described);
  }
  if (resource !== undefined) documents.set(protectedResourceMetadataUrl(resource), document);
  return resource ?? issuer;
}

async function open(host: string, documents: ReadonlyMap<string, object>) {
  let origin = '';
  const server = createServer((request, response) => {
    reply(response, documents.get(origin + request.url), request.url ?? '');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, origin, stop: () => stop(server) };
}

function reply(response: ServerResponse, document: object | undefined, path: string): void {
  const [type, body] =
    document !== undefined
      ? ['application/json', JSON.stringify(document)]
      : path === '/auth.md'
        ? ['text/markdown', '# auth.md\n\nPOST /agent/identity\n']
        : ['text/html', '<!doctype html><title>Welcome</title>'];
  response.writeHead(200, { 'content-type': type }).end(body);
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((closed) => server.close(() => closed()));
}
