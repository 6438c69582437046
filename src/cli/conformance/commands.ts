import { LEVELS, ROLES } from '../../conformance/engine/model.ts';
import type { CommandSpec } from '../shell/command.ts';
import { AGENT_OPTIONS, PROVIDER_OPTIONS, SERVICE_OPTIONS } from './options.ts';

const CONTROL_HELP =
  'Secrets are never options: the token of --control is AGENT_AUTH_CONTROL_TOKEN.';

const SERVICE: CommandSpec = {
  summary: 'judge a service',
  description:
    'Registers, claims, calls, revokes and attacks at a service, as agent, user and ' +
    'provider. It leaves registrations behind: judge a test deployment, or use --safe.',
  arguments: [['[url]', 'its base URL, or a protected resource of it']],
  options: SERVICE_OPTIONS,
  notes: [
    'The user of a claim signs in and types the code: by the forms of the pages (form), in Chromium ' +
      '(browser, needs the package playwright-core), by you (manual), or by a command (command).',
    CONTROL_HELP,
  ],
  load: async () => (await import('./service.ts')).conformanceService,
  examples: [
    'conformance service --mock',
    'conformance service https://api.example.test --safe',
    'conformance service http://127.0.0.1:8080 --provider-port 4899 --patience 2m',
    'conformance service http://127.0.0.1:8080/mcp --provider-port 4899 --client-id app --client-secret @secret.txt',
    'conformance service http://127.0.0.1:8080 --report junit=junit.xml --report html=report.html',
    'conformance service http://127.0.0.1:8080 --baseline known.yaml --level should',
  ],
};

const PROVIDER: CommandSpec = {
  summary: 'judge a provider',
  description:
    'Signs users in, consents, mints, revokes and attacks at a provider, as agent and ' +
    'user, and takes its events as the services that it mints for. It leaves users and ' +
    'consents behind: judge a test deployment, or use --safe.',
  arguments: [['[url]', 'its issuer']],
  options: PROVIDER_OPTIONS,
  notes: [
    'A provider that mints only for services that it knows has to know some of the suite’s: fix their URL ' +
      'with --service-port, configure up to nine below it (…/one, …/two, …/three …) at the provider, and name ' +
      'each of them with --audience; scenarios that need more are skipped by name.',
    CONTROL_HELP,
  ],
  load: async () => (await import('./provider.ts')).conformanceProvider,
  examples: [
    'conformance provider --mock',
    'conformance provider https://id.example.test --safe',
    'conformance provider http://127.0.0.1:4801 --patience 3m --consents-page http://127.0.0.1:4801/consents',
    'conformance provider https://id.example.test --client-id app --client-secret @secret.txt --audience https://as.example.test --resource https://as.example.test/mcp',
    'conformance provider http://127.0.0.1:4801 --report junit=junit.xml --report html=report.html',
  ],
};

const AGENT: CommandSpec = {
  summary: 'judge an agent',
  description:
    'Runs services, a provider and a user against an agent: its command runs a few times for each scenario, ' +
    'with AGENT_AUTH_SERVICE, AGENT_AUTH_SCENARIO and AGENT_AUTH_CONTEXT in the environment; the command ' +
    'does the task that the context names and exits 0 when it is done.',
  arguments: [['[command...]', 'the command and its arguments, after --']],
  options: AGENT_OPTIONS,
  passesOn: true,
  load: async () => (await import('./agent.ts')).conformanceAgent,
  examples: [
    'conformance agent -- agent-auth conformance perform',
    'conformance agent --report html=report.html -- python my_adapter.py',
    "conformance agent --only 'agent-claim*' -- ./adapter.sh",
    'conformance agent --watch',
  ],
};

export const CONFORMANCE: CommandSpec = {
  summary: 'judge a service, an agent or a provider',
  description:
    'Runs the other roles against an implementation and reports what is wrong with it: ' +
    'each finding with what was expected, what was seen, section and exchange. ' +
    'Exit 0 when it conforms, 1 when a must failed, 3 when a baseline is stale, 9 when ' +
    'nothing failed but something that has to be judged was not.',
  commands: {
    service: SERVICE,
    agent: AGENT,
    perform: {
      summary: 'do one task of `conformance agent` with this program',
      description:
        'Does the task of AGENT_AUTH_CONTEXT as this program does it: what `conformance agent` runs to judge ' +
        'agent-auth itself, and an example for adapters of other agents.',
      load: async () => (await import('./perform-task.ts')).conformancePerform,
      examples: ['conformance agent -- agent-auth conformance perform'],
    },
    provider: PROVIDER,
    list: {
      summary: 'list scenarios, their checks, levels and requirements',
      description:
        'Lists every scenario with its checks, their levels and the requirements that they judge.',
      options: {
        '--role <role>': ['only of this role (default: all)', ROLES],
        '--level <level>': ['this level and the stronger ones (default: all)', LEVELS],
      },
      load: async () => (await import('./list.ts')).conformanceList,
      examples: ['conformance list --role service', 'conformance list --level must --json'],
    },
  },
  examples: [
    'conformance service http://127.0.0.1:4800',
    'conformance agent -- agent-auth conformance perform',
    'conformance service http://127.0.0.1:8080 --since before.json',
    'conformance list',
  ],
};
