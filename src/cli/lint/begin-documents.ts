import { openDatabase } from '../../mock/store/open-database.ts';
import { createMockService } from '../../mock-service/mock-service.ts';
import {
  AUTHORIZATION_SERVER_PATH,
  authorizationServerMetadataUrls,
  isSameOrigin,
  PROTECTED_RESOURCE_PATH,
  protectedResourceMetadataUrl,
} from '../../protocol/index.ts';
import { silentLog } from '../../runtime/system.ts';
import type { Context } from '../shell/context.ts';
import type { LintDocument } from './finding.ts';
import type { Fixed } from './fix.ts';

/**
 * Documents to begin with, whole, as the mock service writes its own for a service that takes anonymous
 * registrations. Their URLs are those that the mock has: whoever publishes them puts their own.
 * @param service the URL of the service, as agents are given it.
 */
export async function beginDocuments(
  { world }: Pick<Context, 'world'>,
  service: string,
  documents: readonly LintDocument[],
  missing: readonly ('resource' | 'server')[],
): Promise<readonly Fixed[]> {
  const { origin } = new URL(service);
  const issuer = issuerOf(documents) ?? origin;
  const db = await openDatabase();
  const mock = await createMockService({
    baseUrl: origin,
    db,
    name: new URL(service).hostname,
    identityTypes: ['anonymous'],
    clock: world.clock,
    random: world.random,
    log: silentLog,
    fetch: () => Promise.reject(new TypeError('Nothing is fetched.')),
  });
  const read = async (path: string) => {
    const answer = await mock.fetch(new Request(origin + path));
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const begun = await Promise.all(
    missing
      // A server of somebody else publishes its own.
      .filter((kind) => kind === 'resource' || isSameOrigin(issuer, origin))
      .map(async (kind): Promise<Fixed> => {
        const isResource = kind === 'resource';
        const json = await read(isResource ? PROTECTED_RESOURCE_PATH : AUTHORIZATION_SERVER_PATH);
        const own = { resource: service, authorization_servers: [issuer] };
        return {
          document: isResource
            ? protectedResourceMetadataUrl(service)
            : (authorizationServerMetadataUrls(origin)[0] ?? origin + AUTHORIZATION_SERVER_PATH),
          json: isResource ? { ...json, ...own } : json,
          changes: [
            'it is there, to begin with: the paths are those of the mock service, put your own',
          ],
        };
      }),
  );
  await db.close();
  return begun;
}

/** The server that is published, or that the metadata of the resource names. */
function issuerOf(documents: readonly LintDocument[]): string | undefined {
  for (const { json } of documents) {
    const listed = json?.['authorization_servers'];
    const named = json?.['issuer'] ?? (Array.isArray(listed) ? listed[0] : undefined);
    if (typeof named === 'string' && URL.canParse(named)) return named;
  }
  return undefined;
}
