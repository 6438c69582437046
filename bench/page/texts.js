/** What the figures do not say by themselves: `left`, what a row does beyond its limit, and why it stays. */

/** @type {Record<string, string>} */
export const LEFT = {
  metadata:
    'The limits for slow peers, the check of `Host`, faults and clock as they are now, the headers, and the record of the exchange.',
  call: 'As above; the token is looked up by its hash, with registration, scopes and resource, and the use of each is checked.',
  poll: 'The claim machine decides on the whole registration, and what it decides is written in one transaction with its audit entry.',
  register:
    'The claim token and ids are random, their hashes are stored, the registration and its audit entry are one transaction.',
  exchange:
    'The registration is read and judged (revoked, expired, claimed since), and the token and its audit entry are written with it in one transaction.',
  'id-jag':
    'Each comes from another user: key look-up, all checks of the claims, the user, the registration, the spent `jti` and the audit entry.',
  mint: 'The ID token, the user, the consent and its scopes are checked, and the mint is written to the audit trail.',
};

/** What another service has to be behind by. */
/** @type {Record<string, number>} */
export const AHEAD = { metadata: 4, register: 2.5, exchange: 2, poll: 2 };

/** What each side of the part `settings` is, and what its user has from it. */
/** @type {Record<string, { name: string, gives: string }>} */
export const SETTINGS = {
  memory: { name: 'none: in memory', gives: 'nothing outlives the process' },
  file: {
    name: '`--db FILE`',
    gives:
      'every answer is on the disk before it leaves (`synchronous=FULL`), also after a power cut; several processes on one machine',
  },
  postgres: {
    name: '`--db postgres://…`',
    gives:
      'the same, for several processes on several machines. The database computes on the same cores here',
  },
  unrecorded: {
    name: '`exchanges: 0`',
    gives: 'no exchanges to look at, to export or to replay',
  },
  log: { name: 'a log', gives: 'a line of JSON for each event, here written to nowhere' },
};

/** @type {Record<string, { wanted: number }>} */
export const PROGRAM = {
  '--version': { wanted: 1.2 },
  '--help': { wanted: 1.4 },
  status: { wanted: 1.6 },
  token: { wanted: 1.6 },
  call: { wanted: 1.3 },
};

export const LIBRARY_WANTED = 0.5;
export const FILE_WANTED = 0.6;
export const SHARED_WANTED = 4;
export const REPLICAS_WANTED = 0.9;
export const POSTGRES_WANTED = 5;
export const MILLION_WANTED = 1.2;
/** Milliseconds that removing expired rows may hold a request. */
export const PURGE_WANTED = 10;

/** Seconds at most. @type {Record<string, number>} */
export const SUITE_WANTED = {
  'conformance service --mock': 6,
  'conformance agent': 45,
  'npm test': 240,
};

export const LEAD = `How fast the mocks, the program and the library are, each beside the least that the same work takes on the same machine. Rates alone say little: they are the machine's. So each row is measured in turn with its **limit**, in the same run, and the ratio of the two is what counts.`;

export const METHOD = `A limit of a mock is one bare handler: Hono on @hono/node-server with its defaults, one route, which reads the body, does the cryptography that its row names, runs its statements on a prepared SQLite database in memory, and answers a document of the same size. It checks nothing, and it is sent the same requests, byte for byte. The mock is served as the program serves it: controls on, all checks, exchanges recorded, no log, its store in memory.

Each server is a process of its own, started anew for each run and warmed up. wrk sends from another core over kept connections; rows come in random order, and in each row the sides too. An answer other than the wanted one is an error, and a row with errors has no result. Polls come from 256 registrations that wait for their claim, at an interval of a millisecond, so that none is \`slow_down\`; exchanges, too, from 256 registrations. An ID-JAG is taken once: they are signed ahead, each for a user that the service does not know, so each makes a user and a registration.

A figure is the median of the runs, with the least and the most in brackets. A ratio is formed run by run.`;

export const REPEAT = `\`\`\`sh
npm run build
npm run bench                                        # the mocks beside their limits
npm run bench -- --rows poll,exchange --runs 9       # some rows
npm run bench -- --before ../agent-auth-before       # another checkout, built, in the same runs
npm run bench -- --against http://127.0.0.1:8080     # another service of this protocol
npm run bench -- --parts file,postgres,settings,program,library,suite,million
npm run bench -- --write                             # all of it, and this page
\`\`\`

It needs wrk (Debian: \`apt-get install wrk\`), taskset for pinning, strace for counting syncs, and PostgreSQL for its rows; it says what is missing. Nothing else should run meanwhile.`;
