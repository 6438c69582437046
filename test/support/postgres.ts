import { afterAll, beforeAll, describe } from 'vitest';
import { findPostgres, PostgresServer } from './postgres-server.ts';

export { findPostgres, PostgresServer } from './postgres-server.ts';

/**
 * A `describe` for tests that need a real PostgreSQL. It gets a server of its own, gone after the
 * tests. Without the programs it is skipped and says so; with AGENT_AUTH_REQUIRE_POSTGRES=1 that is
 * an error.
 */
export function describeWithPostgres(name: string, body: (server: PostgresServer) => void): void {
  describeWhereFound(name, (programs) => {
    const server = new PostgresServer(programs);
    beforeAll(() => server.start());
    afterAll(() => server.stop());
    body(server);
  });
}

/** Of the files of a worker, which share their modules. Its input ends with the worker, and so does the server. */
let shared: PostgresServer | undefined;
let starting: Promise<void> | undefined;

/** The same for tests that make databases and leave the server as it is: it is started once for all of a worker. */
export function describeWithDatabases(name: string, body: (server: PostgresServer) => void): void {
  describeWhereFound(name, (programs) => {
    const server = shared ?? new PostgresServer(programs);
    shared = server;
    beforeAll(() => {
      starting ??= server.start().catch((error: unknown) => {
        // The next file tries again: another process may have had its port.
        shared = undefined;
        starting = undefined;
        throw error;
      });
      return starting;
    });
    body(server);
  });
}

function describeWhereFound(name: string, body: (programs: string) => void): void {
  const found = findPostgres(process.env['PATH'] ?? '');
  if (found === undefined && process.env['AGENT_AUTH_REQUIRE_POSTGRES'] === '1') {
    throw new Error('AGENT_AUTH_REQUIRE_POSTGRES=1, but no PostgreSQL is on the PATH');
  }
  if (found === undefined) {
    process.stdout.write(`skipped: ${name}: no PostgreSQL on the PATH\n`);
  }
  describe.skipIf(found === undefined)(name, () => body(found ?? ''));
}
