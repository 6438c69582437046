import type { FaultCase } from './fault-case.ts';

/** What is not the mock's own to do wrong: the server in front of it. */
export const BROKEN_SERVERS: readonly FaultCase[] = [
  {
    fault: 'lenient before oversized',
    server: 'lenient',
    scenarios: ['oversized'],
    fails: ['oversized.headers', 'oversized.addresses'],
  },
  {
    fault: 'lenient before smuggling',
    server: 'lenient',
    scenarios: ['smuggling'],
    fails: [
      'smuggling.one-answer',
      'smuggling.two-ways',
      'smuggling.odd-lengths',
      'smuggling.folded',
    ],
  },
  {
    fault: 'brokenProxy before smuggling',
    server: 'brokenProxy',
    scenarios: ['smuggling'],
    fails: ['smuggling.one-answer', 'smuggling.two-lengths'],
  },
  {
    fault: 'unreadBodies before smuggling',
    server: 'unreadBodies',
    scenarios: ['smuggling'],
    fails: ['smuggling.refused-bodies'],
  },
  {
    fault: 'lenient before trickle',
    server: 'lenient',
    scenarios: ['trickle'],
    fails: ['trickle.head', 'trickle.body'],
  },
  {
    fault: 'errorsWith200',
    server: 'errorsWith200',
    scenarios: ['error-leaks'],
    fails: ['error-leaks.status'],
  },
  {
    fault: 'rememberedToken before bearer-errors',
    server: 'rememberedToken',
    scenarios: ['bearer-errors'],
    fails: ['bearer-errors.same-connection'],
  },
  {
    fault: 'mortal',
    server: 'mortal',
    scenarios: ['hostile-json', 'stays-up'],
    fails: ['stays-up.answers'],
  },
];
