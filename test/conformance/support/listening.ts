import type { Server } from 'node:net';
import type { serve } from '../../../src/mock-service/index.ts';

/** Has a server listen where it was asked to, or on a port that is free; resolves to what `serve` says of it. */
export async function listening(
  server: Server & { closeAllConnections?(): void },
  { host, port }: { readonly host: string; readonly port: number },
): ReturnType<typeof serve> {
  await new Promise<void>((done) => server.listen({ host, port }, done));
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    origin: `http://${host}:${bound}`,
    host,
    port: bound,
    close: async () => {
      server.close();
      server.closeAllConnections?.();
    },
  };
}
