import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../runtime/ports.ts';

interface Open {
  /** Its key. */
  readonly ends: string;
  readonly socket: Socket;
  /** The answers to requests that are in the works. */
  readonly answers: ServerResponse[];
}

export interface Connections {
  /** Ends all of them, also those in a TLS handshake. */
  destroy(): void;
  /** Ends the one that has waited longest for its peer; `false` when each has a request in the works. */
  makeRoom(): boolean;
}

/** File descriptors kept for files, the store, requests to others, and what Node has open itself. */
const FILES_FOR_THE_REST = 60;
const MOST_CONNECTIONS = 1_000;
const FEWEST_CONNECTIONS = 8;

/**
 * How many connections a server keeps. At most half of what the process may open is for each of its two
 * servers.
 */
export function connectionLimit(files = openFileLimit()): number {
  if (files === undefined) return MOST_CONNECTIONS;
  const share = Math.floor((files - FILES_FOR_THE_REST) / 2);
  return Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, share));
}

let known: { readonly limit: number | undefined } | undefined;

/** How many files, sockets among them, this process may have open (`ulimit -n`). `undefined`: it cannot be told. */
export function openFileLimit(): number | undefined {
  known ??= { limit: readOpenFileLimit() };
  return known.limit;
}

interface Report {
  excludeNetwork?: boolean;
  getReport(): {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
  };
}

function readOpenFileLimit(): number | undefined {
  // Not in the types yet; before Node 20.13 it has no effect.
  const report: Report | undefined = process.report;
  if (report === undefined) return undefined;
  // Looking up the names of open connections would take long.
  const { excludeNetwork = false } = report;
  report.excludeNetwork = true;
  try {
    const limit = Number(report.getReport().userLimits?.open_files?.soft);
    return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

/**
 * Keeps at most `limit` connections. A new one takes the place of the one that has waited longest for a
 * peer: those that send nothing or half a header, or read no answer, lock nobody out. It is turned away
 * itself only where every other one has a request in the works.
 */
export function keepConnections(server: Server, limit: number, log: Log): Connections {
  /**
   * The connections by both ends, those that wait longest first: over TLS a request has another socket than its
   * connection.
   */
  const open = new Map<string, Open>();
  /** The same by the socket of a request, which has many. */
  const known = new WeakMap<Socket, Open>();
  let isSaid = false;

  const makeRoom = (): boolean => {
    for (const [ends, { answers, socket }] of open) {
      if (answers.some(({ req, writableEnded }) => req.complete && !writableEnded)) continue;
      open.delete(ends);
      socket.destroy();
      return true;
    }
    return false;
  };

  server.on('connection', (socket) => {
    if (open.size >= limit) {
      if (!isSaid) log.warn('http.connections_full', { limit, open_files: openFileLimit() });
      isSaid = true;
      if (!makeRoom()) {
        socket.destroy();
        return;
      }
    }
    const ends = endsOf(socket);
    const mine: Open = { ends, socket, answers: [] };
    open.set(ends, mine);
    socket.once('close', () => {
      if (open.get(ends) === mine) open.delete(ends);
    });
  });

  server.on('request', (incoming, outgoing) => {
    const mine = known.get(incoming.socket) ?? open.get(endsOf(incoming.socket));
    if (mine === undefined) return;
    known.set(incoming.socket, mine);
    mine.answers.push(outgoing);
    // It closes once.
    outgoing.on('close', () => {
      mine.answers.splice(mine.answers.indexOf(outgoing), 1);
      if (mine.answers.length > 0 || open.get(mine.ends) !== mine) return;
      // It begins to wait now.
      open.delete(mine.ends);
      open.set(mine.ends, mine);
    });
  });

  return {
    makeRoom,
    destroy: () => {
      for (const { socket } of open.values()) socket.destroy();
    },
  };
}

function endsOf({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
