/** What each door of the package is for, and what to read first. @type {Record<string, { about: string, guide: string }>} */
export const DOORS = {
  'agent-auth': {
    about: 'The agent with the defaults of Node, its stores, and `AgentError`.',
    guide: 'library.md',
  },
  'agent-auth/agent': {
    about: 'The same class without a default: no file, no environment, no clock of its own.',
    guide: 'library.md',
  },
  'agent-auth/conformance': {
    about: 'The suite that judges services, agents and providers.',
    guide: 'conformance.md',
  },
  'agent-auth/mock-provider': {
    about: 'The mock provider as a function from `Request` to `Response`, with its controls.',
    guide: 'mocks.md',
  },
  'agent-auth/mock-service': {
    about: 'The mock service as a function from `Request` to `Response`, with its controls, and `serve`.',
    guide: 'mocks.md',
  },
  'agent-auth/msw': {
    about: 'Handlers of MSW that let mocks answer the global `fetch`.',
    guide: 'test-kits.md',
  },
  'agent-auth/protocol': {
    about: 'The vocabulary: wire codes, states, schemas, URL rules.',
    guide: 'wire-contract.md',
  },
  'agent-auth/runtime': {
    about: 'The ports that everything stands on (clock, random, fetch, sleep, log), real and fake.',
    guide: 'library.md',
  },
  'agent-auth/testing': {
    about: 'A service, a provider, an agent and its user for a test, on one fake clock.',
    guide: 'test-kits.md',
  },
  'agent-auth/vitest': {
    about: 'Fixtures and matchers for Vitest.',
    guide: 'test-kits.md',
  },
};
